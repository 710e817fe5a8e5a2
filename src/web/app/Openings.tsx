import { useEffect, useState, useSyncExternalStore } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { fetched } from '../parts/fetched'
import { MissingMessage, missingOf } from '../parts/Missing'
import { useHasStore } from '../store/use-store'
import { PATTERNS } from './addresses'
import type { CommandSources } from './contents'
import { editing } from './editing'
import { openDialog, openings } from './opened-dialog'
import { closeOver, openOver, useOverAddress } from './over-page'
import { useShortcuts } from './shortcuts'
import { useTypedAhead } from './use-typed-ahead'

const editors = fetched(editing)

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
  const isNeeded = opened !== undefined || over !== undefined
  const dialogs = useDialogs(isNeeded)
  useTypedAhead(isNeeded && dialogs.is === 'awaited', giveUp)
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
  if (dialogs.is === 'missing')
    return isNeeded && <MissingMessage {...missingOf(editors, dialogs.reason)} onClose={giveUp} />
  return dialogs.is === 'there' && <Opened dialogs={dialogs.value} over={over} sources={sources} />
}

interface OpenedProps {
  readonly dialogs: Awaited<ReturnType<typeof editing>>
  readonly over: string | undefined
  readonly sources: CommandSources
}

function Opened({ dialogs, over, sources }: OpenedProps) {
  const { CommandsDialog, QuickAddDialog, EventOverlay, DueMessages } = dialogs
  const opened = useSyncExternalStore(openings.subscribe, openings.read)
  const hasStore = useHasStore()
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
function useDialogs(isNeeded: boolean): ReturnType<typeof editors.read> {
  const [isAtRest, setAtRest] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setAtRest(true), AT_REST_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    // What did not come when nobody needed it is asked for once more.
    if (isNeeded) editors.again()
  }, [isNeeded])
  return useSyncExternalStore(isAtRest || isNeeded ? editors.subscribe : untouched, editors.read)
}
const untouched = () => () => {}
