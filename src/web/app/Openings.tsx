import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import type { QuickKind } from '../quick-add/grammar'
import { useHasStore } from '../store/use-store'
import { PATTERNS } from './addresses'
import type { CommandSources } from './contents'
import { editing } from './editing'
import { openDialog, openings } from './opened-dialog'
import { closeOver, openOver, useOverAddress } from './over-page'
import { useShortcuts } from './shortcuts'

interface OpenedDialogs {
  readonly QuickAddDialog: ComponentType<{
    readonly kind?: QuickKind | undefined
    readonly onClose: () => void
  }>
  readonly CommandsDialog: ComponentType<CommandSources & { readonly onClose: () => void }>
  readonly EventOverlay: ComponentType<{ readonly address: string; readonly onClose: () => void }>
  readonly DueMessages: ComponentType
}

const messages = defineMessages({
  en: { group: 'Add', quickAdd: 'Quick add', newEvent: 'New event' },
  de: { group: 'Hinzufügen', quickAdd: 'Schnell hinzufügen', newEvent: 'Neuer Termin' },
})

const close = () => openDialog(undefined)

/** The dialogs that any page can open, with their keys, and what any page says by itself. */
export function Openings(sources: CommandSources) {
  const m = useMessages(messages)
  const opened = useSyncExternalStore(openings.subscribe, openings.read)
  const over = useOverAddress()
  const hasStore = useHasStore()
  const dialogs = useDialogs(opened !== undefined || over !== undefined)
  useShortcuts([
    { keys: 'q', label: m.quickAdd, group: m.group, run: () => openDialog({ is: 'quick-add' }) },
    {
      keys: 'c',
      label: m.newEvent,
      group: m.group,
      isEverywhere: true,
      run: () => openOver(PATTERNS.newEvent),
    },
  ])
  if (!dialogs) return null
  const { CommandsDialog, QuickAddDialog, EventOverlay, DueMessages } = dialogs
  return (
    <>
      {hasStore && <DueMessages />}
      {over !== undefined && <EventOverlay key={over} address={over} onClose={closeOver} />}
      {opened?.is === 'commands' && <CommandsDialog {...sources} onClose={close} />}
      {opened?.is === 'quick-add' && <QuickAddDialog kind={opened.kind} onClose={close} />}
    </>
  )
}

function giveUp(): void {
  close()
  closeOver()
}

const AT_REST_MS = 1000

/**
 * Fetches the code once the page is at rest, or when it is needed. Once it is there a dialog opens before the next key is
 * pressed, so that no letter is lost; React's own lazy components would take a while to show.
 */
function useDialogs(isNeeded: boolean): OpenedDialogs | undefined {
  const [dialogs, setDialogs] = useState<OpenedDialogs>()
  useEffect(() => {
    // Without a connection the next attempt fetches it again.
    const fetch = () => void editing().then(setDialogs, giveUp)
    if (dialogs) return
    if (isNeeded) return fetch()
    const timer = setTimeout(fetch, AT_REST_MS)
    return () => clearTimeout(timer)
  }, [dialogs, isNeeded])
  return dialogs
}
