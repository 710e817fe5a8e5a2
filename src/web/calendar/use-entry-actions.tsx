import { type RefObject, useCallback, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { birthdayAddress, eventAddress } from '../app/addresses'
import { openOver } from '../app/over-page'
import { ScopeDialog } from '../events/ScopeDialog'
import { deleting, type SeriesReach } from '../events/intents'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { announce } from '../parts/messages-store'
import { useWriting } from '../store/use-writing'
import type { DueItem } from './data'
import { type CalendarEntry, mayChange, repeats } from './entries'
import { EventSheet } from './EventSheet'
import { MoveDialog } from './MoveDialog'
import { type Draft, drafted, timesOfDraft } from './moving/draft'
import { clearGhost } from './moving/ghost'
import { type TimeReading, whenOf } from './names'
import { moving, toggling } from './writes'

const messages = defineMessages({
  en: {
    done: (title: string) => `Marked ${title} as done`,
    open: (title: string) => `Marked ${title} as open`,
    deleted: (title: string) => `Deleted ${title}`,
    moved: (what: string) => `Moved ${what}`,
    readOnly: (title: string) => `${title} cannot be changed here`,
  },
  de: {
    done: (title: string) => `${title} ist erledigt`,
    open: (title: string) => `${title} ist wieder offen`,
    deleted: (title: string) => `${title} ist gelöscht`,
    moved: (what: string) => `Verschoben: ${what}`,
    readOnly: (title: string) => `${title} lässt sich hier nicht ändern`,
  },
})

/** The dialog that stands over the calendar. */
type Open =
  | { readonly is: 'sheet' | 'move'; readonly entry: CalendarEntry }
  | { readonly is: 'scope'; readonly deletes: boolean; readonly run: (scope: SeriesReach) => void }

/** What one can do with an occurrence and with what is due; `dialogs` belongs into the page. */
export function useEntryActions(reading: TimeReading, gridRef: RefObject<HTMLDivElement | null>) {
  const m = useMessages(messages)
  const [shown, setShown] = useState<Open>()
  const write = useWriting()

  const ask = (entry: CalendarEntry, deletes: boolean, run: (scope: SeriesReach) => void) => {
    if (!mayChange(entry.event)) announce({ text: m.readOnly(entry.event.title) })
    else if (repeats(entry.event)) setShown({ is: 'scope', deletes, run })
    else run('all')
  }
  const toggle = useCallback(
    (due: DueItem) => {
      write(toggling(due, due.isDone ? m.open(due.title) : m.done(due.title)))
    },
    [write, m],
  )
  const remove = (entry: CalendarEntry) =>
    ask(entry, true, (scope) => void write(deleting(entry.event, scope, m.deleted(entry.event.title))))
  const move = (entry: CalendarEntry, draft: Draft) =>
    ask(entry, false, (scope) => {
      const said = m.moved(whenOf(drafted(entry, draft, reading.zone), reading))
      write(moving({ event: entry.event, scope, said }, timesOfDraft(draft)))
    })
  /** A tap shows the sheet first. */
  const open = (entry: CalendarEntry, isTap: boolean) => {
    if (isTap) setShown({ is: 'sheet', entry })
    else edit(entry)
  }
  const close = () => {
    setShown(undefined)
    clearGhost(gridRef.current)
  }
  const dialogs = shown && (
    <Dialogs
      shown={shown}
      onClose={close}
      onMoving={(entry) => setShown({ is: 'move', entry })}
      {...{ remove, move }}
    />
  )
  return { toggle, remove, move, open, dialogs }
}

/** A birthday belongs to its person. */
function edit({ event }: CalendarEntry): void {
  if (event.id === null) navigate(birthdayAddress(event.start_date ?? '', event.title))
  else openOver(eventAddress(event.id, event.occurrence_start ?? undefined))
}

interface DialogsProps {
  readonly shown: Open
  readonly remove: (entry: CalendarEntry) => void
  readonly move: (entry: CalendarEntry, draft: Draft) => void
  readonly onMoving: (entry: CalendarEntry) => void
  readonly onClose: () => void
}

function Dialogs({ shown, remove, move, onMoving, onClose }: DialogsProps) {
  if (shown.is === 'scope')
    return (
      <ScopeDialog
        deletes={shown.deletes}
        isShared={false}
        onClose={onClose}
        onContinue={(scope) => {
          onClose()
          shown.run(scope)
        }}
      />
    )
  const { entry } = shown
  const after = (act: () => void) => () => {
    onClose()
    act()
  }
  if (shown.is === 'move')
    return (
      <MoveDialog entry={entry} onClose={onClose} onMove={(draft) => after(() => move(entry, draft))()} />
    )
  return (
    <EventSheet
      entry={entry}
      onClose={onClose}
      onOpen={after(() => edit(entry))}
      onDelete={after(() => remove(entry))}
      onMove={() => onMoving(entry)}
    />
  )
}
