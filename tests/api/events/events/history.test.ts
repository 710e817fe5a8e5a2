import { expect, test } from 'bun:test'
import type { Actor } from '../../../support/harness'
import { invitedTo } from '../../../support/inviting'
import { sharedWith, sharer } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const TIMES = { start_at: '2026-05-01T10:00', end_at: '2026-05-01T11:00' }

const historyOf = (actor: Actor, id: number) => actor.request('GET', `/api/events/${id}/history`)

interface Version {
  readonly version: number
  readonly changed_by: { readonly user_id: number } | null
  readonly item: { readonly title: string; readonly calendar_id: number; readonly access: string }
}

/** The titles of the versions, with whoever made them. */
async function toldTo(actor: Actor, id: number) {
  const { status, body } = await historyOf(actor, id)
  expect(status).toBe(200)
  return (body.versions as Version[]).map(({ item, changed_by }) => [item.title, changed_by?.user_id])
}

const rename = async (actor: Actor, id: number, title: string) =>
  expect((await actor.request('PUT', `/api/events/${id}`, { body: { title } })).status).toBe(200)

test('a member of the calendar sees the versions of its events as their own view, and which member made them', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  const { id } = await ada.create({ ...TIMES, title: 'One', calendar_id: calendar.id })
  await rename(bob, id, 'Two')
  const expected = [
    ['Two', bob.row.id],
    ['One', ada.row.id],
  ]
  expect(await toldTo(ada, id)).toEqual(expected)
  expect(await toldTo(bob, id)).toEqual(expected)
  const { versions } = (await historyOf(bob, id)).body
  expect(versions.map(({ item }: Version) => item.access)).toEqual(['write', 'write'])
})

test('a member who has gone sees no version, and who has a block with another is not told what that one did', async () => {
  const { ada, bob, calendar, member } = await sharedWith(h, 'write')
  const cleo = await sharer(h)
  const { id } = await ada.create({ ...TIMES, title: 'One', calendar_id: calendar.id })
  await rename(bob, id, 'Two')
  await ada.share(calendar.id, cleo)
  expect((await historyOf(cleo, id)).status).toBe(404)
  const blocked = await ada.request('POST', '/api/connections/blocks', {
    body: { network_name: bob.row.networkName },
  })
  expect(blocked.status).toBe(201)
  expect(await toldTo(ada, id)).toEqual([
    ['Two', undefined],
    ['One', ada.row.id],
  ])
  expect(member.status).toBe('pending')
  expect((await historyOf(bob, id)).status).toBe(404)
})

test('the versions that an event had in a calendar of its owner alone stay the owner’s', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'read')
  const secret = await ada.createCalendar('Secret')
  const { id } = await ada.create({ ...TIMES, title: 'Surprise', calendar_id: secret.id })
  await rename(ada, id, 'Party')
  const moved = { calendar_id: calendar.id, title: 'Dinner' }
  expect((await ada.request('PUT', `/api/events/${id}`, { body: moved })).status).toBe(200)
  await rename(ada, id, 'Supper')
  const titles = async (actor: Actor) => (await toldTo(actor, id)).map(([title]) => title)
  expect(await titles(bob)).toEqual(['Supper', 'Dinner'])
  expect(await titles(ada)).toEqual(['Supper', 'Dinner', 'Party', 'Surprise'])
  const { versions } = (await historyOf(ada, id)).body
  expect(versions.map(({ item }: Version) => item.calendar_id)).toEqual([
    calendar.id,
    calendar.id,
    secret.id,
    secret.id,
  ])
})

test('whoever sees an event by invitation alone gets 404 for its versions, as for no event', async () => {
  const { ada, bob, event } = await invitedTo(h, { ...TIMES, title: 'One' })
  await rename(ada, event.id, 'Two')
  expect((await bob.request('GET', `/api/events/${event.id}`)).status).toBe(200)
  const refused = await historyOf(bob, event.id)
  expect([refused.status, refused.body]).toEqual([404, (await historyOf(bob, 2_000_000)).body])
})

test('a change of one occurrence is a version of the event, shown without what the occurrence has for itself', async () => {
  const { ada } = await invitedTo(h, { ...TIMES, title: 'One' })
  const { id } = await ada.create({ ...TIMES, title: 'Daily', recurrence_rule: 'FREQ=DAILY;COUNT=5' })
  const query = 'scope=this&occurrence_start=2026-05-02T10:00:00%2B02:00'
  const changed = await ada.request('PUT', `/api/events/${id}?${query}`, { body: { title: 'Once' } })
  expect(changed.status).toBe(200)
  const { versions } = (await historyOf(ada, id)).body
  expect(versions.map(({ version, item }: Version) => [version, item.title])).toEqual([
    [2, 'Daily'],
    [1, 'Daily'],
  ])
})

test('a version stays when the account of whoever made it goes, and then nobody made it', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  const { id } = await ada.create({ ...TIMES, title: 'One', calendar_id: calendar.id })
  await rename(bob, id, 'Two')
  await rename(ada, id, 'Three')
  expect((await bob.deleteAccount()).status).toBe(204)
  expect(await toldTo(ada, id)).toEqual([
    ['Three', ada.row.id],
    ['Two', undefined],
    ['One', ada.row.id],
  ])
})
