import { textsOfKept } from '../../calendars/export/rules.kept'
import type { FileMoment } from '../../calendars/import/rules.times'
import type { CalendarComponent } from '../../../lib/icalendar/icalendar'
import { densityProblem, parseRule } from '../../../lib/recurrence/grammar'
import { seriesProblem, timedSeries } from '../../../lib/recurrence/recurrence'
import { isInYears } from '../../../lib/time/time'
import { type Moment, wallIn } from '../../../lib/time/wall-time'
import { dueIn, instantIn, momentIn } from '../todo-files/rules.moments'
import { nextDue, partsOf, stateOf, type TodoParts, type TodoReading } from '../todo-files/rules.reading'
import { REPEATING } from '../todo-files/rules.repetition'

/** What a reminder is, as far as a text can say it. */
export interface ReminderContent {
  readonly title: string
  readonly description: string | null
  readonly remindAt: Date | null
  readonly seriesStart: Moment | null
  readonly recurrenceRule: string | null
  readonly recurrenceUnsupported: boolean
  readonly timeZone: string
  readonly completedAt: Date | null
  readonly snoozedUntil: Date | null
}

/** Reads the components of an object as a reminder (contract: reminders.text). */
export function readReminder(
  components: readonly CalendarComponent[],
  reading: TodoReading,
): ReminderContent | undefined {
  const parts = partsOf(components, (one) => one)
  if (!parts) return undefined
  const { title, description } = textsOfKept(parts.subject.lines.map(({ text }) => text))
  return { title, description, ...timingOf(parts, reading) }
}

/** When one is reminded next of a series after an instant, as `nextDue` says. */
export function nextReminder(
  components: readonly CalendarComponent[],
  reading: TodoReading,
  after: Date,
): Date | null | undefined {
  const next = nextDue(components, reading, after)
  return next && instantOf(next, reading)
}

/** Whether a text has an alarm. */
export const hasAlarm = (components: readonly CalendarComponent[]): boolean =>
  partsOf(components, (one) => one)?.subject.parts.some(({ name }) => name === 'VALARM') === true

function timingOf(
  parts: TodoParts<CalendarComponent>,
  reading: TodoReading,
): Omit<ReminderContent, 'title' | 'description'> {
  const { subject } = parts
  const { isSeries, isOver, due, completedAt } = stateOf(parts, reading)
  const remindAt = instantOf(due, reading)
  const timeZone = zoneOf(due, reading)
  const start = startOf(instantOf(dueIn(subject, reading.zones), reading), timeZone)
  const rule = isSeries && !isOver ? ruleOf(subject, start, timeZone) : null
  return {
    remindAt,
    seriesStart: rule === null ? startOf(remindAt, timeZone) : start,
    recurrenceRule: rule,
    recurrenceUnsupported: isSeries && rule === null,
    timeZone,
    completedAt,
    snoozedUntil: completedAt === null ? snoozeIn(subject, remindAt, reading) : null,
  }
}

/** The zone whose clocks a series follows. */
const zoneOf = (due: FileMoment | undefined, { home }: TodoReading): string =>
  due && !due.isDay && due.clocks.zone !== 'UTC' ? due.clocks.zone : home

/** On a day without a time one is reminded at nine, as phones do. */
const HOUR = 9
const HOUR_MS = 3_600_000

function instantOf(moment: FileMoment | undefined, { zones }: TodoReading): Date | null {
  if (!moment) return null
  const at = moment.isDay
    ? zones.home.toInstant(moment.wall + HOUR * HOUR_MS)
    : new Date(Math.floor(+instantIn(moment) / 1000) * 1000)
  return isInYears(at) ? at : null
}

const startOf = (at: Date | null, zone: string): Moment | null => at && { at, wall: wallIn(zone, at) }

const MAX_RULE = 1000

/** The value of RRULE, where a reminder can have it. */
function ruleOf({ lines }: CalendarComponent, start: Moment | null, zone: string): string | null {
  const [line, ...others] = lines.filter(({ name }) => REPEATING.some((one) => one === name))
  const value = line?.name === 'RRULE' && others.length === 0 ? line.value.trim() : ''
  const read = value.length <= MAX_RULE ? parseRule(value) : { problem: 'is too long' }
  if (!start || 'problem' in read || densityProblem(read.rule)) return null
  return seriesProblem(timedSeries(start.at, zone, read.rule, start.wall)) === undefined ? value : null
}

/** Until when the alarm was put off: the latest time that the text gives it after the one at which it is due. */
function snoozeIn(subject: CalendarComponent, remindAt: Date | null, { zones }: TodoReading): Date | null {
  const triggers = subject.parts
    .filter(({ name }) => name === 'VALARM')
    .flatMap((part) => momentIn(part, 'TRIGGER', zones) ?? [])
  const moments = [...triggers, momentIn(subject, 'X-MOZ-SNOOZE-TIME', zones)]
  const later = moments
    .flatMap((moment) => (moment && !moment.isDay ? instantIn(moment) : []))
    .filter((at) => remindAt !== null && at > remindAt && isInYears(at))
  return later.toSorted((one, other) => +one - +other).at(-1) ?? null
}
