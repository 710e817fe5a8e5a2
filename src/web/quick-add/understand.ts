import { firstDay, type Repeat } from '../recurrence/rule'
import type { Meaning, QuickKind } from './grammar'
import { type LineContext, type Piece, piecesOf, titleOf } from './parse'

/** What is known beside the line. */
export interface Asking extends LineContext {
  /** What the user chose instead of what the line suggests. */
  readonly kind?: QuickKind | undefined
  /** When reminders without a time are due. */
  readonly dayStartsAt: Temporal.PlainTime
  readonly calendars: ReadonlyArray<{ readonly id: number; readonly name: string }>
}

/** A line as it would be saved. */
export interface Understood {
  readonly kind: QuickKind
  readonly title: string
  /** What was understood and fits the kind, in the order of the line. */
  readonly pieces: readonly Piece[]
  readonly day?: Temporal.PlainDate | undefined
  /** The last day, included. */
  readonly lastDay?: Temporal.PlainDate | undefined
  readonly time?: Temporal.PlainTime | undefined
  /** Of an event, on the last day. */
  readonly endTime?: Temporal.PlainTime | undefined
  readonly place?: string | undefined
  readonly repeat?: Repeat | undefined
  readonly calendarId?: number | undefined
  /** The category of a todo. */
  readonly category?: string | undefined
}

const USUAL_MINUTES = 60

type Said = { readonly [W in Meaning['what']]?: Extract<Meaning, { what: W }> }
const saidBy = (pieces: readonly Piece[]): Said =>
  Object.fromEntries(pieces.map(({ meaning }) => [meaning.what, meaning]))

/**
 * Understands a line as an event, a todo or a reminder. What the kind cannot hold stays part of the title. Without days or
 * times it is a todo; with a time, a place or several days it is an event.
 */
export function understand(line: string, asking: Asking): Understood {
  const all = piecesOf(line, asking)
  const kind = asking.kind ?? kindOf(saidBy(all))
  const pieces = all.filter(({ meaning }) => fits(meaning, { kind, said: saidBy(all), asking }))
  return { kind, title: titleOf(line, pieces), pieces, ...detailsOf(kind, saidBy(pieces), asking) }
}

function kindOf({ kind, date, time, days, place, repeat }: Said): QuickKind {
  if (kind) return kind.kind
  if (date?.isDeadline) return 'todo'
  const isLong = [time, days, place, date?.to].some((found) => found !== undefined)
  return isLong || (repeat && !isOfTodo(repeat.repeat)) ? 'event' : 'todo'
}

/** A todo repeats by days, weeks or months alone. */
const isOfTodo = ({ frequency, interval, weekdays, nth }: Repeat) =>
  frequency !== 'YEARLY' && interval === 1 && weekdays.length <= 1 && !nth

interface Fitting {
  readonly kind: QuickKind
  readonly said: Said
  readonly asking: Asking
}

function fits(meaning: Meaning, fitting: Fitting): boolean {
  if (meaning.what === 'kind') return meaning.kind === fitting.kind
  if (fitting.kind === 'event') return fitsEvent(meaning, fitting)
  return fitting.kind === 'todo' ? fitsTodo(meaning, fitting) : fitsReminder(meaning)
}

function fitsEvent({ what, ...rest }: Meaning, { said, asking }: Fitting): boolean {
  if (what === 'duration') return said.time !== undefined && !said.time.to
  if (what === 'days') return hasDay(said) && !said.date?.to
  return !('name' in rest) || calendarOf(rest.name, asking) !== undefined
}

function fitsTodo(meaning: Meaning, { said }: Fitting): boolean {
  if (meaning.what === 'repeat') return isOfTodo(meaning.repeat)
  if (meaning.what === 'time') return !meaning.to && hasDay(said)
  return meaning.what === 'calendar' || (meaning.what === 'date' && !meaning.to)
}

const fitsReminder = (meaning: Meaning): boolean =>
  meaning.what === 'repeat' || ((meaning.what === 'date' || meaning.what === 'time') && !meaning.to)

const hasDay = ({ date, repeat }: Said) => date !== undefined || repeat !== undefined

/** `#Work-stuff` means the calendar "work stuff". */
const folded = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
const calendarOf = (name: string, { calendars }: Asking) =>
  calendars.find((calendar) => folded(calendar.name) === folded(name))?.id

function detailsOf(kind: QuickKind, said: Said, asking: Asking) {
  const repeat = said.repeat && { repeat: said.repeat.repeat }
  const day = dayOf(said, asking)
  if (kind === 'todo') return { ...repeat, ...dueOf(said, day, asking) }
  if (kind === 'reminder') return { ...repeat, ...momentOf(said, day, asking) }
  return {
    ...repeat,
    ...spanOf(said, day ?? asking.today),
    place: said.place?.place,
    calendarId: said.calendar && calendarOf(said.calendar.name, asking),
  }
}

function dayOf({ date, repeat, time }: Said, { today, now }: Asking): Temporal.PlainDate | undefined {
  const isOver = time && Temporal.PlainTime.compare(time.from, now) <= 0
  const next = isOver ? today.add({ days: 1 }) : today
  const named = date?.from ?? repeat?.from
  if (repeat) return firstDay(repeat.repeat, named ?? next)
  return named ?? (time && next)
}

function dueOf(said: Said, day: Temporal.PlainDate | undefined, { today }: Asking) {
  const isDaily = said.repeat?.repeat.frequency === 'DAILY'
  return { day: day ?? (isDaily ? today : undefined), time: said.time?.from, category: said.calendar?.name }
}

function momentOf(said: Said, day: Temporal.PlainDate | undefined, { today, now, dayStartsAt }: Asking) {
  const isOver = Temporal.PlainTime.compare(dayStartsAt, now) <= 0
  return { day: day ?? (isOver ? today.add({ days: 1 }) : today), time: said.time?.from ?? dayStartsAt }
}

function spanOf(said: Said, day: Temporal.PlainDate) {
  const { date, time, days } = said
  const lastDay = date?.to ?? day.add({ days: (days?.days ?? 1) - 1 })
  return time
    ? { day, time: time.from, ...endOf(said, day.toPlainDateTime(time.from), lastDay) }
    : { day, lastDay }
}

/** A span past midnight ends on the next day; one of several days ends on its last. */
function endOf({ time, duration }: Said, start: Temporal.PlainDateTime, lastDay: Temporal.PlainDate) {
  if (!time?.to) {
    const end = start.add({ minutes: duration?.minutes ?? USUAL_MINUTES })
    const isOneDay = lastDay.equals(start.toPlainDate())
    return { lastDay: isOneDay ? end.toPlainDate() : lastDay, endTime: end.toPlainTime() }
  }
  const end = lastDay.toPlainDateTime(time.to)
  const isNextDay = Temporal.PlainDateTime.compare(end, start) < 0
  return { lastDay: isNextDay ? lastDay.add({ days: 1 }) : lastDay, endTime: time.to }
}
