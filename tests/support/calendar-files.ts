import { createCalendar } from './calendars'
import { administer } from './database'
import { organiser } from './events'
import type { Actor, Harness } from './harness'

/** What the tests of calendar files do over and over, through the API. */
export const calendarOf = async (actor: Actor): Promise<number> =>
  (await actor.request('GET', '/api/calendars')).body.calendars.find(
    (one: { is_default: boolean }) => one.is_default,
  ).id

export const newCalendar = async (actor: Actor, name = 'Work'): Promise<number> =>
  (await createCalendar(actor, name)).id

export const importInto = (actor: Actor, id: number, body: string | Uint8Array<ArrayBuffer>, query = '') =>
  actor.request('POST', `/api/calendars/${id}/import${query}`, {
    body,
    headers: { 'content-type': 'text/calendar' },
  })

export const exportOf = async (actor: Actor, id: number): Promise<string> =>
  (await actor.request('GET', `/api/calendars/${id}/export`)).body

/** Puts all-day events into the calendar, each with a description of so many characters. */
export async function fillCalendar(h: Harness, id: number, events: number, characters: number) {
  // Without the service's time-outs, as indexing so much may take longer on a busy machine.
  const sql = administer(h.url)
  await sql`
    insert into events (calendar_id, title, description, all_day, start_date, end_date, last_end_date, created_at, updated_at)
    select ${id}, 'Event ' || n, repeat('x', ${characters}::integer), true, '2026-03-10', '2026-03-10', '2026-03-10', now(), now()
    from generate_series(1, ${events}) as n`
  await sql.end({ timeout: 5 })
}

/** A calendar out of events of lines of their own. */
export const calendar = (...events: ReadonlyArray<readonly string[]>): string =>
  wrapped(...events.map((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']))

/** A calendar out of whole components. */
export const wrapped = (...components: ReadonlyArray<readonly string[]>): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...components.flat(), 'END:VCALENDAR', ''].join(
    '\r\n',
  )

/** What another account has otherwise, and what only says how the same is written. */
const OWN = new Set([
  'id',
  'calendar_id',
  'calendar_name',
  'calendar_color',
  'version',
  'created_at',
  'updated_at',
  'recurrence_rule',
  'is_override',
])

/** What happens in a calendar between two days, but for what another account has otherwise. */
export async function happenings(actor: Actor, id: number, from: string, to: string) {
  const query = new URLSearchParams({ from, to, calendar_id: String(id) }).toString()
  const answered = await actor.request('GET', `/api/events?${query}`)
  if (answered.status !== 200) throw new Error(JSON.stringify(answered.body))
  return answered.body.events
    .map((event: object) => Object.fromEntries(Object.entries(event).filter(([name]) => !OWN.has(name))))
    .toSorted((a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
}

/** Of two years from the beginning of `year` on. */
export const twoYears = async (actor: Actor, id: number, year = 2026) => [
  ...(await happenings(actor, id, `${year}-01-01`, `${year + 1}-01-01`)),
  ...(await happenings(actor, id, `${year + 1}-01-01`, `${year + 2}-01-01`)),
]

/** Somebody who imports into their default calendar, and what then happens in it. */
export async function importer(h: Harness, zone = 'Europe/Berlin') {
  const ada = await organiser(h, zone)
  const id = await calendarOf(ada)
  const take = async (file: string | Uint8Array<ArrayBuffer>, query = '') =>
    (await importInto(ada, id, file, query)).body
  const shown = (from = '2026-01-01', to = '2027-01-01') => happenings(ada, id, from, to)
  const starts = async (from?: string, to?: string): Promise<string[]> =>
    (await shown(from, to))
      .map((one: { start_at: string | null; start_date: string }) => one.start_at ?? one.start_date)
      .toSorted()
  return { ada, id, take, shown, starts }
}
