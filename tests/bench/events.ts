import { connect } from '../../src/db/client'
import { calendars, events } from '../../src/db/schema'
import { parseRule } from '../../src/lib/recurrence/grammar'
import { occurrencesBetween, timedSeries } from '../../src/lib/recurrence/recurrence'

/** The month that is read: 200 series that began over the year before, and 2 000 events of its own. */
export const MONTH = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' }
const SERIES = 200
const SINGLES = 2000
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Fills the default calendar of `userId`. */
export async function seedEvents(url: string, userId: number): Promise<void> {
  const { db, close } = connect(url, { pool: 1 })
  const stamps = { createdAt: new Date(), updatedAt: new Date() }
  const [calendar] = await db
    .insert(calendars)
    .values({ userId, name: 'Personal', color: '#3b82f6', isDefault: true, ...stamps })
    .returning()
  const from = Date.parse(MONTH.from)
  const row = (title: string, start: number, recurrenceRule: string | null) => ({
    calendarId: calendar?.id ?? 0,
    title,
    allDay: false,
    startAt: new Date(start),
    endAt: new Date(start + HOUR),
    startWall: new Date(start).toISOString().slice(0, -1),
    timeZone: 'UTC',
    recurrenceRule,
    lastEndAt: recurrenceRule === null ? new Date(start + HOUR) : null,
    ...stamps,
  })
  await db
    .insert(events)
    .values([
      ...Array.from({ length: SERIES }, (_, i) => row(`Series ${i}`, from - (i + 1) * DAY, 'FREQ=WEEKLY')),
      ...Array.from({ length: SINGLES }, (_, i) =>
        row(`Event ${i}`, from + ((31 * DAY) / SINGLES) * i, null),
      ),
    ])
  await close()
}

/** How long one month of a daily series takes to expand that began in 1970, times one that began a month before. */
export function measureExpansion(): number {
  const parsed = parseRule('FREQ=DAILY')
  if ('problem' in parsed) throw new Error(parsed.problem)
  const expand = (start: string) => {
    const series = timedSeries(new Date(start), 'Europe/Berlin', parsed.rule)
    const startedAt = performance.now()
    for (let i = 0; i < 200; i++) {
      const found = occurrencesBetween(series, new Date(MONTH.from), new Date(MONTH.to), 5000)
      if (found.length !== 31) throw new Error('the month is not whole')
    }
    return performance.now() - startedAt
  }
  const ratios: number[] = []
  for (let round = 0; round < 15; round++) {
    const old = expand('1970-01-01T09:00:00Z')
    ratios.push(old / expand('2026-02-01T09:00:00Z'))
  }
  return ratios.toSorted((a, b) => a - b)[7] ?? Number.NaN
}
