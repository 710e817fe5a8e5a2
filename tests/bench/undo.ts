import { performance } from 'node:perf_hooks'
import { administer, freshDatabaseUrl } from '../support/database'
import { seedUsers } from './accounts'
import type { StartService } from './wrk'

/** How long undoing and restoring take beside the events of others, and how long other writes of the same user wait meanwhile. */

const OTHERS = 30_000
const SIZES = [10_000, 25_000]

/** Events of another user, which an import of theirs made. */
async function fillOthers(url: string, userId: number): Promise<void> {
  const admin = administer(url)
  await admin.begin(async (tx) => {
    await tx`select set_config('organiser.operation', gen_random_uuid()::text, true)`
    await tx`
      with calendar as (
        insert into calendars (user_id, name, color, created_at, updated_at)
        values (${userId}, 'Other', '#336699', now(), now()) returning id
      )
      insert into events (calendar_id, title, all_day, start_at, end_at, last_end_at, start_wall, time_zone, created_at, updated_at)
      select calendar.id, 'Event ' || n, false, t, t, t, t at time zone 'UTC', 'UTC', now(), now()
      from calendar, generate_series(1, ${OTHERS}::integer) n, lateral (select now() + n * interval '1 hour' as t) as times`
  })
  await admin`analyze`
  await admin.end({ timeout: 5 })
}

const fileOf = (events: number, name: string) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//bench//EN',
    ...Array.from({ length: events }, (_, i) => {
      const day = `2027${String(1 + (i % 12)).padStart(2, '0')}05`
      return [
        'BEGIN:VEVENT',
        `UID:${name}-${i}@bench`,
        'DTSTAMP:20260101T000000Z',
        `DTSTART:${day}T090000Z`,
        `DTEND:${day}T100000Z`,
        `SUMMARY:Event ${i} of many`,
        'END:VEVENT',
      ].join('\r\n')
    }),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

interface Answer {
  readonly operation: string
  readonly body: { readonly id?: number; readonly items?: ReadonlyArray<{ readonly id: number }> }
}

const calling =
  (base: string, cookie: string) =>
  async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const type = typeof body === 'string' ? 'text/calendar' : 'application/json'
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { cookie: `session=${cookie}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return {
      operation: response.headers.get('x-operation-id') ?? '',
      body: text === '' ? {} : (JSON.parse(text) as Answer['body']),
    }
  }
type Call = ReturnType<typeof calling>

/** Runs `work` while the same user writes one todo after the other, and tells how long both took. */
async function timed(call: Call, what: string, work: () => Promise<unknown>): Promise<void> {
  const end = new AbortController()
  let [longestMs, refused, written] = [0, 0, 0]
  const writing = (async () => {
    while (!end.signal.aborted) {
      const startedAt = performance.now()
      await call('POST', '/api/todos', { title: 'Meanwhile' }).then(
        () => written++,
        () => refused++,
      )
      longestMs = Math.max(longestMs, performance.now() - startedAt)
      await Bun.sleep(50)
    }
  })()
  const startedAt = performance.now()
  const refusal = await work().then(
    () => '',
    (error: unknown) => ` (${String(error)})`,
  )
  const tookMs = performance.now() - startedAt
  end.abort()
  await writing
  const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(5)
  console.log(
    what.padEnd(42),
    `${seconds(tookMs)} s; a write waits up to ${seconds(longestMs)} s; ${refused} of ${refused + written} refused${refusal}`,
  )
}

export async function measureUndo(startService: StartService): Promise<void> {
  await using database = await freshDatabaseUrl()
  const [{ cookie }, other] = await seedUsers(database.url)
  await fillOthers(database.url, other.userId)
  const { base, program } = await startService(database.url)
  await using _ = program
  const call = calling(base, cookie)
  for (const events of SIZES) {
    const { id } = (await call('POST', '/api/calendars', { name: `Of ${events}` })).body
    const load = (name: string) => call('POST', `/api/calendars/${id}/import`, fileOf(events, name))
    const { operation } = await load('undone')
    await timed(call, `undoing an import of ${events}`, () =>
      call('POST', `/api/operations/${operation}/undo`),
    )
    await load('kept')
    await timed(call, `deleting a calendar of ${events}`, () => call('DELETE', `/api/calendars/${id}`))
    const entry = (await call('GET', '/api/trash')).body.items?.[0]?.id
    await timed(call, `restoring a calendar of ${events}`, () => call('POST', `/api/trash/${entry}/restore`))
    await call('DELETE', `/api/calendars/${id}`)
    await timed(call, `emptying a trash of ${events}`, () => call('DELETE', '/api/trash'))
  }
}
