import { describe, expect, test } from 'bun:test'
import { befriend } from '../../../support/inviting'
import { birthdaysOf } from '../../../support/events'
import { sharedWith, sharer } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const refused = (status: number, detail: string) => ({ status, body: { detail } })

/** Two who are connected, and a calendar of the first. */
async function beforeSharing() {
  const [ada, bob] = [await sharer(h), await sharer(h)]
  await befriend(h, ada, [bob])
  return { ada, bob, calendar: await ada.createCalendar('Choir') }
}

describe('sharing a calendar', () => {
  test('answers the pending member, and tells them under the network name of the owner', async () => {
    const { ada, bob, calendar } = await beforeSharing()
    const { status, body } = await ada.share(calendar.id, bob, 'write')
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        user_id: bob.row.id,
        network_name: bob.row.networkName,
        permission: 'write',
        status: 'pending',
      },
    ])
    expect(await bob.told()).toMatchObject([
      {
        type: 'calendar_invite',
        title: 'Calendar shared',
        message: `${ada.row.networkName} would like to share “Choir” with you.`,
        data: { calendar_id: calendar.id, invite_id: body.id },
        is_read: false,
      },
    ])
    expect(await ada.told()).toEqual([])
  })

  test('is possible with connected users only', async () => {
    const { ada, calendar } = await beforeSharing()
    const eve = await sharer(h)
    for (const id of [eve.row.id, ada.row.id, 2_147_483_647, 0, -1, 1e12]) {
      const answered = await ada.shareWithId(calendar.id, id, 'read')
      expect([id, answered]).toMatchObject([id, refused(404, 'Connection not found')])
    }
    expect((await ada.members(calendar.id)).body).toEqual({ members: [], next_cursor: null })
    expect(await eve.told()).toEqual([])
  })

  test('is refused for a user who is a member already, accepted or not', async () => {
    const { ada, bob, calendar } = await beforeSharing()
    await ada.share(calendar.id, bob)
    expect(await ada.share(calendar.id, bob, 'write')).toMatchObject(refused(409, 'Already a member'))
    await bob.acceptAll()
    expect(await ada.share(calendar.id, bob)).toMatchObject(refused(409, 'Already a member'))
    expect((await ada.members(calendar.id)).body.members).toMatchObject([{ permission: 'read' }])
  })

  test('is refused for the Birthdays calendar', async () => {
    const { ada, bob } = await beforeSharing()
    const { id } = await birthdaysOf(h, ada.row.id)
    const detail = 'The Birthdays calendar cannot be shared'
    expect(await ada.share(id, bob)).toMatchObject(refused(409, detail))
    expect((await bob.invites()).body.invites).toEqual([])
  })

  test.each([
    { user_id: 1 },
    { permission: 'read' },
    { user_id: 1, permission: 'owner' },
    { user_id: '1', permission: 'read' },
    { user_id: 1, permission: null },
  ])('refuses %o', async (body) => {
    const { ada, calendar } = await beforeSharing()
    const answered = await ada.request('POST', `/api/calendars/${calendar.id}/members`, { body })
    expect(answered.status).toBe(422)
  })
})

describe('the members of a calendar', () => {
  test('are listed by network name, in pages that survive changes between them', async () => {
    const { ada, calendar } = await beforeSharing()
    const friends = await Promise.all(Array.from({ length: 5 }, () => sharer(h)))
    await befriend(h, ada, friends)
    for (const friend of friends.slice(0, 4)) await ada.share(calendar.id, friend)
    const names = friends.map(({ row }) => row.networkName).toSorted()
    const first = (await ada.members(calendar.id, '?limit=2')).body
    for (const friend of friends.slice(4)) await ada.share(calendar.id, friend)
    await ada.dismiss(calendar.id, first.members[0].id)
    const rest = (await ada.members(calendar.id, `?limit=10&cursor=${first.next_cursor}`)).body
    const listed = [...first.members, ...rest.members].map(({ network_name }) => network_name)
    expect(rest.next_cursor).toBeNull()
    expect(listed).toEqual(names.filter((name) => listed.includes(name)))
    expect(new Set(listed).size).toBeGreaterThanOrEqual(4)
    expect((await ada.members(calendar.id, '?cursor=x')).status).toBe(422)
  })

  test('show each other once they have accepted, and nothing but network names', async () => {
    const { ada, bob, calendar, member } = await sharedWith(h, 'read')
    const [cyd, dan] = [await sharer(h), await sharer(h)]
    await befriend(h, ada, [cyd, dan])
    await ada.share(calendar.id, cyd)
    await ada.share(calendar.id, dan, 'write')
    await cyd.acceptAll()
    const { members } = (await bob.members(calendar.id)).body
    expect(members.map(({ user_id }: { user_id: number }) => user_id)).toEqual([bob.row.id, cyd.row.id])
    expect(members[0]).toEqual({ ...member, status: 'accepted' })
    expect((await ada.members(calendar.id)).body.members).toHaveLength(3)
  })

  test('do at once what the owner permits, also before they accept', async () => {
    const { ada, bob, calendar } = await beforeSharing()
    const { id } = (await ada.share(calendar.id, bob, 'read')).body
    expect((await ada.permit(calendar.id, id, 'write')).body).toMatchObject({ id, permission: 'write' })
    expect((await bob.invites()).body.invites).toMatchObject([{ permission: 'write' }])
    await bob.acceptAll()
    const body = { calendar_id: calendar.id, start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
    const event = await bob.create(body)
    expect((await ada.permit(calendar.id, id, 'read')).body).toMatchObject({
      permission: 'read',
      status: 'accepted',
    })
    expect((await bob.read(event.id)).body.access).toBe('read')
    for (const answered of [
      await bob.attempt(body),
      await bob.change(event.id, { title: 'B' }),
      await bob.remove(event.id),
    ]) {
      expect(answered).toMatchObject(refused(403, 'Insufficient permissions'))
    }
    expect((await ada.permit(calendar.id, id, 'owner')).status).toBe(422)
    expect((await ada.permit(calendar.id, id, undefined)).body.permission).toBe('read')
  })

  test('change no permission, their own or of others, and end no membership but their own', async () => {
    const { ada, bob, calendar, member } = await sharedWith(h, 'write')
    const cyd = await sharer(h)
    await befriend(h, ada, [cyd])
    const { id } = (await ada.share(calendar.id, cyd, 'write')).body
    await cyd.acceptAll()
    for (const answered of [
      await bob.permit(calendar.id, member.id, 'read'),
      await bob.permit(calendar.id, id, 'read'),
      await bob.dismiss(calendar.id, id),
    ]) {
      expect(answered).toMatchObject(refused(403, 'Insufficient permissions'))
    }
    expect((await ada.members(calendar.id)).body.members).toMatchObject([
      { id: member.id, permission: 'write' },
      { id, permission: 'write' },
    ])
    expect((await bob.dismiss(calendar.id, member.id)).status).toBe(204)
    expect((await ada.members(calendar.id)).body.members).toMatchObject([{ id }])
  })

  test('are not members of another calendar', async () => {
    const { ada, calendar, member } = await sharedWith(h, 'read')
    const other = await ada.createCalendar('Other')
    for (const answered of [
      await ada.permit(other.id, member.id, 'write'),
      await ada.dismiss(other.id, member.id),
    ]) {
      expect(answered).toMatchObject(refused(404, 'Member not found'))
    }
    expect((await ada.members(calendar.id)).body.members).toMatchObject([{ permission: 'read' }])
  })

  test.each(['owner', 'member'] as const)(
    'are gone when the %s ends it, with all notifications of it',
    async (who) => {
      const { ada, bob, calendar, member } = await sharedWith(h, 'write')
      const event = await ada.create({
        calendar_id: calendar.id,
        start_at: '2026-03-10T09:00',
        end_at: '2026-03-10T10:00',
      })
      expect([await ada.told(), await bob.told()]).toMatchObject([[{}], [{}]])
      expect((await (who === 'owner' ? ada : bob).dismiss(calendar.id, member.id)).status).toBe(204)
      expect([await ada.told(), await bob.told()]).toEqual([[], []])
      expect((await bob.calendar(calendar.id)).status).toBe(404)
      expect((await bob.read(event.id)).status).toBe(404)
      expect((await bob.occurrences(event.id, '2026-03-10', '2026-03-11')).status).toBe(404)
      expect(await bob.list('2026-03-10', '2026-03-11')).toEqual([])
      expect((await ada.read(event.id)).status).toBe(200)
      expect((await ada.share(calendar.id, bob)).status).toBe(201)
    },
  )
})
