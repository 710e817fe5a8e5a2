import type { ReminderChanges, ReminderView } from '../../features/tasks/reminders/model'
import { type DateForms, isZone, readDay, shownDate, shownTime } from '../events/draft'
import { parseTime } from '../time/parse'

/** What the fields of a reminder say; the day and the time as they were typed. */
export interface ReminderDraft {
  readonly title: string
  readonly description: string
  /** Empty, as is the time, where it has no moment. */
  readonly date: string
  readonly time: string
  readonly timeZone: string
  /** The value of an RRULE; empty when it does not repeat. */
  readonly rule: string
}

export function draftOf(reminder: ReminderView, { locale }: DateForms): ReminderDraft {
  const { title, description, remind_at: at, time_zone: timeZone, recurrence_rule: rule } = reminder
  const wall = at === null ? undefined : Temporal.Instant.from(at).toZonedDateTimeISO(timeZone)
  return {
    title,
    description: description ?? '',
    date: wall ? shownDate(wall.toPlainDate(), locale) : '',
    time: wall ? shownTime(wall.toPlainTime()) : '',
    timeZone,
    rule: rule ?? '',
  }
}

export type ReminderProblem = 'missing' | 'unread' | 'together' | 'timeless'
export type ReminderProblems = Readonly<Partial<Record<keyof ReminderDraft, ReminderProblem>>>

/** When a draft speaks up, on the clocks of its zone; undefined as far as that cannot be read. */
export function wallOf({ date, time }: ReminderDraft, forms: DateForms): Temporal.PlainDateTime | undefined {
  const [day, clock] = [readDay(date, forms), parseTime(time)]
  return day && clock && day.toPlainDateTime(clock)
}

type ReadReminder = { readonly problems: ReminderProblems } | { readonly changes: ReminderChanges }

/** What a draft changes of the reminder that was opened, or what is wrong with it. */
export function readReminderDraft(
  draft: ReminderDraft,
  opened: ReminderView,
  forms: DateForms,
): ReadReminder {
  const problems = problemsOf(draft, forms)
  if (Object.keys(problems).length > 0) return { problems }
  const wall = wallOf(draft, forms)
  const moment = wall ? instantText(wall, draft.timeZone) : null
  const wanted: ReminderChanges = {
    title: draft.title.trim(),
    description: draft.description.trim() === '' ? null : draft.description,
    recurrence_rule: draft.rule === '' ? null : draft.rule,
    time_zone: draft.timeZone,
    remind_at: isSameInstant(moment, opened.remind_at) ? opened.remind_at : moment,
  }
  const differs = ([name, value]: readonly [string, unknown]) => value !== opened[name as keyof ReminderView]
  return { changes: Object.fromEntries(Object.entries(wanted).filter(differs)) }
}

const instantText = (wall: Temporal.PlainDateTime, zone: string) =>
  wall.toZonedDateTime(zone).toString({ timeZoneName: 'never', smallestUnit: 'second' })

/** A field shows no seconds: whoever leaves it alone changes none. */
const isSameInstant = (one: string | null, other: string | null): boolean =>
  one !== null &&
  other !== null &&
  Temporal.Instant.from(one).equals(
    Temporal.Instant.from(other).round({ smallestUnit: 'minute', roundingMode: 'floor' }),
  )

function problemsOf(draft: ReminderDraft, forms: DateForms): ReminderProblems {
  return {
    ...(draft.title.trim() === '' && { title: 'missing' as const }),
    ...timeProblems(draft),
    ...(draft.date.trim() !== '' && !readDay(draft.date, forms) && { date: 'unread' as const }),
    ...(draft.time.trim() !== '' && !parseTime(draft.time) && { time: 'unread' as const }),
    ...(!isZone(draft.timeZone) && { timeZone: 'unread' as const }),
  }
}

/** A day and a time come together, and what repeats has both. */
function timeProblems({ date, time, rule }: ReminderDraft): ReminderProblems {
  const [hasDate, hasTime] = [date.trim() !== '', time.trim() !== '']
  if (hasDate && hasTime) return {}
  if (hasDate) return { time: 'together' }
  if (hasTime) return { date: 'together' }
  return rule === '' ? {} : { date: 'timeless' }
}
