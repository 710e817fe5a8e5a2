import { describe, expect, test } from 'bun:test'
import { befriend } from '../../../support/inviting'
import { type Sharer, sharer } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const gone = { status: 404, body: { detail: 'Invite not found' } }

async function invitedTo(permission: 'read' | 'write' = 'read') {
  const [ada, bob] = [await sharer(h), await sharer(h)]
  await befriend(h, ada, [bob])
  const calendar = await ada.createCalendar('Choir', { color: '#111111' })
  const { id } = (await ada.share(calendar.id, bob, permission)).body
  return { ada, bob, calendar, id: Number(id) }
}

const calendarIds = async (actor: Sharer): Promise<number[]> =>
  (await actor.calendars()).body.calendars.map(({ id }: { id: number }) => id)

describe('an invite to a calendar', () => {
  test('is all that its invitee sees of the calendar until they accept', async () => {
    const { ada, bob, calendar, id } = await invitedTo()
    expect((await bob.invites()).body).toEqual({
      invites: [
        {
          id,
          calendar_id: calendar.id,
          calendar_name: 'Choir',
          owner_network_name: ada.row.networkName,
          permission: 'read',
          created_at: '2026-03-04T10:30:00+01:00',
        },
      ],
      next_cursor: null,
    })
    expect(await calendarIds(bob)).not.toContain(calendar.id)
    expect((await bob.dismiss(calendar.id, id)).body).toEqual({ detail: 'Calendar not found' })
    expect((await ada.invites()).body.invites).toEqual([])
  })

  test('comes newest first, in pages', async () => {
    const { ada, bob } = await invitedTo()
    for (const name of ['A', 'B', 'C']) {
      h.clock.advance({ minutes: 1 })
      await ada.share((await ada.createCalendar(name)).id, bob)
    }
    const names: string[] = []
    let query = '?limit=3'
    for (let page = 0; page < 2; page++) {
      const { invites, next_cursor } = (await bob.invites(query)).body
      names.push(...invites.map(({ calendar_name }: { calendar_name: string }) => calendar_name))
      query = `?limit=3&cursor=${next_cursor}`
    }
    expect(names).toEqual(['C', 'B', 'A', 'Choir'])
    expect((await bob.invites('?cursor=x')).status).toBe(422)
  })

  test('can be accepted once: the calendar is there, its owner is told, and the notification is read', async () => {
    const { ada, bob, calendar, id } = await invitedTo('write')
    const accepted = await bob.accept(id)
    expect([accepted.status, accepted.body]).toEqual([
      200,
      { ...calendar, access: 'write', is_default: false, updated_at: expect.any(String) },
    ])
    expect((await bob.calendar(calendar.id)).body).toEqual(accepted.body)
    expect(await calendarIds(bob)).toContain(calendar.id)
    const data = { calendar_id: calendar.id, invite_id: id }
    const message = `${bob.row.networkName} has “Choir” now.`
    expect(await ada.told()).toMatchObject([{ type: 'calendar_invite_accepted', message, data }])
    expect(await bob.told()).toMatchObject([{ type: 'calendar_invite', is_read: true }])
    expect(await bob.accept(id)).toMatchObject(gone)
    expect(await bob.reject(id)).toMatchObject(gone)
    expect(await ada.told()).toHaveLength(1)
    expect((await bob.invites()).body.invites).toEqual([])
  })

  test('can be rejected without a word, and made again', async () => {
    const { ada, bob, calendar, id } = await invitedTo()
    const { status, body } = await bob.reject(id)
    expect([status, body]).toEqual([204, ''])
    expect([await ada.told(), await bob.told()]).toEqual([[], []])
    expect((await ada.members(calendar.id)).body.members).toEqual([])
    expect(await bob.accept(id)).toMatchObject(gone)
    expect((await ada.share(calendar.id, bob)).status).toBe(201)
  })

  test('can be taken back, and its notification goes', async () => {
    const { ada, bob, calendar, id } = await invitedTo()
    expect((await ada.dismiss(calendar.id, id)).status).toBe(204)
    expect(await bob.told()).toEqual([])
    expect(await bob.accept(id)).toMatchObject(gone)
  })

  test('ends with the calendar, as does its notification', async () => {
    const { ada, bob, calendar, id } = await invitedTo()
    await ada.deleteCalendar(calendar.id)
    expect([await bob.told(), (await bob.invites()).body.invites]).toEqual([[], []])
    expect(await bob.accept(id)).toMatchObject(gone)
  })

  test('is not found by others, nor by its owner', async () => {
    const { ada, bob, id } = await invitedTo()
    for (const other of [ada, await sharer(h)]) {
      expect(await other.accept(id)).toMatchObject(gone)
      expect(await other.reject(id)).toMatchObject(gone)
    }
    expect((await bob.invites()).body.invites).toHaveLength(1)
    for (const path of ['x', '0', '2147483648', '-1']) {
      const answered = await bob.request('PUT', `/api/calendars/invites/${path}/accept`)
      expect([path, answered]).toMatchObject([path, gone])
    }
  })
})
