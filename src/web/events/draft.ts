import type { EventView, NewEvent } from '../../features/events/events/model'
import { parseDate, parseTime } from '../time/parse'

/** What the fields of the editor say; dates and times as they were typed. */
export interface EventDraft {
  readonly title: string
  readonly calendarId: number | undefined
  readonly allDay: boolean
  readonly startDate: string
  readonly startTime: string
  readonly endDate: string
  readonly endTime: string
  readonly timeZone: string
  /** The value of an RRULE; empty when it does not repeat. */
  readonly rule: string
  readonly location: string
  readonly description: string
  /** Minutes before; empty for the default. */
  readonly reminder: string
  /** Members of the calendar see its times alone. */
  readonly isPrivate: boolean
  /** From start to end when both could be read last, as an ISO 8601 duration: while a start is typed it cannot be read. */
  readonly length?: string
}

/** How typed dates are read and shown. */
export interface DateForms {
  readonly today: Temporal.PlainDate
  readonly monthFirst: boolean
  readonly locale: string
}

/** "Tue 24 Nov 2026": a date that nobody can misread, and that can be typed again as it stands. */
export function shownDate(date: Temporal.PlainDate, locale: string): string {
  const text = date.toLocaleString(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
  return text.replaceAll(',', '').replace(/^(\p{L}+)\. /u, '$1 ')
}

export const shownTime = (time: Temporal.PlainTime): string => time.toString({ smallestUnit: 'minute' })

/** Reads a typed date, also with its weekday before it. */
export function readDay(text: string, forms: DateForms): Temporal.PlainDate | undefined {
  const typed = text.trim()
  return parseDate(typed, forms) ?? parseDate(typed.replace(/^\p{L}+[.,]*\s+(?=\d)/u, ''), forms)
}

const DAY_HOUR = 9

/** Where a new event begins: whole days, or a time. */
export type NewSpan =
  | { readonly allDay: true; readonly first: Temporal.PlainDate; readonly last: Temporal.PlainDate }
  | { readonly allDay: false; readonly start: Temporal.PlainDateTime; readonly end: Temporal.PlainDateTime }

interface NewDraft {
  readonly title: string
  readonly span: NewSpan
  readonly timeZone: string
  readonly calendarId: number | undefined
}

/** The draft of a new event. */
export const newDraft = ({ title, span, timeZone, calendarId }: NewDraft, forms: DateForms): EventDraft => ({
  title,
  calendarId,
  ...spanFields(span, forms),
  timeZone,
  rule: '',
  location: '',
  description: '',
  reminder: '',
  isPrivate: false,
})

/** The draft of an event, or of one of its occurrences, in the event's own zone. */
export function draftOf(event: EventView, zone: string, forms: DateForms): EventDraft {
  return {
    title: event.title,
    calendarId: event.calendar_id ?? undefined,
    ...spanFields(spanOf(event, zone), forms),
    timeZone: event.time_zone ?? zone,
    rule: event.recurrence_rule ?? '',
    location: event.location ?? '',
    description: event.description ?? '',
    reminder: event.reminder_minutes === null ? '' : String(event.reminder_minutes),
    isPrivate: event.visibility === 'private',
  }
}

/** When an event is, on the clocks of its own zone; birthdays and whole days have none. */
function spanOf(event: EventView, zone: string): NewSpan {
  const { start_date: first, end_date: last, start_at: start, end_at: end } = event
  if (first !== null && last !== null)
    return { allDay: true, first: Temporal.PlainDate.from(first), last: Temporal.PlainDate.from(last) }
  const wall = (at: string | null) =>
    Temporal.Instant.from(at ?? '')
      .toZonedDateTimeISO(event.time_zone ?? zone)
      .toPlainDateTime()
  return { allDay: false, start: wall(start), end: wall(end) }
}

function spanFields(span: NewSpan, { locale }: DateForms) {
  const [start, end] = span.allDay
    ? [span.first.toPlainDateTime({ hour: DAY_HOUR }), span.last.toPlainDateTime({ hour: DAY_HOUR + 1 })]
    : [span.start, span.end]
  return {
    allDay: span.allDay,
    startDate: shownDate(start.toPlainDate(), locale),
    startTime: shownTime(start.toPlainTime()),
    endDate: shownDate(end.toPlainDate(), locale),
    endTime: shownTime(end.toPlainTime()),
  }
}

/** The typed start and end, as far as they can be read. */
export function readSpan(draft: EventDraft, forms: DateForms) {
  return {
    startDay: readDay(draft.startDate, forms),
    endDay: readDay(draft.endDate, forms),
    startTime: draft.allDay ? undefined : parseTime(draft.startTime),
    endTime: draft.allDay ? undefined : parseTime(draft.endTime),
  }
}

/** Changes the start; the end follows, so that the event keeps its length. */
export function withStart(
  draft: EventDraft,
  changes: Partial<Pick<EventDraft, 'startDate' | 'startTime'>>,
  forms: DateForms,
): EventDraft {
  const before = walls(draft, forms)
  const length = before.start && before.end ? before.start.until(before.end).toString() : draft.length
  const next = { ...draft, ...changes, ...(length !== undefined && { length }) }
  const { start } = walls(next, forms)
  if (!start || length === undefined || length.startsWith('-')) return next
  const end = start.add(length)
  return {
    ...next,
    endDate: shownDate(end.toPlainDate(), forms.locale),
    endTime: draft.allDay ? draft.endTime : shownTime(end.toPlainTime()),
  }
}

function walls(draft: EventDraft, forms: DateForms) {
  const { startDay, endDay, startTime, endTime } = readSpan(draft, forms)
  const wall = (day: Temporal.PlainDate | undefined, time: Temporal.PlainTime | undefined) =>
    draft.allDay ? day?.toPlainDateTime() : day && time && day.toPlainDateTime(time)
  return { start: wall(startDay, startTime), end: wall(endDay, endTime) }
}

/** Fields of the editor that can be wrong, and how. */
export type DraftProblems = Partial<
  Record<
    'title' | 'startDate' | 'startTime' | 'endDate' | 'endTime' | 'timeZone',
    'missing' | 'unread' | 'before-start'
  >
>

/** The request that a draft stands for, or what is wrong with it. */
export function readDraft(
  draft: EventDraft,
  forms: DateForms,
): { readonly problems: DraftProblems } | { readonly body: NewEvent } {
  const problems = problemsOf(draft, forms)
  if (Object.keys(problems).length > 0) return { problems }
  return {
    body: {
      title: draft.title.trim(),
      ...(draft.calendarId !== undefined && { calendar_id: draft.calendarId }),
      ...timesOf(draft, forms),
      recurrence_rule: draft.rule === '' ? null : draft.rule,
      location: draft.location.trim() === '' ? null : draft.location.trim(),
      description: draft.description.trim() === '' ? null : draft.description,
      reminder_minutes: draft.reminder === '' ? null : Number(draft.reminder),
      visibility: draft.isPrivate ? 'private' : 'public',
    },
  }
}

function timesOf(draft: EventDraft, forms: DateForms) {
  const { start, end } = walls(draft, forms)
  if (!draft.allDay)
    return { all_day: false, start_at: wallText(start), end_at: wallText(end), time_zone: draft.timeZone }
  return { all_day: true, start_date: wallText(start).slice(0, 10), end_date: wallText(end).slice(0, 10) }
}

const wallText = (wall: Temporal.PlainDateTime | undefined) =>
  wall?.toString({ smallestUnit: 'second' }) ?? ''

function problemsOf(draft: EventDraft, forms: DateForms): DraftProblems {
  const span = readSpan(draft, forms)
  return {
    ...(draft.title.trim() === '' && { title: 'missing' as const }),
    ...unread('startDate', draft.startDate, span.startDay),
    ...unread('endDate', draft.endDate, span.endDay),
    ...(!draft.allDay && {
      ...unread('startTime', draft.startTime, span.startTime),
      ...unread('endTime', draft.endTime, span.endTime),
      ...(!isZone(draft.timeZone) && { timeZone: 'unread' as const }),
    }),
    ...backwards(draft, forms),
  }
}

function backwards(draft: EventDraft, forms: DateForms): DraftProblems {
  const { start, end } = walls(draft, forms)
  if (!start || !end || Temporal.PlainDateTime.compare(end, start) >= 0) return {}
  const isSameDay = end.toPlainDate().equals(start.toPlainDate())
  return { [isSameDay ? 'endTime' : 'endDate']: 'before-start' }
}

const unread = (field: string, text: string, read: object | undefined) =>
  read ? {} : { [field]: text.trim() === '' ? ('missing' as const) : ('unread' as const) }

/** Whether there is a time zone of that name. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
