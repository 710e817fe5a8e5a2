import { textsOfKept } from '../../calendars/export/rules.kept'
import type { FileMoment, Zones } from '../../calendars/import/rules.times'
import type { CalendarComponent, ContentLine } from '../../../lib/icalendar/icalendar'
import { splitValue, unescapeText } from '../../../lib/icalendar/text'
import { codePoints, cut } from '../../../lib/text'
import { dayIn, isInYears } from '../../../lib/time/time'
import { addDaysTo, DAY_MS, instantOf, midnightOf, type WallTime } from '../../../lib/time/wall-time'
import { cleanLine, tidyLine } from '../../../lib/wire/tidy'
import { numberAt, readNumber } from '../todo-order/rules'
import type { Recurrence } from '../todos/rules'
import { dueIn, instantIn, lineNamed, localOf, momentIn, wallBy } from './rules.moments'
import { anchorOf, isRepeated, occurrenceAfter, recurrenceOf } from './rules.repetition'

/** What a todo is, as far as a text can say it. */
export interface TodoContent {
  readonly title: string
  readonly description: string | null
  readonly priority: 'none' | 'low' | 'medium' | 'high'
  readonly category: string | null
  readonly dueDate: string | null
  /** `HH:MM:SS`. */
  readonly dueTime: string | null
  readonly completedAt: Date | null
  readonly recurrence: Recurrence | null
  readonly recurrenceUnsupported: boolean
  /** The number by which it is sorted; null where the text says none, not even when it was created. */
  readonly sortOrder: number | null
}

export interface TodoReading {
  readonly zones: Zones
  /** The user's zone, for floating times and for what JSON shows. */
  readonly home: string
  readonly now: Date
  /** When the todo was completed that the text replaces; undefined for a new one. */
  readonly completedBefore: Date | null | undefined
}

/** The components of an object: what repeats, or is single, and its differing occurrences. */
export interface TodoParts<Part> {
  /** The one that JSON shows and changes. */
  readonly subject: Part
  readonly isMaster: boolean
  readonly overrides: readonly Part[]
}

const isOverride = (component: CalendarComponent) => lineNamed(component, 'RECURRENCE-ID') !== undefined

/** Overrides may be alone: then it is the first of them that is open. */
export function partsOf<Part>(
  parts: readonly Part[],
  componentOf: (part: Part) => CalendarComponent,
): TodoParts<Part> | undefined {
  const overrides = parts.filter((part) => isOverride(componentOf(part)))
  const master = parts.find((part) => !isOverride(componentOf(part)))
  const subject = master ?? overrides.find((part) => !isClosed(componentOf(part))) ?? overrides.at(-1)
  return subject && { subject, isMaster: master !== undefined, overrides }
}

const statusOf = (component: CalendarComponent) => lineNamed(component, 'STATUS')?.value.trim().toUpperCase()

/** Whether nothing is left to do. A STATUS says more than what follows from it. */
function isClosed(component: CalendarComponent): boolean {
  const status = statusOf(component)
  if (status !== undefined) return status === 'COMPLETED' || status === 'CANCELLED'
  return (
    lineNamed(component, 'COMPLETED') !== undefined ||
    lineNamed(component, 'PERCENT-COMPLETE')?.value.trim() === '100'
  )
}

/** Reads the components of an object (contract: todos.text). Whatever they say, something is shown. */
export function readTodo(
  components: readonly CalendarComponent[],
  reading: TodoReading,
): TodoContent | undefined {
  const parts = partsOf(components, (one) => one)
  if (!parts) return undefined
  const { subject } = parts
  const { title, description } = textsOfKept(subject.lines.map(({ text }) => text))
  return {
    title,
    description,
    priority: priorityOf(lineNamed(subject, 'PRIORITY')?.value),
    category: categoryOf(lineNamed(subject, 'CATEGORIES')),
    ...timingOf(parts, reading),
    sortOrder: numberIn(subject) ?? createdIn(subject, reading.zones),
  }
}

/** The number that the text says. */
const numberIn = (subject: CalendarComponent): number | null =>
  readNumber(lineNamed(subject, 'X-APPLE-SORT-ORDER')?.value)

/** The number for which other programs take it where the text says none. */
function createdIn(subject: CalendarComponent, zones: Zones): number | null {
  const created = momentIn(subject, 'CREATED', zones)
  return created && isInYears(instantIn(created)) ? numberAt(instantIn(created)) : null
}

/** Whether the text itself says a number. */
export const isNumbered = (components: readonly CalendarComponent[]): boolean => {
  const parts = partsOf(components, (one) => one)
  return parts !== undefined && numberIn(parts.subject) !== null
}

type Timing = Pick<
  TodoContent,
  'dueDate' | 'dueTime' | 'completedAt' | 'recurrence' | 'recurrenceUnsupported'
>

/** How far the object of a todo or a reminder is done. */
export interface TodoState {
  readonly isSeries: boolean
  /** When the occurrence is due that is open, or was completed. */
  readonly due: FileMoment | undefined
  readonly completedAt: Date | null
  /** Whether it stays completed though it may recur. */
  readonly isOver: boolean
}

/**
 * A completed occurrence leaves the next one open. What comes completed, or is cancelled, is over, though it repeats; what was open
 * here and is completed by its text goes on as it does by JSON.
 */
export function stateOf(parts: TodoParts<CalendarComponent>, reading: TodoReading): TodoState {
  const { subject } = parts
  const isSeries = parts.isMaster && isRepeated(subject)
  const closed = isSeries ? parts.overrides.filter(isClosed) : []
  const start = nextStart(subject, closed, reading.zones)
  const completedAt = completionOf(start === null ? closed : [subject].filter(isClosed), reading)
  const isOver = completedAt !== null && (start === null || isFinal(subject, reading))
  return { isSeries, completedAt, isOver, due: dueFrom(subject, start ?? undefined, reading.zones) }
}

function timingOf(parts: TodoParts<CalendarComponent>, reading: TodoReading): Timing {
  const { isSeries, isOver, due, completedAt } = stateOf(parts, reading)
  const recurrence = isSeries && !isOver ? recurrenceOf(parts.subject, reading.zones) : null
  const local = due && localOf(due, reading.home)
  return {
    dueDate: local?.date ?? null,
    dueTime: local?.time ?? null,
    completedAt,
    recurrence,
    recurrenceUnsupported: isSeries && recurrence === null,
  }
}

/** Whether what is completed stays so: it came completed, or is cancelled. */
const isFinal = (subject: CalendarComponent, { completedBefore }: TodoReading): boolean =>
  completedBefore === undefined || statusOf(subject) === 'CANCELLED'

/** Where the series goes on; null for one that has ended, undefined for one in which nothing was completed. */
function nextStart(
  subject: CalendarComponent,
  closed: readonly CalendarComponent[],
  zones: Zones,
): WallTime | null | undefined {
  const moments = closed.flatMap((one) => momentIn(one, 'RECURRENCE-ID', zones) ?? [])
  return moments.length === 0 ? undefined : occurrenceAfter(subject, moments, zones)
}

/** When the occurrence is due that begins at `start`, by default the first one. */
function dueFrom(subject: CalendarComponent, start: WallTime | undefined, zones: Zones) {
  const [due, anchor] = [dueIn(subject, zones), anchorOf(subject, zones)]
  return due && anchor && { ...due, wall: due.wall + ((start ?? anchor.wall) - anchor.wall) }
}

/**
 * When the series is due that goes on after the occurrence that is open and after an instant. Null when it has ended, undefined when
 * nobody knows, or when it is then due at another time of day.
 */
export function nextDue(
  components: readonly CalendarComponent[],
  reading: TodoReading,
  after: Date,
): FileMoment | null | undefined {
  const parts = partsOf(components, (one) => one)
  const state = parts && stateOf(parts, reading)
  if (!parts || !state?.isSeries || state.isOver) return null
  return state.due && dueAfter(parts.subject, reading, { open: state.due, after })
}

function dueAfter(
  subject: CalendarComponent,
  { zones, home }: TodoReading,
  { open: due, after }: { readonly open: FileMoment; readonly after: Date },
): FileMoment | null | undefined {
  const [anchor, first] = [anchorOf(subject, zones), dueIn(subject, zones)]
  if (!anchor || !first) return undefined
  const open = { ...anchor, wall: due.wall - (first.wall - anchor.wall) }
  const last = { ...anchor, wall: anchor.isDay ? midnightOf(dayIn(home, after)) : wallBy(anchor, after) }
  const start = occurrenceAfter(subject, [open, last], zones)
  if (typeof start !== 'number') return start
  return (start - anchor.wall) % DAY_MS === 0
    ? { ...first, wall: first.wall + start - anchor.wall }
    : undefined
}

/** The day on which the series is due next after the day on which the todo is completed, as `nextDue` says. */
export function nextDay(
  components: readonly CalendarComponent[],
  reading: TodoReading,
  completedAt: Date,
): string | null | undefined {
  const { home } = reading
  const tomorrow = instantOf(home, midnightOf(addDaysTo(dayIn(home, completedAt), 1)))
  const next = nextDue(components, reading, new Date(+tomorrow - 1))
  return next && localOf(next, home).date
}

/** When the last of these was completed, as far as they say it; null where there are none. */
function completionOf(
  components: readonly CalendarComponent[],
  { zones, now, completedBefore }: TodoReading,
): Date | null {
  if (components.length === 0) return null
  const instants = components
    .flatMap((component) => momentIn(component, 'COMPLETED', zones) ?? [])
    .map(instantIn)
    .filter((at) => isInYears(at) && at <= now)
  const last = Math.max(...instants.map(Number))
  return Number.isFinite(last) ? new Date(last) : (completedBefore ?? now)
}

/** 1 is the highest, 0 none (RFC 5545, section 3.8.1.9). */
function priorityOf(value: string | undefined): TodoContent['priority'] {
  const level = Number(/^\s*(\d)\s*$/.exec(value ?? '')?.[1] ?? 0)
  if (level === 0) return 'none'
  if (level < 5) return 'high'
  return level === 5 ? 'medium' : 'low'
}

const MAX_CATEGORY = 50

/** The first category, cut to what JSON can show. */
function categoryOf(line: ContentLine | undefined): string | null {
  const [first = ''] = splitValue(line?.value.slice(0, 10_000) ?? '', ',')
  const text = cleanLine(
    unescapeText(first)
      .toWellFormed()
      .replace(/\s*[\r\n]+\s*/g, ' '),
  )
  return (codePoints(text) > MAX_CATEGORY ? tidyLine(`${cut(text, MAX_CATEGORY - 1).trim()}…`) : text) || null
}
