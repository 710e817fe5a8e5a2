/**
 * How dates and times are written. Formatters are kept, because making one costs a hundred times more than using it.
 * English is British, without a comma after the weekday and without spaces in a range of days of one month.
 */
const kept = new Map<string, Intl.DateTimeFormat>()

function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  let known = kept.get(key)
  if (!known) kept.set(key, (known = new Intl.DateTimeFormat(locale, options)))
  return known
}

const STYLES = {
  full: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  shortDay: { weekday: 'short', day: 'numeric', month: 'short' },
  month: { month: 'long', year: 'numeric' },
  numeric: { day: '2-digit', month: '2-digit', year: 'numeric' },
  weekday: { weekday: 'short' },
  weekdayLetter: { weekday: 'narrow' },
  monthName: { month: 'short' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>
const DATE = { day: 'numeric', month: 'long', year: 'numeric' } as const

/** Texts of dates and times of day, as those of one week stand in hundreds of events. */
const written = new Map<string, string>()
const MOST_WRITTEN = 5000

function write(
  at: Temporal.PlainDate | Temporal.PlainTime,
  style: keyof typeof STYLES,
  locale: string,
): string {
  const key = `${locale} ${style} ${at.toString()}`
  const known = written.get(key)
  if (known !== undefined) return known
  if (written.size >= MOST_WRITTEN) written.clear()
  const text = formatter(locale, STYLES[style]).format(at)
  written.set(key, text)
  return text
}

/** "Monday 23 November 2026", "Montag, 23. November 2026". */
export const fullDate = (date: Temporal.PlainDate, locale: string): string =>
  withoutComma(write(date, 'full', locale), locale)

/** "Monday 23 November", for lists in which the year is plain. */
export const dayTitle = (date: Temporal.PlainDate, locale: string): string =>
  withoutComma(write(date, 'day', locale), locale)

/** "Mon, 23 Nov", "Mo, 23. Nov.", beside a title. */
export const shortDay = (date: Temporal.PlainDate, locale: string): string => write(date, 'shortDay', locale)

const withoutComma = (text: string, locale: string) =>
  locale.startsWith('en') ? text.replace(/^(\p{L}+),/u, '$1') : text

/** "November 2026". */
export const monthTitle = (date: Temporal.PlainDate, locale: string): string => write(date, 'month', locale)

/** "23/11/2026", "23.11.2026": what a field of a typed date shows. */
export const shortDate = (date: Temporal.PlainDate, locale: string): string => write(date, 'numeric', locale)

/** "Mon", "Mo". */
export const weekdayName = (date: Temporal.PlainDate, locale: string): string =>
  write(date, 'weekday', locale)

/** “M”. */
export const weekdayLetter = (date: Temporal.PlainDate, locale: string): string =>
  write(date, 'weekdayLetter', locale)

/** "Dec", for the first day of a month in a row of days. */
export const monthName = (date: Temporal.PlainDate, locale: string): string =>
  write(date, 'monthName', locale)

/** "4 March 2026", "4. März 2026". */
export const longDate = (date: Temporal.PlainDate, locale: string): string =>
  formatter(locale, DATE).format(date)

/** "23–29 November 2026", "30 November – 6 December 2026"; both days are included. */
export function periodTitle(first: Temporal.PlainDate, last: Temporal.PlainDate, locale: string): string {
  const text = formatter(locale, DATE).formatRange(first, last)
  const isOneMonth = first.toPlainYearMonth().equals(last.toPlainYearMonth())
  return text.replace(/\s*–\s*/u, isOneMonth ? '–' : ' – ')
}

/** "09:30" in a zone. */
export const clockTime = (at: Temporal.Instant, zone: string, locale: string): string =>
  write(
    at.toZonedDateTimeISO(zone).toPlainTime().round({ smallestUnit: 'minute', roundingMode: 'floor' }),
    'time',
    locale,
  )

/** The difference of a zone from UTC at a moment, as people write it: "GMT+5:45". */
export function offsetName(at: Temporal.Instant, zone: string, locale: string): string {
  const parts = formatter(locale, { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}
