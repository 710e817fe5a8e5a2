import { type Asking, type Understood, understand } from '../../../../src/web/quick-add/understand'
import { inWords } from '../../../../src/web/recurrence/words'

export const asking = (language: 'en' | 'de', given: Partial<Asking> = {}): Asking => ({
  language,
  today: Temporal.PlainDate.from('2026-11-23'),
  now: Temporal.PlainTime.from('10:00'),
  dayFirst: true,
  rejected: new Set(),
  dayStartsAt: Temporal.PlainTime.from('09:00'),
  calendars: [
    { id: 1, name: 'Personal' },
    { id: 2, name: 'Work' },
  ],
  ...given,
})

const clock = (time: Temporal.PlainTime | undefined) => time?.toString({ smallestUnit: 'minute' }) ?? ''

function spanOf({ day, lastDay, time, endTime }: Understood): string {
  if (!day) return ''
  const end = lastDay && !lastDay.equals(day) ? lastDay.toString() : ''
  const from = `${day.toString()} ${clock(time)}`.trim()
  const to = `${end} ${clock(endTime)}`.trim()
  return to === '' ? from : `${from} – ${to}`
}

/** What a line would be saved as, in one line. */
export function said(line: string, language: 'en' | 'de', given: Partial<Asking> = {}): string {
  const found = understand(line, asking(language, given))
  return [
    `${found.kind} ${found.title}`,
    spanOf(found),
    found.place && `at ${found.place}`,
    found.repeat && inWords(found.repeat, language),
    found.calendarId && `calendar ${found.calendarId}`,
    found.category && `#${found.category}`,
  ]
    .filter(Boolean)
    .join(' | ')
}
