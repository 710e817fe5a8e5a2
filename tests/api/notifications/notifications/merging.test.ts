import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { notifications } from '../../../../src/db/schema'
import { notify, notifyAll } from '../../../../src/access/notices/service'
import { inTransaction } from '../../../../src/db/transaction'
import { notificationsOf, ROUNDS, send, settle, sociable } from '../../../support/connecting'
import { type Actor } from '../../../support/harness'
import { befriend, invitedTo, type Person, person } from '../../../support/inviting'
import { sharedWith } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const HOUR = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }

const unreadOf = async (actor: Actor) => (await actor.request('GET', '/api/notifications?unread=true')).body
const moveTo = (actor: Person, id: number, minute: number) =>
  actor.change(id, { start_at: `2026-03-10T09:${String(minute).padStart(2, '0')}` })

describe('one unread notification', () => {
  test('tells of 30 moves of an event: the newest, which comes first', async () => {
    const { ada, bob, event } = await invitedTo(h, HOUR)
    await moveTo(ada, event.id, 1)
    const [first] = await notificationsOf(bob)
    const other = await ada.create({ ...HOUR, title: 'Other' })
    await ada.invite(other.id, bob)
    for (let minute = 2; minute <= 30; minute++) {
      h.clock.advance({ minutes: 1 })
      if (minute === 30) await ada.change(event.id, { title: 'Band' })
      await moveTo(ada, event.id, minute)
    }
    const { notifications: listed, unread_count } = await unreadOf(bob)
    expect(unread_count).toBe(3)
    expect(listed).toMatchObject([
      { ...first, message: 'At another time: “Band”.', created_at: '2026-03-04T10:59:00+01:00' },
      { type: 'event_invite', data: { event_id: other.id } },
      { type: 'event_invite', data: { event_id: event.id } },
    ])
  })

  test('is read on its own: another change after that makes a new one', async () => {
    const { ada, bob, event } = await invitedTo(h, HOUR)
    await moveTo(ada, event.id, 1)
    const [first] = await notificationsOf(bob)
    await bob.request('PUT', `/api/notifications/${String(first?.['id'])}/read`)
    await moveTo(ada, event.id, 2)
    await moveTo(ada, event.id, 3)
    const about = (await notificationsOf(bob)).filter(({ type }) => type === 'event_changed')
    expect(about.map(({ is_read }) => is_read)).toEqual([false, true])
    expect(about[1]).toEqual({ ...first, is_read: true })
  })

  test('tells an organiser of the last answer of each invitee, and goes with the invitation', async () => {
    const [ada, bob, cyd] = [await person(h), await person(h), await person(h)]
    await befriend(h, ada, [bob, cyd])
    const event = await ada.create(HOUR)
    const { invitations } = (await ada.invite(event.id, bob, cyd)).body
    const idOf = ({ row }: Person): number =>
      invitations.find((one: { user_id: number }) => one.user_id === row.id).id
    const declined = ({ row }: Person) => `event_response: ${row.networkName} declined “Choir”.`
    for (const answer of ['Going', 'Tentative', 'Declined']) await bob.respond(idOf(bob), answer)
    h.clock.advance({ minutes: 1 })
    await cyd.respond(idOf(cyd), 'Declined')
    expect(await ada.heard()).toEqual([declined(cyd), declined(bob)])
    await ada.uninvite(event.id, idOf(bob))
    expect(await ada.heard()).toEqual([declined(cyd)])
    await ada.uninvite(event.id, idOf(cyd))
    expect(await ada.heard()).toEqual([])
  })

  test('is of one event, of one type and of one receiver', async () => {
    const [ada, bob, cyd] = [await person(h), await person(h), await person(h)]
    await befriend(h, ada, [bob, cyd])
    for (const event of [await ada.create(HOUR), await ada.create(HOUR)]) {
      await ada.invite(event.id, bob, cyd)
      await moveTo(ada, event.id, 1)
      await ada.remove(event.id)
    }
    for (const guest of [bob, cyd]) {
      const types = (await notificationsOf(guest)).map(({ type }) => String(type))
      const kinds = ['event_cancelled', 'event_changed', 'event_invite']
      expect(types.toSorted((a, b) => a.localeCompare(b))).toEqual(kinds.flatMap((kind) => [kind, kind]))
    }
  })

  test('is left of 20 requests after as many rejections', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    let newest = 0
    for (let round = 0; round < 20; round++) {
      newest = (await send(ada, bob)).body.id
      if (round < 19) await settle(bob, 'reject', newest)
    }
    expect(await notificationsOf(bob)).toMatchObject([{ is_read: false, data: { request_id: newest } }])
    expect((await unreadOf(bob)).unread_count).toBe(1)
  })

  test('is of a calendar that is offered; security and the system are never merged', async () => {
    const { ada, bob } = await sharedWith(h, 'read')
    for (const type of [
      'calendar_invite',
      'calendar_invite_accepted',
      'security',
      'system',
      'security',
      'system',
    ] as const) {
      for (const data of [
        { calendar_id: 1, invite_id: 7 },
        { calendar_id: 2, invite_id: 8 },
      ]) {
        const told = { userId: bob.row.id, type, title: 'T', message: 'M', data, at: h.clock.now() }
        await inTransaction(h.db, (tx) => notify(tx, told))
        await inTransaction(h.db, (tx) => notify(tx, told))
      }
    }
    const types = (await unreadOf(bob)).notifications.map(({ type }: { type: string }) => type)
    expect(types.toSorted((a: string, b: string) => a.localeCompare(b))).toEqual([
      ...Array(2).fill('calendar_invite'),
      ...Array(2).fill('calendar_invite_accepted'),
      ...Array(8).fill('security'),
      ...Array(8).fill('system'),
    ])
    expect(await notificationsOf(ada)).toMatchObject([
      { type: 'calendar_invite_accepted' },
      { type: 'security' },
    ])
  })

  test('is left where many changes and readings meet', async () => {
    const { ada, bob, event } = await invitedTo(h, HOUR)
    const [first] = await notificationsOf(bob)
    for (let round = 0; round < ROUNDS; round++) {
      const news = { userId: bob.row.id, type: 'event_changed', title: 'T', at: h.clock.now() } as const
      const data = { event_id: event.id, invitation_id: Number(first?.['id']) }
      const answers = await Promise.all([
        moveTo(ada, event.id, round),
        ...Array.from({ length: 5 }, async (_, at) => {
          await inTransaction(h.db, (tx) => notify(tx, { ...news, message: `M${at}`, data }))
          return { status: 200 }
        }),
        bob.request('PUT', '/api/notifications/read-all'),
        bob.request('GET', '/api/notifications'),
      ])
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      const unread = (await h.db.select().from(notifications).where(eq(notifications.isRead, false))).filter(
        ({ type }) => type === 'event_changed',
      )
      expect(unread.length).toBeLessThanOrEqual(1)
      await moveTo(ada, event.id, round + 30)
      expect(
        (await unreadOf(bob)).notifications.filter(({ type }: { type: string }) => type === 'event_changed'),
      ).toHaveLength(1)
    }
  }, 60_000)
})

test('more notifications than one statement takes are all written', async () => {
  const { row } = await h.signedIn()
  const about = (event_id: number) => ({
    userId: row.id,
    type: 'event_cancelled' as const,
    title: 'Cancelled',
    message: 'Choir',
    data: { event_id },
    at: h.clock.now(),
  })
  await inTransaction(h.db, (tx) =>
    notifyAll(
      tx,
      Array.from({ length: 11_000 }, (_, n) => about(n + 1)),
    ),
  )
  expect(await h.db.$count(notifications, eq(notifications.userId, row.id))).toBe(11_000)
}, 60_000)
