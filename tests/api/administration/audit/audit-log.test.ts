import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, users } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const LOG = '/api/admin/audit-log'
const h = useHarness()
let admin: Actor
let ada: Actor
const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute))

beforeAll(async () => {
  admin = await h.signedIn({ role: 'admin', username: 'root' })
  ada = await h.signedIn({ username: 'Ada' })
  const gone = await h.user()
  // Five minutes with three entries each, so that instants tie.
  await h.db.insert(auditLog).values(
    Array.from({ length: 15 }, (_, i) => ({
      action: i % 2 === 0 ? 'auth.login_failed' : 'auth.login_success',
      actorId: [ada.row.id, gone.id, null][i % 3] ?? null,
      detail: i % 2 === 0 ? { reason: 'invalid_password' } : null,
      ip: '192.0.2.1',
      createdAt: at(Math.floor(i / 3)),
    })),
  )
  await h.db.delete(users).where(eq(users.id, gone.id))
})

/** The entries that a test writes meanwhile stay: the log is append-only. */
const BEFORE_LATER = '?to=2026-03-01T12:30:00Z'
const read = async (query = '') => (await admin.request('GET', `${LOG}${query}`)).body
const ids = async (query = '') => (await read(query)).entries.map(({ id }: { id: number }) => id)

describe('GET /api/admin/audit-log', () => {
  test('answers the newest first, with who did it and when in the server’s zone', async () => {
    const { entries, next_cursor } = await read(BEFORE_LATER)
    expect(entries.map(({ id }: { id: number }) => id)).toEqual(Array.from({ length: 15 }, (_, i) => 15 - i))
    expect(next_cursor).toBeNull()
    expect(entries[2]).toEqual({
      id: 13,
      action: 'auth.login_failed',
      actor_id: ada.row.id,
      actor_username: 'Ada',
      detail: { reason: 'invalid_password' },
      ip: '192.0.2.1',
      created_at: '2026-03-01T13:04:00+01:00',
    })
    expect(entries[1]).toMatchObject({ actor_id: null, actor_username: null, detail: null })
  })

  test('pages by a cursor that survives what is written meanwhile', async () => {
    const seen: number[] = []
    let cursor = ''
    for (let page = 0; page < 5; page++) {
      const { entries, next_cursor } = await read(`?limit=4${cursor}`)
      seen.push(...entries.map(({ id }: { id: number }) => id))
      if (next_cursor === null) break
      cursor = `&cursor=${next_cursor}`
      await h.db.insert(auditLog).values({ action: 'later', createdAt: at(50 + page) })
    }
    expect(seen).toEqual(Array.from({ length: 15 }, (_, i) => 15 - i))
  })

  test('filters by action, actor and time: from inclusive, to exclusive', async () => {
    expect(await ids('?action=auth.login_success')).toEqual([14, 12, 10, 8, 6, 4, 2])
    expect(await ids(`?actor_id=${ada.row.id}`)).toEqual([13, 10, 7, 4, 1])
    expect(await ids('?from=2026-03-01T12:01:00Z&to=2026-03-01T12:03:00Z')).toEqual([9, 8, 7, 6, 5, 4])
    expect(await ids(`?action=auth.login_failed&actor_id=${ada.row.id}&from=2026-03-01T12:02:00Z`)).toEqual([
      13, 7,
    ])
    expect(await ids('?action=nothing')).toEqual([])
  })

  test('reads a time without an offset in the server’s zone, and its own times back', async () => {
    expect(await ids(`${BEFORE_LATER}&from=2026-03-01T13:04:00`)).toEqual([15, 14, 13])
    expect(await ids(`${BEFORE_LATER}&from=2026-03-01T13:04:00%2B01:00`)).toEqual([15, 14, 13])
    expect(await ids(`${BEFORE_LATER}&from=2026-03-01T13:04:00+01:00`)).toEqual([15, 14, 13])
  })

  test.each([
    { query: 'limit=0', detail: 'limit: must be a whole number from 1 to 200' },
    { query: 'limit=201', detail: 'limit: must be a whole number from 1 to 200' },
    { query: 'limit=x', detail: 'limit: must be a whole number from 1 to 200' },
    { query: 'cursor=x', detail: 'cursor: is not valid' },
    { query: 'cursor=WzEsMl0', detail: 'cursor: is not valid' },
    ...[
      ['0000-01-01T00:00:00.000Z', 1],
      ['2026-02-30T00:00:00.000Z', 1],
      ['2026-01-01T24:00:00.000Z', 1],
      ['2026-01-01T00:00:00.000Z', 9_007_199_254_740_991],
      ['2026-01-01T00:00:00.000Z', -5],
      ['2026-01-01T00:00:00.000Z', 1, 2],
    ].map((key) => ({ query: `cursor=${btoa(JSON.stringify(key))}`, detail: 'cursor: is not valid' })),
    { query: 'cursor=', detail: 'cursor: must not be empty' },
    { query: 'from=2026-02-30T00:00:00Z', detail: 'from: must be a date-time (RFC 3339)' },
    { query: 'from=2201-01-01T00:00:00Z', detail: 'from: must be a date-time (RFC 3339)' },
    { query: 'to=yesterday', detail: 'to: must be a date-time (RFC 3339)' },
    { query: 'actor_id=-1', detail: 'actor_id: must be a whole number from 1 to 2147483647' },
    { query: 'action=%00', detail: 'action: must not contain U+0000 or lone surrogates' },
  ])('refuses ?$query', async ({ query, detail }) => {
    const refused = await admin.request('GET', `${LOG}?${query}`)
    expect([refused.status, refused.body.detail]).toEqual([422, detail])
  })

  test('is for administrators only', async () => {
    expect((await ada.request('GET', LOG)).body).toEqual({ detail: 'Insufficient permissions' })
    expect((await h.request('GET', LOG)).status).toBe(401)
  })
})
