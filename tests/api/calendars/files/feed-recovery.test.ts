import { describe, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { auditLog, calendarFeeds } from '../../../../src/db/schema'
import { formatInstant } from '../../../../src/lib/time/time'
import { calendarOf } from '../../../support/calendar-files'
import { organiser, type Organiser } from '../../../support/events'
import { PASSWORD } from '../../../support/harness'
import { sharedWith } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const NEW_PASSWORD = 'another horse battery'

async function subscribed() {
  const ada = await organiser(h)
  const id = await calendarOf(ada)
  return { ada, id, path: await ada.feedOf(id) }
}
const statusOf = async (path: string) => (await h.request('GET', path)).status
const shown = async (actor: Organiser, id: number) => {
  const { feed_created_at, feed_last_read_at } = (await actor.calendar(id)).body
  return { feed_created_at, feed_last_read_at }
}
const NO_FEED = { feed_created_at: null, feed_last_read_at: null }
const at = () => formatInstant('Europe/Berlin', h.clock.now())

/** The audit entries that name the calendar. */
const audited = async (id: number) =>
  (await h.db.select().from(auditLog).orderBy(asc(auditLog.id)))
    .filter(({ detail }) => detail?.['calendar_id'] === id)
    .map(({ action, actorId, ip }) => ({ action, actorId, ip }))

describe('a feed', () => {
  test('is made only within 15 minutes of a proof, and ended at any time', async () => {
    const { ada, id, path } = await subscribed()
    h.clock.advance({ minutes: 15 })
    const refused = await ada.makeFeed(id)
    expect([refused.status, refused.body]).toEqual([
      403,
      { detail: 'Recent authentication required', code: 'reauthentication_required' },
    ])
    expect(await statusOf(path)).toBe(200)
    await ada.request('POST', '/api/auth/verify-password', { body: { password: PASSWORD } })
    expect((await ada.makeFeed(id)).status).toBe(200)
    h.clock.advance({ minutes: 15 })
    expect((await ada.endFeed(id)).status).toBe(204)
  })

  test('shows on its calendar when it was made and last read, to the owner alone', async () => {
    const { ada, bob: eve, calendar } = await sharedWith(h, 'write')
    const { id } = calendar
    const path = await ada.feedOf(id)
    const made = at()
    expect(await shown(ada, id)).toEqual({ feed_created_at: made, feed_last_read_at: null })
    h.clock.advance({ minutes: 5 })
    await h.request('GET', path)
    expect(await shown(ada, id)).toEqual({ feed_created_at: made, feed_last_read_at: at() })
    expect(await shown(eve, id)).toEqual(NO_FEED)
    for (const actor of [ada, eve]) {
      const { calendars } = (await actor.calendars()).body
      const listed = calendars.find((one: { id: number }) => one.id === id)
      expect(listed).toMatchObject(await shown(actor, id))
    }
    const changed = await ada.changeCalendar(id, { color: '#123456' })
    expect(changed.body).toMatchObject(await shown(ada, id))
    expect(await ada.createCalendar('Without')).toMatchObject(NO_FEED)
    await ada.makeFeed(id)
    expect(await shown(ada, id)).toEqual({ feed_created_at: at(), feed_last_read_at: null })
    await ada.endFeed(id)
    expect(await shown(ada, id)).toEqual(NO_FEED)
  })

  test('is marked as read at most every 10 minutes, by one of any number of readers at once', async () => {
    const { id, path } = await subscribed()
    const lastRead = async () =>
      (await h.db.select().from(calendarFeeds).where(eq(calendarFeeds.calendarId, id)))[0]?.lastReadAt
    const written = async () => {
      const [row] = await h.db.execute<{ xmin: string }>(
        `select xmin::text from calendar_feeds where calendar_id = ${id}`,
      )
      return row?.xmin
    }
    const readers = () => Promise.all(Array.from({ length: 20 }, () => h.request('GET', path)))
    const first = h.clock.now()
    await readers()
    const version = await written()
    for (const minutes of [5, 4]) {
      h.clock.advance({ minutes })
      await readers()
      expect(await written()).toBe(version)
    }
    expect(await lastRead()).toEqual(first)
    h.clock.advance({ minutes: 1 })
    const etag = (await h.request('GET', path)).headers.get('etag') ?? ''
    expect(await written()).not.toBe(version)
    h.clock.advance({ minutes: 10 })
    expect((await h.request('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect(await lastRead()).toEqual(h.clock.now())
  })

  test('is audited when it is made, replaced and ended, once each', async () => {
    const { ada, id } = await subscribed()
    await ada.makeFeed(id)
    for (let time = 0; time < 2; time++) await ada.endFeed(id)
    const act = { actorId: ada.row.id, ip: '203.0.113.7' }
    expect(await audited(id)).toEqual([
      { action: 'calendar.feed_created', ...act },
      { action: 'calendar.feed_deleted', ...act },
      { action: 'calendar.feed_created', ...act },
      { action: 'calendar.feed_deleted', ...act },
    ])
  })

  test('ends with a change of the password, and goes on where the change keeps feeds', async () => {
    for (const [keep_feeds, status] of [
      [undefined, 404],
      [false, 404],
      [true, 200],
    ] as const) {
      const { ada, id, path } = await subscribed()
      const body = { old_password: PASSWORD, new_password: NEW_PASSWORD, keep_feeds }
      const refused = { ...body, old_password: 'wrong' }
      expect((await ada.request('POST', '/api/auth/change-password', { body: refused })).status).toBe(401)
      expect(await statusOf(path)).toBe(200)
      const changed = await ada.request('POST', '/api/auth/change-password', { body })
      expect([changed.status, Object.keys(changed.body)]).toEqual([200, ['message', 'sessions_revoked']])
      expect(await statusOf(path)).toBe(status)
      expect((await audited(id)).slice(1)).toEqual(
        keep_feeds ? [] : [{ action: 'calendar.feed_deleted', actorId: ada.row.id, ip: '203.0.113.7' }],
      )
    }
  })

  test('ends when an administrator resets the password, and does not come back with a reactivation', async () => {
    const admin = await h.signedIn({ role: 'admin' })
    const { ada, id, path } = await subscribed()
    const other = await subscribed()
    const user = `/api/admin/users/${ada.row.id}`
    expect((await admin.request('POST', `${user}/reset-password`)).status).toBe(200)
    expect(await statusOf(path)).toBe(404)
    for (const is_active of [false, true])
      await admin.request('PUT', `${user}/active`, { body: { is_active } })
    expect(await statusOf(path)).toBe(404)
    expect((await audited(id)).at(-1)).toEqual({
      action: 'calendar.feed_deleted',
      actorId: admin.row.id,
      ip: '203.0.113.7',
    })
    expect(await statusOf(other.path)).toBe(200)
  })

  test('ends together with those of other calendars, and each end is audited', async () => {
    const { ada, id } = await subscribed()
    const second = await ada.createCalendar('Second')
    await ada.makeFeed(second.id)
    const body = { old_password: PASSWORD, new_password: NEW_PASSWORD }
    expect((await ada.request('POST', '/api/auth/change-password', { body })).status).toBe(200)
    for (const calendarId of [id, second.id])
      expect((await audited(calendarId)).at(-1)?.action).toBe('calendar.feed_deleted')
  })

  test('does not outlive a change of the password during which it was made', async () => {
    for (let round = 0; round < 20; round++) {
      const ada = await organiser(h)
      const id = await calendarOf(ada)
      const body = { old_password: PASSWORD, new_password: NEW_PASSWORD }
      await Promise.all([ada.makeFeed(id), ada.request('POST', '/api/auth/change-password', { body })])
      expect(await h.db.$count(calendarFeeds, eq(calendarFeeds.calendarId, id))).toBe(0)
    }
  })

  test('shows by its dates in the export of the account, and nowhere by its address', async () => {
    const { ada, id, path } = await subscribed()
    await h.request('GET', path)
    const exported = await ada.request('GET', '/api/export')
    const calendar = exported.body.calendars.find((one: { id: number }) => one.id === id)
    expect(calendar).toMatchObject({ feed_created_at: at(), feed_last_read_at: at() })
    const token = /feeds\/([\w-]{43})/.exec(path)?.[1] ?? ''
    expect(token).toHaveLength(43)
    const [row] = await h.db.select().from(calendarFeeds).where(eq(calendarFeeds.calendarId, id))
    const text = JSON.stringify(exported.body)
    for (const secret of [token, row?.tokenHash ?? token]) expect(text).not.toContain(secret)
  })
})
