import { CALENDAR_END, OBJECT_HEAD } from '../../calendars/export/rules'
import { zoneLines } from '../../calendars/export/rules.zones'
import type { CalendarComponent } from '../../../lib/icalendar/icalendar'
import { escapeComponent } from '../../../lib/icalendar/text'
import {
  isComponent,
  splitText,
  type TextComponent,
  type TextPart,
  withProperties,
} from '../../../lib/icalendar/tree'
import { formatRule, parseRule } from '../../../lib/recurrence/grammar'
import { countBefore, timedSeries } from '../../../lib/recurrence/recurrence'
import { DAY_MS, dayOf, type Moment, wallIn } from '../../../lib/time/wall-time'
import { inUtc, localLine } from '../todo-files/rules.moments'
import { LINES, type TodoNow } from '../todo-files/rules.printing'
import { REPEATING } from '../todo-files/rules.repetition'
import type { SaidTodo, TodoWriting } from '../todo-files/rules.rewriting'

/** A reminder as it is now. */
export interface ReminderNow {
  readonly uid: string
  readonly version: number
  readonly title: string
  readonly description: string | null
  readonly remindAt: Date | null
  readonly seriesStart: Moment | null
  readonly recurrenceRule: string | null
  readonly recurrenceUnsupported: boolean
  readonly timeZone: string
  readonly isActive: boolean
  readonly isDismissed: boolean
  readonly snoozedUntil: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What a text said of a reminder when it came; instants in ISO 8601. */
export interface SaidReminder {
  readonly uid: string
  readonly version: number
  readonly zone: string
  readonly title: string
  readonly description: string | null
  readonly remindAt: string | null
  readonly recurrenceRule: string | null
  readonly completedAt: string | null
  readonly snoozedUntil: string | null
  /** Whether the reminder was active, so that one that is not now has no alarm. */
  readonly isActive: boolean
}

/** The rule of what is left of the series: COUNT without the occurrences that are over. */
function ruleNow({ recurrenceRule, remindAt, seriesStart, timeZone }: ReminderNow): string | null {
  const read = recurrenceRule === null ? undefined : parseRule(recurrenceRule)
  if (!read || 'problem' in read || !remindAt || !seriesStart || read.rule.count === undefined)
    return recurrenceRule
  const series = timedSeries(seriesStart.at, timeZone, read.rule, seriesStart.wall)
  return formatRule({ ...read.rule, count: Math.max(1, read.rule.count - countBefore(series, remindAt)) })
}

/** A reminder that no other program wrote, as an object. */
export function reminderLines(reminder: ReminderNow): string[] {
  const { remindAt, timeZone: zone } = reminder
  const rule = ruleNow(reminder)
  const isZoned = rule !== null && zone !== 'UTC'
  const at = (name: string, instant: Date) =>
    isZoned ? localLine(name, zone, wallIn(zone, instant)) : `${name}:${inUtc(instant)}`
  return [
    ...OBJECT_HEAD,
    ...(isZoned && remindAt ? zoneLines(zone, +remindAt - 2 * DAY_MS) : []),
    'BEGIN:VTODO',
    `UID:${escapeComponent(reminder.uid)}`,
    `DTSTAMP:${inUtc(reminder.updatedAt)}`,
    `CREATED:${inUtc(reminder.createdAt)}`,
    `LAST-MODIFIED:${inUtc(reminder.updatedAt)}`,
    `SEQUENCE:${reminder.version - 1}`,
    ...LINES.title(reminder.title),
    ...LINES.description(reminder.description),
    ...(remindAt && rule !== null ? [at('DTSTART', remindAt)] : []),
    ...(remindAt ? [at('DUE', remindAt)] : []),
    ...(rule === null ? [] : [`RRULE:${rule}`]),
    ...LINES.completion(reminder.isDismissed ? reminder.updatedAt : null),
    ...alarmOf(reminder),
    'END:VTODO',
    ...CALENDAR_END,
  ]
}

const trigger = (at: Date) => `TRIGGER;VALUE=DATE-TIME:${inUtc(at)}`

function alarmOf({
  isActive,
  isDismissed,
  snoozedUntil,
  remindAt,
  recurrenceRule,
  title,
}: ReminderNow): string[] {
  if (!isActive || isDismissed || !remindAt) return []
  const isEach = recurrenceRule !== null && snoozedUntil === null
  return [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeComponent(title)}`,
    isEach ? 'TRIGGER;RELATED=END:PT0S' : trigger(snoozedUntil ?? remindAt),
    'END:VALARM',
  ]
}

/** A reminder in the form of a todo, as far as the two are the same. */
export function asTodo(said: SaidReminder, now: ReminderNow): { said: SaidTodo; now: TodoNow } {
  const bare = { priority: 'none', category: null, recurrence: null, sortOrder: null } as const
  const isAsSaid = now.isDismissed === (said.completedAt !== null)
  const formerly = said.completedAt === null ? null : new Date(said.completedAt)
  const doneNow = now.isDismissed ? now.updatedAt : null
  return {
    said: { ...said, ...bare, ...dueBy(said.zone, said.remindAt === null ? null : new Date(said.remindAt)) },
    now: { ...now, ...bare, ...dueBy(said.zone, now.remindAt), completedAt: isAsSaid ? formerly : doneNow },
  }
}

function dueBy(zone: string, at: Date | null) {
  if (at === null) return { dueDate: null, dueTime: null }
  const wall = wallIn(zone, at)
  return { dueDate: dayOf(wall), dueTime: new Date(wall).toISOString().slice(11, 19) }
}

const isoOf = (at: Date | null) => at && at.toISOString()

/** Whether rule and alarm are still what the text said. */
export const isTimedAsSaid = (said: SaidReminder, now: ReminderNow): boolean =>
  said.recurrenceRule === now.recurrenceRule &&
  said.snoozedUntil === isoOf(now.snoozedUntil) &&
  said.isActive === now.isActive

/** Rewrites rule and alarm in which a reminder differs from its text. */
export const withRuleAndAlarm =
  (said: SaidReminder, now: ReminderNow) =>
  (component: TextComponent, writing: TodoWriting): TextComponent => {
    const isMoved = said.remindAt !== isoOf(now.remindAt)
    const rule = ruleNow(now)
    const isOtherRule = said.recurrenceRule !== now.recurrenceRule || (isMoved && rule !== now.recurrenceRule)
    const lines = rule === null ? [] : [`RRULE:${rule}`]
    const repeated = isOtherRule ? withProperties(component, REPEATING, writing.write(lines)) : component
    if (said.isActive !== now.isActive) return withActivity(repeated, now, writing)
    const isPutOff = said.snoozedUntil !== isoOf(now.snoozedUntil)
    return isPutOff || isMoved ? withAlarm(repeated, now, isPutOff, writing) : repeated
  }

/** The component with an alarm if the reminder is active, and without any if not. */
function withActivity(component: TextComponent, now: ReminderNow, { write }: TodoWriting): TextComponent {
  const plain = withProperties(component, ['X-MOZ-SNOOZE-TIME'], [])
  const silent = plain.parts.filter((part) => !isComponent(part) || part.name !== 'VALARM')
  return { ...plain, parts: [...silent, ...alarmParts(now, write)] }
}

/** The first alarm at the time at which one is reminded; one that is relative to the due time moves with that. */
function withAlarm(
  component: TextComponent,
  now: ReminderNow,
  isPutOff: boolean,
  { component: { parts: read }, write }: TodoWriting,
): TextComponent {
  const at = now.snoozedUntil ?? now.remindAt
  const plain = withProperties(component, ['X-MOZ-SNOOZE-TIME'], [])
  const { parts } = plain
  const own = parts.find((part): part is TextComponent => isComponent(part) && part.name === 'VALARM')
  if (!own) return isPutOff && at ? { ...plain, parts: [...parts, ...alarmParts(now, write)] } : plain
  if (at === null || (!isPutOff && !isAbsolute(read))) return plain
  const moved = withProperties(own, ['TRIGGER'], write([trigger(at)]))
  return { ...plain, parts: parts.map((part) => (part === own ? moved : part)) }
}

const isAbsolute = (parts: readonly CalendarComponent[]): boolean =>
  parts
    .find(({ name }) => name === 'VALARM')
    ?.lines.some(({ name, value }) => name === 'TRIGGER' && /^\s*\d{8}T/.test(value)) === true

const alarmParts = (now: ReminderNow, write: TodoWriting['write']): readonly TextPart[] =>
  splitText(write(alarmOf(now)).join(''))
