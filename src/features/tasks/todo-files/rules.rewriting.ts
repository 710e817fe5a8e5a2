import type { CalendarObject, ReadComponents } from '../../calendars/event-files/rules.object'
import type { FileMoment, Zones } from '../../calendars/import/rules.times'
import type { CalendarComponent, CalendarFiles } from '../../../lib/icalendar/icalendar'
import { escapeComponent, splitValue } from '../../../lib/icalendar/text'
import {
  isComponent,
  lineEndOf,
  printText,
  type TextComponent,
  type TextPart,
  withProperties,
} from '../../../lib/icalendar/tree'
import {
  dueIn,
  floatingLine,
  instantIn,
  inUtc,
  lineAt,
  lineNamed,
  type LocalTime,
  momentIn,
  type Notation,
  wallBy,
  wallFor,
} from './rules.moments'
import { withMovedAlarms } from './rules.alarms'
import { LINES, localDue, type TodoNow } from './rules.printing'
import { partsOf, type TodoContent } from './rules.reading'
import { anchorOf, REPEATING, ruleFrom } from './rules.repetition'

/** What a text said of a todo when it came, and the version of the todo that is this text. */
export interface SaidTodo extends Omit<TodoContent, 'completedAt' | 'recurrenceUnsupported' | 'sortOrder'> {
  readonly uid: string
  readonly version: number
  /** The IANA zone of the due time. */
  readonly zone: string
  /** ISO 8601. */
  readonly completedAt: string | null
  /** The number of the todo then; undefined in texts from before it had one. */
  readonly sortOrder?: number | null
}

/** A text, what it said, and the todo as it is now. */
export interface TodoRewriting {
  readonly object: CalendarObject
  readonly text: string
  readonly read: ReadComponents
  readonly zones: Zones
  readonly said: SaidTodo
  readonly now: TodoNow
  /** What else is rewritten in the component that JSON shows. */
  readonly more?: (component: TextComponent, writing: TodoWriting) => TextComponent
}

type Write = (lines: readonly string[]) => readonly string[]

export interface TodoWriting extends Pick<TodoRewriting, 'zones' | 'said' | 'now'> {
  readonly component: CalendarComponent
  readonly write: Write
}

const FIELDS = [
  'title',
  'description',
  'priority',
  'category',
  'dueDate',
  'dueTime',
  'recurrence',
  'uid',
] as const

const isTimed = ({ said, now }: Pick<TodoRewriting, 'said' | 'now'>): boolean =>
  said.dueDate !== now.dueDate || said.dueTime !== now.dueTime

const isCompletedElse = ({ said, now }: Pick<TodoRewriting, 'said' | 'now'>): boolean =>
  said.completedAt !== (now.completedAt?.toISOString() ?? null)

const isSortedElse = ({ said, now }: Pick<TodoRewriting, 'said' | 'now'>): boolean =>
  (said.sortOrder ?? null) !== now.sortOrder

/** Whether the todo is still what its text said. */
export const isAsSaid = (said: SaidTodo, now: TodoNow): boolean =>
  FIELDS.every((field) => said[field] === now[field]) &&
  !isCompletedElse({ said, now }) &&
  !isSortedElse({ said, now })

/**
 * The text with the lines replaced in which the todo differs from what it said (contract: todos.text), and DTSTAMP, LAST-MODIFIED
 * and SEQUENCE; everything else stays as it is.
 */
export function rewriteTodo(
  files: Pick<CalendarFiles, 'print'>,
  { object, text, read, zones, said, now, more = (component) => component }: TodoRewriting,
): string {
  const parts = partsOf(read, ([, component]) => component)
  if (!parts) return text
  const end = lineEndOf(text)
  const write: Write = (lines) => lines.map((line) => files.print([line]).replaceAll('\r\n', end))
  const [subject, component] = parts.subject
  const writing = { zones, said, now, component, write }
  const changed = stamped(more(subjectAfter(subject, writing), writing), writing)
  const isGone = (part: TextComponent) =>
    parts.isMaster && parts.overrides.some(([one, override]) => one === part && isDangling(override, writing))
  const after = (part: TextPart): readonly TextPart[] => {
    if (!isComponent(part) || !object.components.includes(part)) return [part]
    if (isGone(part)) return []
    return [withUid(part === subject ? changed : part, writing)]
  }
  const calendar = { ...object.calendar, parts: object.calendar.parts.flatMap(after) }
  return printText(object.parts.map((part) => (part === object.calendar ? calendar : part)))
}

const withUid = (component: TextComponent, { said, now, write }: TodoWriting): TextComponent =>
  said.uid === now.uid
    ? component
    : withProperties(component, ['UID'], write([`UID:${escapeComponent(now.uid)}`]))

function subjectAfter(subject: TextComponent, writing: TodoWriting): TextComponent {
  const { said, now, write } = writing
  const replaced = (
    component: TextComponent,
    isChanged: boolean,
    names: readonly string[],
    lines: readonly string[],
  ) => (isChanged ? withProperties(component, names, write(lines)) : component)
  const titled = replaced(subject, said.title !== now.title, ['SUMMARY'], LINES.title(now.title))
  const described = replaced(
    titled,
    said.description !== now.description,
    ['DESCRIPTION'],
    LINES.description(now.description),
  )
  const ranked = replaced(
    described,
    said.priority !== now.priority,
    ['PRIORITY'],
    LINES.priority(now.priority),
  )
  const sorted = said.category === now.category ? ranked : withCategory(ranked, writing)
  const repeated = withRecurrence(isTimed(writing) ? moved(sorted, writing) : sorted, writing)
  const done = replaced(
    repeated,
    isCompletedElse(writing),
    ['STATUS', 'COMPLETED', 'PERCENT-COMPLETE'],
    LINES.completion(now.completedAt),
  )
  return replaced(done, isSortedElse(writing), ['X-APPLE-SORT-ORDER'], LINES.sortOrder(now.sortOrder))
}

/** Due at another time: alarms of what recurs go on with it. */
function moved(component: TextComponent, writing: TodoWriting): TextComponent {
  const { said, now } = writing
  const [from, to] = [localDue(said), localDue(now)]
  const isSeries = said.recurrence !== null || now.recurrenceUnsupported
  const due = withDue(component, writing)
  return isSeries && from && to ? withMovedAlarms(due, { zone: said.zone, from, to }) : due
}

/** The first category; the others stay. */
function withCategory(
  component: TextComponent,
  { component: { lines }, now, write }: TodoWriting,
): TextComponent {
  const values = lines.filter(({ name }) => name === 'CATEGORIES').map(({ value }) => value)
  const [, ...others] = splitValue(values.join(','), ',')
  const categories = [...(now.category === null ? [] : [escapeComponent(now.category)]), ...others]
  return withProperties(
    component,
    ['CATEGORIES'],
    write(categories.length === 0 ? [] : [`CATEGORIES:${categories.join(',')}`]),
  )
}

/** RRULE, and the start that it needs. A rule that names the day of a former due date becomes a plain one. */
function withRecurrence(component: TextComponent, writing: TodoWriting): TextComponent {
  const { said, now, component: read, write } = writing
  const isOfDay = isTimed(writing) && /BY/i.test(lineNamed(read, 'RRULE')?.value ?? '')
  if (now.recurrenceUnsupported && isTimed(writing)) return withRest(component, writing)
  if (said.recurrence === now.recurrence && !(isOfDay && now.recurrence !== null)) return component
  const repeated = withProperties(component, REPEATING, write(LINES.recurrence(now.recurrence)))
  return now.recurrence === null ? repeated : withStart(repeated, writing)
}

/** RRULE for what is left of a series that has gone on. */
function withRest(component: TextComponent, { component: read, zones, said, now, write }: TodoWriting) {
  const due = localDue(now)
  const start = due && startAfter(read, { due, zones, home: said.zone })
  const rule = start ? ruleFrom(read, start.wall, zones) : undefined
  return rule === undefined ? component : withProperties(component, ['RRULE'], write([`RRULE:${rule}`]))
}

function withStart(component: TextComponent, { now, write }: TodoWriting): TextComponent {
  if (component.parts.some(({ name }) => name === 'DTSTART')) return component
  const due = component.parts.find(({ name }) => name === 'DUE')
  const start =
    due && !isComponent(due)
      ? [due.raw.replace(/^DUE/i, 'DTSTART')]
      : write([floatingLine('DTSTART', { date: now.createdAt.toISOString().slice(0, 10), time: null })])
  return withProperties(component, ['DTSTART'], start)
}

/** DUE in the notation that the text has, and DTSTART as long before it as it was. */
function withDue(component: TextComponent, writing: TodoWriting): TextComponent {
  const { component: read, zones, said, now, write } = writing
  const due = localDue(now)
  if (due === null) return withProperties(component, ['DUE', 'DURATION'], [])
  const line = dueLine(read, { due, zones, home: said.zone })
  const start = startAfter(read, { due, zones, home: said.zone })
  if (start?.notation.line.name !== 'DTSTART') {
    const isBegun = !lineNamed(read, 'DTSTART') || isBefore(read, { due, zones, home: said.zone })
    const begun = isBegun
      ? component
      : withProperties(component, ['DTSTART'], write([line.replace(/^DUE/, 'DTSTART')]))
    return withProperties(begun, ['DUE', 'DURATION'], write([line]))
  }
  const begun = withProperties(component, ['DTSTART'], write([lineAt('DTSTART', start.wall, start.notation)]))
  return lineNamed(read, 'DUE') ? withProperties(begun, ['DUE'], write([line])) : begun
}

function dueLine(read: CalendarComponent, { due, zones, home }: DueMove): string {
  const notation = notationOf(read, zones, due)
  return notation ? lineAt('DUE', wallFor(due, home, notation), notation) : floatingLine('DUE', due)
}

/** Whether DTSTART of a text that said nothing of when it is due may stay as it is. */
function isBefore(read: CalendarComponent, { due, zones, home }: DueMove): boolean {
  const notation = dueIn(read, zones) ? undefined : notationOf(read, zones, due)
  return notation !== undefined && notation.moment.wall <= wallFor(due, home, notation)
}

/** How the text writes when it is due, unless that is a day and this a time, or the other way round. */
function notationOf(read: CalendarComponent, zones: Zones, due: LocalTime): Notation | undefined {
  for (const name of ['DUE', 'DTSTART']) {
    const [line, moment] = [lineNamed(read, name), momentIn(read, name, zones)]
    if (line && moment && moment.isDay === (due.time === null)) return { line, moment }
  }
  return undefined
}

interface DueMove {
  readonly due: LocalTime
  readonly zones: Zones
  readonly home: string
}

/** Where the text begins, DTSTART or else DUE, moved as far as the due time; undefined where it cannot follow. */
function startAfter(read: CalendarComponent, { due, zones, home }: DueMove) {
  const line = lineNamed(read, 'DTSTART') ?? lineNamed(read, 'DUE')
  const [start, former] = [anchorOf(read, zones), dueIn(read, zones)]
  const isDay = due.time === null
  if (!line || start?.isDay !== isDay || former?.isDay !== isDay) return undefined
  const notation: Notation = { line, moment: start }
  return { notation, wall: start.wall + wallFor(due, home, notation) - wallIn(former, start) }
}

/** The wall time of a moment by the clocks of another one. */
const wallIn = (moment: FileMoment, by: FileMoment): number =>
  moment.isDay ? moment.wall : wallBy(by, instantIn(moment))

/** Whether an override differs from an occurrence that is no more, as the series is over or begins later. */
function isDangling(override: CalendarComponent, writing: TodoWriting): boolean {
  const { now, said, zones, component } = writing
  if (said.recurrence !== null && now.recurrence === null) return true
  const due = isTimed(writing) ? localDue(now) : null
  const id = momentIn(override, 'RECURRENCE-ID', zones)
  const start = due && startAfter(component, { due, zones, home: said.zone })
  if (!start || !id) return false
  const { moment } = start.notation
  return (id.isDay || moment.isDay ? id.wall : wallIn(id, moment)) < start.wall
}

function stamped(
  component: TextComponent,
  { component: read, said, now, write }: TodoWriting,
): TextComponent {
  const at = inUtc(now.updatedAt)
  const former = Number(/^\s*\d{1,8}\s*$/.exec(lineNamed(read, 'SEQUENCE')?.value ?? '')?.[0] ?? 0)
  return [`DTSTAMP:${at}`, `LAST-MODIFIED:${at}`, `SEQUENCE:${former + now.version - said.version}`].reduce(
    (made, line) => withProperties(made, [line.slice(0, line.indexOf(':'))], write([line])),
    component,
  )
}
