import { describe, expect, test } from 'bun:test'
import { befriend, invitedTo, person } from '../../../support/inviting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const SINGLE = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
const names = (page: { invitations: Array<{ network_name: string }> }) =>
  page.invitations.map((one) => one.network_name)
const titles = (page: { invitations: Array<{ event_title: string }> }) =>
  page.invitations.map((one) => one.event_title)

describe('the list of invitations to an event', () => {
  test('shows all to its owner, by network name, and to each invitee their own alone', async () => {
    const ada = await person(h)
    const guests = await Promise.all([person(h), person(h), person(h)])
    await befriend(h, ada, guests)
    const { id } = await ada.create(SINGLE)
    await ada.invite(id, ...guests.toReversed())
    const all = (await ada.invitationsTo(id)).body
    expect(names(all)).toEqual(guests.map(({ row }) => row.networkName).toSorted())
    expect(all.next_cursor).toBeNull()
    for (const guest of guests) {
      const own = (await guest.invitationsTo(id)).body
      expect(names(own)).toEqual([guest.row.networkName])
      expect(own.invitations).toEqual((await guest.invitations()).body.invitations)
    }
  })

  test('comes in pages, and loses none when an earlier one is deleted', async () => {
    const ada = await person(h)
    const guests = await Promise.all(Array.from({ length: 5 }, () => person(h)))
    await befriend(h, ada, guests)
    const { id } = await ada.create(SINGLE)
    await ada.invite(id, ...guests)
    const all = names((await ada.invitationsTo(id)).body)
    const first = (await ada.invitationsTo(id, '?limit=2')).body
    await ada.uninvite(id, first.invitations[0].id)
    const second = (await ada.invitationsTo(id, `?limit=2&cursor=${first.next_cursor}`)).body
    const third = (await ada.invitationsTo(id, `?limit=2&cursor=${second.next_cursor}`)).body
    expect([...names(first), ...names(second), ...names(third)]).toEqual(all)
    expect(third.next_cursor).toBeNull()
  })

  test('is not found for an event that the caller cannot see', async () => {
    const { event } = await invitedTo(h, SINGLE)
    const stranger = await person(h)
    for (const id of [event.id, 2_147_483_647]) {
      const refused = await stranger.invitationsTo(id)
      expect([refused.status, refused.body]).toEqual([404, { detail: 'Event not found' }])
    }
  })
})

describe('the list of own invitations', () => {
  test('comes newest first, in pages, and by answer', async () => {
    const [ada, bob] = [await person(h), await person(h)]
    await befriend(h, ada, [bob])
    for (const title of ['one', 'two', 'three', 'four', 'five']) {
      await ada.invite((await ada.create({ ...SINGLE, title })).id, bob)
    }
    h.clock.advance({ minutes: 1 })
    await ada.invite((await ada.create({ ...SINGLE, title: 'six' })).id, bob)
    const all = (await bob.invitations()).body
    expect(titles(all)).toEqual(['six', 'five', 'four', 'three', 'two', 'one'])
    const pages = []
    for (let cursor = ''; ;) {
      const page = (await bob.invitations(`?limit=2${cursor}`)).body
      pages.push(titles(page))
      if (page.next_cursor === null) break
      cursor = `&cursor=${page.next_cursor}`
    }
    expect(pages).toEqual([
      ['six', 'five'],
      ['four', 'three'],
      ['two', 'one'],
    ])
    const answered = ['Going', 'Going', 'Tentative', 'Declined'].entries()
    for (const [index, response] of answered) await bob.respond(all.invitations[index].id, response)
    expect(titles((await bob.invitations('?response=going')).body)).toEqual(['six', 'five'])
    expect(titles((await bob.invitations('?response=TENTATIVE')).body)).toEqual(['four'])
    expect(titles((await bob.invitations('?response=Declined')).body)).toEqual(['three'])
    expect((await ada.invitations()).body).toEqual({ invitations: [], next_cursor: null })
  })

  test.each([
    'response=null',
    'response=maybe',
    'response=',
    'limit=0',
    'limit=201',
    'cursor=x',
    'cursor=WzFd',
  ])('refuses ?%s', async (query) => {
    expect((await (await person(h)).invitations(`?${query}`)).status).toBe(422)
  })
})
