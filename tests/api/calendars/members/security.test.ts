import { beforeAll, describe, expect, test } from 'bun:test'
import { block, notificationsOf } from '../../../support/connecting'
import type { Actor } from '../../../support/harness'
import { befriend } from '../../../support/inviting'
import { sharer } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()
beforeAll(() => {
  h.peer.address = '192.168.7.7'
})

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'
const SHARED = 'Your calendar was shared'

const told = async (actor: Actor) => (await notificationsOf(actor)).filter(({ type }) => type === 'security')
const titles = async (actor: Actor) => (await told(actor)).map(({ title }) => title)

describe('a calendar that is offered to a user', () => {
  const connected = async () => {
    const [ada, bob, cyd] = [await sharer(h), await sharer(h), await sharer(h)]
    await befriend(h, ada, [bob, cyd])
    return { ada, bob, cyd, choir: await ada.createCalendar('Choir') }
  }

  test('is told of to its owner, with the right and the place, once for each user', async () => {
    const { ada, bob, cyd, choir } = await connected()
    const share = async (other: Actor, permission: 'read' | 'write') => {
      const sent = { body: { user_id: other.row.id, permission }, headers: { 'user-agent': FIREFOX } }
      return (await ada.request('POST', `/api/calendars/${choir.id}/members`, sent)).body.id
    }
    const members = [await share(bob, 'read'), await share(cyd, 'write')]
    const [second, first, ...more] = await told(ada)
    expect(more).toEqual([])
    expect([first, second]).toMatchObject([
      { title: SHARED, data: { calendar_id: choir.id, member_id: members[0] }, is_read: false },
      { title: SHARED, data: { calendar_id: choir.id, member_id: members[1] }, is_read: false },
    ])
    expect(second?.message).toContain('read and change')
    for (const word of ['"Choir"', '192.168.7.7', 'Firefox on Linux', 'change your password'])
      expect(first?.message).toContain(word)
    expect(await titles(bob)).toEqual([])
  })

  test('is told of also when it was taken back since, and names nobody who has blocked the owner', async () => {
    const { ada, bob, choir } = await connected()
    const { id } = (await ada.share(choir.id, bob)).body
    expect((await ada.dismiss(choir.id, id)).status).toBe(204)
    await ada.share(choir.id, bob)
    expect((await block(bob, ada)).status).toBe(201)
    const all = await told(ada)
    expect(all.map(({ title }) => title)).toEqual([SHARED, SHARED])
    expect(JSON.stringify(all)).not.toContain(bob.row.networkName)
  })

  test('is not told of when it is refused', async () => {
    const { ada, choir } = await connected()
    const stranger = await sharer(h)
    expect((await ada.share(choir.id, stranger)).status).toBe(404)
    expect(await titles(ada)).toEqual([])
  })
})
