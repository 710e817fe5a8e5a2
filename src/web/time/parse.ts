import { readDate } from './days'

/**
 * Reads what people type into fields of dates and times. ISO dates and `hh:mm` are always understood, the forms of English
 * and German besides; nothing is guessed: what is not a date or a time is undefined.
 */
const WORDS: Readonly<Record<string, number>> = {
  today: 0, tomorrow: 1, yesterday: -1, heute: 0, morgen: 1, übermorgen: 2, gestern: -1,
} // prettier-ignore

const MONTHS = [
  ['jan', 'januar'], ['feb', 'februar'], ['mar', 'mär', 'mrz', 'märz'], ['apr', 'april'], ['may', 'mai'],
  ['jun', 'juni'], ['jul', 'juli'], ['aug', 'august'], ['sep', 'sept'], ['oct', 'okt', 'oktober'],
  ['nov', 'november'], ['dec', 'dez', 'dezember'],
] as const // prettier-ignore
const ENGLISH = [
  'january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november',
  'december',
] // prettier-ignore

const DAYS = [
  ['mon', 'monday', 'mo', 'montag'], ['tue', 'tues', 'tuesday', 'di', 'dienstag'], ['wed', 'wednesday', 'mi', 'mittwoch'],
  ['thu', 'thur', 'thurs', 'thursday', 'do', 'donnerstag'], ['fri', 'friday', 'fr', 'freitag'],
  ['sat', 'saturday', 'sa', 'samstag', 'sonnabend'], ['sun', 'sunday', 'so', 'sonntag'],
] as const // prettier-ignore

interface DateReading {
  readonly today: Temporal.PlainDate
  /** Where digits alone could be either, months come first only in American English. */
  readonly monthFirst?: boolean
}

/** A typed date. One without a year is the next one from today on. */
export function parseDate(text: string, reading: DateReading): Temporal.PlainDate | undefined {
  const typed = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const word = WORDS[typed]
  if (word !== undefined) return reading.today.add({ days: word })
  return readDate(typed) ?? weekday(typed, reading.today) ?? numeric(typed, reading) ?? named(typed, reading)
}

/** The next such day after today; "next monday" means the same. */
function weekday(typed: string, today: Temporal.PlainDate): Temporal.PlainDate | undefined {
  const name = typed.replace(/^(next|this|on|nächste[rn]?|kommende[rn]?|am) /, '')
  const index = DAYS.findIndex((names) => names.some((known) => known === name))
  if (index < 0) return undefined
  return today.add({ days: ((index + 1 - today.dayOfWeek + 6) % 7) + 1 })
}

function numeric(typed: string, reading: DateReading): Temporal.PlainDate | undefined {
  const [, first, mark, second, year] = /^(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4}|\d\d)?)?$/.exec(typed) ?? []
  if (first === undefined || second === undefined) return undefined
  const monthFirst = reading.monthFirst === true && mark !== '.'
  const [day, month] = monthFirst ? [second, first] : [first, second]
  return dateOf(Number(day), Number(month), year, reading.today)
}

/** "23 nov", "23. November 2026", "November 23, 2026", "23rd of November". */
function named(typed: string, { today }: DateReading): Temporal.PlainDate | undefined {
  const [, day, name, year] =
    /^(\d{1,2})(?:st|nd|rd|th|\.)? ?(?:of )?(\p{L}+)\.?,?(?: (\d{4}))?$/u.exec(typed) ?? []
  if (day !== undefined && name !== undefined) return dateOf(Number(day), monthOf(name), year, today)
  const [, before, after, its] = /^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?,?(?: (\d{4}))?$/u.exec(typed) ?? []
  return before === undefined ? undefined : dateOf(Number(after), monthOf(before), its, today)
}

/** From 1; 0 for a word that is no month. */
const monthOf = (name: string): number =>
  MONTHS.findIndex((names, index) => ENGLISH[index] === name || names.some((known) => known === name)) + 1

function dateOf(day: number, month: number, year: string | undefined, today: Temporal.PlainDate) {
  if (year !== undefined) return exact(year.length === 2 ? 2000 + Number(year) : Number(year), month, day)
  // 29 February may be eight years away.
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const date = exact(today.year + ahead, month, day)
    if (date && Temporal.PlainDate.compare(date, today) >= 0) return date
  }
  return undefined
}

function exact(year: number, month: number, day: number): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

const NOON: Readonly<Record<string, number>> = {
  noon: 12,
  midday: 12,
  mittag: 12,
  midnight: 0,
  mitternacht: 0,
}

/** A typed time of day: "09:30", "9.30", "9h30", "930", "9", "9:30 pm", "9pm", "9 Uhr 30", "noon". */
export function parseTime(text: string): Temporal.PlainTime | undefined {
  const typed = text.trim().toLowerCase()
  const word = NOON[typed]
  if (word !== undefined) return new Temporal.PlainTime(word)
  const found =
    /^(\d{1,2})(?:[:.h](\d\d))?(?::\d\d)? ?(am|pm|a\.m\.|p\.m\.|a|p|uhr|h)?$/.exec(typed) ??
    /^(\d{1,2})(\d\d) ?(am|pm|a|p|uhr|h)?$/.exec(typed) ??
    /^(\d{1,2}) ?uhr ?(\d\d)$/.exec(typed)
  if (!found) return undefined
  const [, hour, minute = '0', half = ''] = found
  return timeOf(Number(hour), Number(minute), half[0] ?? '')
}

function timeOf(hour: number, minute: number, half: string): Temporal.PlainTime | undefined {
  const isHalf = half === 'a' || half === 'p'
  if (minute > 59 || hour > 23 || (isHalf && (hour < 1 || hour > 12))) return undefined
  if (!isHalf) return new Temporal.PlainTime(hour, minute)
  return new Temporal.PlainTime((hour % 12) + (half === 'p' ? 12 : 0), minute)
}
