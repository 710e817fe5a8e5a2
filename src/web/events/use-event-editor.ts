import { useState } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import type { EventView, NewEvent } from '../../features/events/events/model'
import type { Refusal } from '../api/refusal'
import { useCalendars } from '../calendars/data'
import { useUnsaved } from '../session/unsaved'
import { keepUntilDone, useDraft } from '../store/drafts'
import { now } from '../time/now'
import { useZone } from '../time/use-zone'
import {
  type DateForms,
  type DraftProblems,
  draftOf,
  type EventDraft,
  newDraft,
  type NewSpan,
  readDraft,
} from './draft'
import { useDateForms } from './use-date-forms'
import { type SavedEvent, type SentEvent, useSaving } from './use-saving'

/** What an editor is opened with: an event or an occurrence, or what a new one begins with. */
export interface Opening {
  /** Leads back to the editor. */
  readonly address: string
  readonly event?: EventView | undefined
  readonly title?: string
  readonly span?: NewSpan
  /** A new event that begins with all these fields. */
  readonly draft?: EventDraft
}

/** What was typed, with what it started from; it outlives a reload. */
interface KeptEvent {
  readonly draft: EventDraft
  /** Users to invite. */
  readonly guests: readonly number[]
  /** The event as it was when it was opened: what others change meanwhile is merged against it. */
  readonly opened?: EventView | undefined
  /** Why the service did not take it. */
  readonly refusal?: Refusal
}

const NO_CALENDARS: readonly CalendarView[] = []

/** The state of one editor (contract: web.event-editor). */
export function useEventEditor(opening: Opening, onDone: (saved?: SavedEvent) => void) {
  const forms = useDateForms()
  const start = useStart(opening, forms)
  const [stored, store] = useDraft<KeptEvent>(start.key)
  // What was there when the editor opened is worth a word; what is typed now is not.
  const [isContinued, setContinued] = useState(stored !== undefined)
  const [problems, setProblems] = useState<DraftProblems>({})
  const [attempt, setAttempt] = useState(0)
  const kept = stored ?? start.kept
  useUnsaved(stored !== undefined)
  const calendars = useCalendars() ?? NO_CALENDARS
  const finish = (saved?: SavedEvent, sent?: SentEvent) => {
    store(undefined)
    if (sent)
      void keepUntilDone<KeptEvent>(start.key, kept, sent, (draft, refusal) => ({ ...draft, refusal }))
    onDone(saved)
  }
  const saving = useSaving({ opened: kept.opened, calendars, from: opening.address }, finish)
  const change = (changes: Partial<EventDraft>) => {
    setProblems({})
    const { refusal: _, ...rest } = kept
    store({ ...rest, draft: { ...kept.draft, ...changes } })
  }
  const save = () => {
    const read = readDraft(kept.draft, forms)
    if ('body' in read)
      return saving.save({ mine: read.body, guests: kept.guests, before: start.before(kept) })
    setProblems(read.problems)
    return setAttempt((count) => count + 1)
  }
  return {
    draft: kept.draft,
    guests: kept.guests,
    refusal: kept.refusal,
    calendars,
    forms,
    isContinued,
    problems,
    /** Counts refusals, so that the first wrong field takes the focus each time. */
    attempt,
    saving,
    change,
    setGuests: (guests: readonly number[]) => store({ ...kept, guests }),
    save,
    discard: () => {
      setContinued(false)
      setProblems({})
      store(undefined)
    },
    cancel: () => finish(),
  }
}
export type EventEditorState = ReturnType<typeof useEventEditor>

interface Start {
  /** The name of the draft. */
  readonly key: string
  readonly kept: KeptEvent
  /** What the fields said when it was opened. */
  readonly before: (kept: KeptEvent) => NewEvent
}

function useStart(opening: Opening, forms: DateForms): Start {
  const zone = useZone()
  // A draft is opened once: what comes in later is a conflict, not a new beginning.
  const [start] = useState(() => startOf(opening, forms, zone))
  return start
}

function startOf({ event, title = '', span, draft: given }: Opening, forms: DateForms, zone: string): Start {
  const before = ({ opened, draft }: KeptEvent) =>
    bodyOf(opened ? draftOf(opened, zone, forms) : draft, forms)
  if (event) {
    const key = `event ${event.id} ${event.occurrence_start ?? ''}`
    return { key, before, kept: { draft: draftOf(event, zone, forms), guests: [], opened: event } }
  }
  if (given) return { key: 'event copy', before, kept: { draft: given, guests: [] } }
  const begin = span ?? nextHour(forms, zone)
  const draft = newDraft({ title, span: begin, timeZone: zone, calendarId: undefined }, forms)
  const where = span === undefined ? '' : `${draft.startDate} ${draft.allDay ? '' : draft.startTime}`
  return { key: `event new ${where}`, before, kept: { draft, guests: [] } }
}

function bodyOf(draft: EventDraft, forms: DateForms): NewEvent {
  const read = readDraft(draft, forms)
  if ('problems' in read) throw new Error('The service sent times that cannot be read')
  return read.body
}

/** A new event without a place in time begins at the next full hour of today. */
function nextHour({ today }: DateForms, zone: string): NewSpan {
  const start = today.toPlainDateTime({ hour: Math.min(now().toZonedDateTimeISO(zone).hour + 1, 23) })
  return { allDay: false, start, end: start.add({ hours: 1 }) }
}
