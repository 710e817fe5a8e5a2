import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { NOTIFICATION_TYPES, notifications } from '../../../../src/db/schema'
import { purgeNotifications } from '../../../../src/features/notifications/notifications/service'
import { databaseFailure } from '../../../../src/lib/database-failure'
import { addDays } from '../../../../src/lib/time/time'
import { ROUNDS } from '../../../support/connecting'
import { type Actor } from '../../../support/harness'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const NOTIFICATIONS = '/api/notifications'
const GONE = { detail: 'Notification not found' }

const h = useHarness({ per: 'test' })

async function told(actor: Actor, columns: Partial<typeof notifications.$inferInsert> = {}): Promise<number> {
  const [row] = await h.db
    .insert(notifications)
    .values({
      userId: actor.row.id,
      type: 'system',
      title: 'Title',
      message: 'Message',
      data: {},
      createdAt: h.clock.now(),
      ...columns,
    })
    .returning()
  return row?.id ?? 0
}

const list = async (actor: Actor, query = '') => (await actor.request('GET', `${NOTIFICATIONS}${query}`)).body
const idsOf = ({ notifications: listed }: { notifications: Array<{ id: number }> }) =>
  listed.map(({ id }) => id)

describe('GET /api/notifications', () => {
  test('lists those of the caller alone, newest first, and counts all that are unread', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    const older = await told(ada, { type: 'security', isRead: true, createdAt: addDays(h.clock.now(), -1) })
    const [first, second] = [await told(ada), await told(ada, { data: { event_id: 3, invitation_id: 7 } })]
    await told(eve)
    const listed = await list(ada)
    expect(idsOf(listed)).toEqual([second, first, older])
    expect(listed).toMatchObject({ unread_count: 2, next_cursor: null })
    expect(listed.notifications[0]).toEqual({
      id: second,
      type: 'system',
      title: 'Title',
      message: 'Message',
      data: { event_id: 3, invitation_id: 7 },
      is_read: false,
      created_at: '2026-03-04T10:30:00+01:00',
    })
  })

  test('narrows by state and type without changing the count', async () => {
    const ada = await h.signedIn()
    const security = await told(ada, { type: 'security' })
    const read = await told(ada, { isRead: true })
    const unread = await told(ada)
    const found = async (query: string) => {
      const listed = await list(ada, query)
      expect(listed.unread_count).toBe(2)
      return idsOf(listed)
    }
    expect(await found('?unread=true')).toEqual([unread, security])
    expect(await found('?unread=false')).toEqual([read])
    expect(await found('?type=security')).toEqual([security])
    expect(await found('?type=system&unread=true')).toEqual([unread])
    expect(await found('?type=event_invite')).toEqual([])
  })

  test('pages without a gap while notifications come and go', async () => {
    const ada = await h.signedIn()
    const ids = []
    for (let i = 0; i < 5; i++) ids.unshift(await told(ada))
    const seen = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list(ada, `?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...idsOf(page))
      cursor = page.next_cursor
      await ada.request('DELETE', `${NOTIFICATIONS}/${idsOf(page)[0]}`)
      await told(ada)
    }
    expect(seen).toEqual(ids)
  })

  test('knows every type of the database, and refuses every other and every other nonsense', async () => {
    const ada = await h.signedIn()
    for (const type of NOTIFICATION_TYPES) {
      const id = await told(ada, { type })
      expect(idsOf(await list(ada, `?type=${type}`))).toEqual([id])
    }
    for (const query of ['type=nonsense', 'type=', 'unread=1', 'limit=0', 'limit=201', 'cursor=x']) {
      expect([query, (await ada.request('GET', `${NOTIFICATIONS}?${query}`)).status]).toEqual([query, 422])
    }
    expect((await list(ada, '?unread=yes')).detail).toBe('unread: must be true or false')
    expect((await list(ada, '?type=Security')).detail).toStartWith(
      'type: must be one of connection_request, ',
    )
  })
})

describe('PUT /api/notifications/{id}/read', () => {
  test('marks that one as read, once and again', async () => {
    const ada = await h.signedIn()
    const [id] = [await told(ada), await told(ada)]
    for (let i = 0; i < 2; i++) {
      const answered = await ada.request('PUT', `${NOTIFICATIONS}/${id}/read`)
      expect([answered.status, answered.body]).toMatchObject([200, { id, is_read: true, type: 'system' }])
    }
    expect((await list(ada)).unread_count).toBe(1)
  })
})

describe('PUT /api/notifications/read-all', () => {
  test('marks those of the caller alone, and answers how many were unread', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    await told(ada)
    await told(ada)
    await told(ada, { isRead: true })
    await told(eve)
    const answered = await ada.request('PUT', `${NOTIFICATIONS}/read-all`)
    expect([answered.status, answered.body]).toEqual([200, { message: 'All notifications read', updated: 2 }])
    expect((await ada.request('PUT', `${NOTIFICATIONS}/read-all`)).body.updated).toBe(0)
    expect([(await list(ada)).unread_count, (await list(eve)).unread_count]).toEqual([0, 1])
  })

  test('20 times at once reads each one once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const ada = await h.signedIn()
      for (let i = 0; i < 7; i++) await told(ada)
      const answers = await raceOf(20, () => ada.request('PUT', `${NOTIFICATIONS}/read-all`))
      const updated = answers.map(({ status, body }) => (status === 200 ? body.updated : status))
      expect(updated.toSorted((a, b) => a - b)).toEqual([...Array(19).fill(0), 7])
    }
  })
})

describe('DELETE /api/notifications/{id}', () => {
  test('deletes that one', async () => {
    const ada = await h.signedIn()
    const [id, other] = [await told(ada), await told(ada)]
    const answered = await ada.request('DELETE', `${NOTIFICATIONS}/${id}`)
    expect([answered.status, answered.body]).toEqual([204, ''])
    expect((await ada.request('DELETE', `${NOTIFICATIONS}/${id}`)).body).toEqual(GONE)
    expect(idsOf(await list(ada))).toEqual([other])
  })
})

test('somebody else’s notification is the same bytes as none', async () => {
  const [ada, eve] = [await h.signedIn(), await h.signedIn()]
  const id = await told(ada)
  for (const segment of [id, 2_147_483_647, 2_147_483_648, 0, 'x', '%00', '1.0']) {
    for (const [method, path] of [
      ['PUT', `${segment}/read`],
      ['DELETE', segment],
    ]) {
      const refused = await eve.request(String(method), `${NOTIFICATIONS}/${path}`)
      expect([path, refused.status, refused.body]).toEqual([path, 404, GONE])
    }
  }
  expect(await list(ada)).toMatchObject({ notifications: [{ id, is_read: false }], unread_count: 1 })
})

test('the database itself refuses a type that is not one of the set', async () => {
  const ada = await h.signedIn()
  const insertion = h.db.execute(
    sql`insert into notifications (user_id, type, title, message, data, created_at)
        values (${ada.row.id}, 'gossip', 'T', 'M', '{}', '2026-03-04T09:30:00Z')`,
  )
  const failure = databaseFailure(await insertion.then(undefined, (error: unknown) => error))
  expect(failure).toEqual({ code: '23514', constraint: 'notifications_type_check' })
  expect(await h.db.$count(notifications)).toBe(0)
})

test('the purge ends what is older than 90 days, read or not, and nothing else', async () => {
  const ada = await h.signedIn()
  const limit = addDays(h.clock.now(), -90)
  const before = new Date(limit.getTime() - 1)
  await told(ada, { createdAt: before })
  await told(ada, { createdAt: before, isRead: true })
  const kept = await told(ada, { createdAt: limit })
  expect(await purgeNotifications(h.deps)).toBe(2)
  expect(await purgeNotifications(h.deps)).toBe(0)
  expect(idsOf(await list(ada))).toEqual([kept])
  expect(await h.db.$count(notifications, eq(notifications.userId, ada.row.id))).toBe(1)
})
