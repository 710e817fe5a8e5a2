import { type RefObject, useCallback, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { birthdayAddress, eventAddress } from '../app/addresses'
import { openOver } from '../app/over-page'
import { DeleteDialog } from '../events/DeleteDialog'
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
  | {
      readonly is: 'delete'
      readonly event: CalendarEntry['event']
      readonly run: (scope: SeriesReach) => void
    }
  | { readonly is: 'scope'; readonly run: (scope: SeriesReach) => void }

/** What one can do with an occurrence and with what is due; `dialogs` belongs into the page. */
export function useEntryActions(reading: TimeReading, gridRef: RefObject<HTMLDivElement | null>) {
  const m = useMessages(messages)
  const [shown, setShown] = useState<Open>()
  const write = useWriting()

  const refuse = ({ event }: CalendarEntry) => announce({ text: m.readOnly(event.title) })
  const toggle = useCallback(
    (due: DueItem) => {
      write(toggling(due, due.isDone ? m.open(due.title) : m.done(due.title)))
    },
    [write, m],
  )
  const remove = (entry: CalendarEntry) => {
    const { event } = entry
    if (!mayChange(event)) return refuse(entry)
    const run = (scope: SeriesReach) => void write(deleting(event, scope, m.deleted(event.title)))
    setShown({ is: 'delete', event, run })
  }
  const move = (entry: CalendarEntry, draft: Draft) => {
    if (!mayChange(entry.event)) return refuse(entry)
    const run = (scope: SeriesReach) => {
      const said = m.moved(whenOf(drafted(entry, draft, reading.zone), reading))
      write(moving({ event: entry.event, scope, said }, timesOfDraft(draft)))
    }
    return repeats(entry.event) ? setShown({ is: 'scope', run }) : run('all')
  }
  /** A tap shows the sheet first; of an event that can only be looked at or answered, that would be one tap more for nothing. */
  const open = (entry: CalendarEntry, isTap: boolean) => {
    if (isTap && (mayChange(entry.event) || entry.event.is_virtual)) setShown({ is: 'sheet', entry })
    else edit(entry, placeOf(entry, gridRef.current))
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
      onEdit={(entry) => edit(entry, placeOf(entry, gridRef.current))}
      {...{ remove, move }}
    />
  )
  return { toggle, remove, move, open, dialogs }
}

/** A birthday belongs to its person. */
function edit({ event }: CalendarEntry, place: Element | null): void {
  if (event.id === null) navigate(birthdayAddress(event.start_date ?? '', event.title))
  else openOver(eventAddress(event.id, event.occurrence_start ?? undefined), place)
}

/** Where an occurrence stands in the grid; beside a line of the agenda is no room. */
const placeOf = ({ key }: CalendarEntry, grid: HTMLElement | null): Element | null =>
  grid?.role === 'grid' ? grid.querySelector(`[data-key="${CSS.escape(key)}"]`) : null

interface DialogsProps {
  readonly shown: Open
  readonly remove: (entry: CalendarEntry) => void
  readonly move: (entry: CalendarEntry, draft: Draft) => void
  readonly onEdit: (entry: CalendarEntry) => void
  readonly onMoving: (entry: CalendarEntry) => void
  readonly onClose: () => void
}

function Dialogs({ shown, remove, move, onEdit, onMoving, onClose }: DialogsProps) {
  if (shown.is === 'scope' || shown.is === 'delete') {
    const run = (scope: SeriesReach) => {
      onClose()
      shown.run(scope)
    }
    return shown.is === 'delete' ? (
      <DeleteDialog event={shown.event} onClose={onClose} onDelete={run} />
    ) : (
      <ScopeDialog deletes={false} isShared={false} onClose={onClose} onContinue={run} />
    )
  }
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
      onOpen={after(() => onEdit(entry))}
      onDelete={() => remove(entry)}
      onMove={() => onMoving(entry)}
    />
  )
}
