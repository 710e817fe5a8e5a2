import { beforeEach, expect, test } from 'bun:test'
import { Follower } from '../../../support/changes'
import { at } from '../../../support/events'
import { CANARY, DAYS, SECOND, type Secrets, secrets, THIRD } from '../../../support/private-events'
import { titles } from '../../../support/searching'
import { did, undo, undone } from '../../../support/undoing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })
let scene: Secrets
beforeEach(async () => {
  scene = await secrets(h)
})

const CLOSED = { detail: 'Only the owner of the calendar can change a private event' }
const HIDING = { detail: 'Only the owner of the calendar can make an event private' }

const MASKED = {
  title: 'Busy',
  description: null,
  location: null,
  reminder_minutes: null,
  visibility: 'private',
  access: 'read',
  my_invitation: null,
}

test('a member sees of a private event the title Busy and its times, and may only read it', async () => {
  const { bob, id, shared } = scene
  const { status, body } = await bob.read(id)
  expect(status).toBe(200)
  const { version: _, created_at: _created, updated_at: _updated, ...seen } = body
  expect(seen).toEqual({
    ...MASKED,
    id,
    calendar_id: shared.id,
    calendar_name: 'Choir',
    calendar_color: shared.color,
    all_day: false,
    start_at: '2026-03-10T10:00:00+01:00',
    end_at: '2026-03-10T11:00:00+01:00',
    time_zone: 'UTC',
    start_date: null,
    end_date: null,
    recurrence_rule: 'FREQ=DAILY;COUNT=4',
    recurrence_unsupported: false,
    is_virtual: false,
    occurrence_start: null,
    is_override: false,
  })
})

test('of the occurrences of a private series a member sees which were moved and deleted, not which have other texts', async () => {
  const { bob, id, shared } = scene
  const { body } = await bob.occurrences(id, DAYS.from, DAYS.to)
  const seen = body.occurrences.map((one: Record<string, unknown>) => [
    one['title'],
    String(one['start_at']).slice(5, 16),
    one['is_override'],
  ])
  expect(seen).toEqual([
    ['Busy', '03-10T10:00', false],
    ['Busy', '03-11T10:00', false],
    ['Busy', '03-12T12:00', true],
  ])
  const listed = await bob.request('GET', `/api/calendars/${shared.id}/events`)
  const whole = listed.body.events.find((one: { id: number }) => one.id === id)
  expect(whole).toMatchObject({ title: 'Busy', visibility: 'private', invitations: [] })
  expect(whole.overrides.map(({ title, start_at: start }: Record<string, string>) => [title, start])).toEqual(
    [['Busy', '2026-03-12T12:00:00+01:00']],
  )
  expect(whole.exceptions).toHaveLength(1)
})

test('a member finds no private event by its words, neither by a search nor in a window', async () => {
  const { ada, bob } = scene
  expect(await titles(bob, CANARY)).toEqual([])
  expect(await titles(ada, CANARY)).toHaveLength(2)
  expect(await bob.list(DAYS.from, DAYS.to, { q: CANARY })).toEqual([])
  expect((await ada.list(DAYS.from, DAYS.to, { q: CANARY })).length).toBeGreaterThan(3)
  expect((await bob.list(DAYS.from, DAYS.to)).map(({ title }) => title)).toEqual(
    Array.from({ length: 6 }, () => 'Busy'),
  )
})

test('a member cannot change, move, delete or invite to a private event, in any scope', async () => {
  const { bob, guest, id } = scene
  const own = await bob.createCalendar('Own')
  const refused = await Promise.all([
    bob.change(id, { title: 'Mine' }),
    bob.change(id, { visibility: 'public' }),
    bob.change(id, { start_at: '2026-03-10T08:00Z' }),
    bob.change(id, { calendar_id: own.id }),
    ...['this', 'following'].flatMap((scope) => [
      bob.change(id, { title: 'Mine' }, at(SECOND, scope)),
      bob.remove(id, at(SECOND, scope)),
    ]),
    bob.remove(id),
    bob.invite(id, guest),
  ])
  expect(refused.map(({ status, body }) => ({ status, ...body }))).toEqual(
    refused.map(() => ({ status: 403, ...CLOSED })),
  )
})

test('a member can neither create a private event in a calendar of somebody else, nor make one of it, nor move one there', async () => {
  const { bob, shared } = scene
  const times = { start_at: '2026-03-10T09:00Z', end_at: '2026-03-10T10:00Z' }
  const open = await bob.create({ ...times, calendar_id: shared.id })
  const own = await bob.create({ ...times, visibility: 'private' })
  expect(own).toMatchObject({ title: 'Choir', visibility: 'private', access: 'owner' })
  const refused = await Promise.all([
    bob.attempt({ ...times, calendar_id: shared.id, visibility: 'private' }),
    bob.change(open.id, { visibility: 'private' }),
    bob.change(own.id, { calendar_id: shared.id }),
  ])
  expect(refused.map(({ status, body }) => ({ status, ...body }))).toEqual(
    refused.map(() => ({ status: 403, ...HIDING })),
  )
  expect((await bob.change(own.id, { calendar_id: shared.id, visibility: 'public' })).status).toBe(200)
})

test('one occurrence has no visibility of its own, and a series keeps its own when it is divided', async () => {
  const { ada, bob, id } = scene
  const refused = await ada.change(id, { visibility: 'public' }, at(SECOND))
  expect(refused).toMatchObject({ status: 422 })
  expect(refused.body.errors).toEqual([{ field: 'body.visibility', message: 'belongs to the whole series' }])
  expect((await ada.change(id, { visibility: 'private', title: 'Other' }, at(SECOND))).status).toBe(200)
  const rest = await ada.change(id, { title: 'Rest' }, at(THIRD, 'following'))
  expect(rest.body).toMatchObject({ title: 'Rest', visibility: 'private' })
  expect((await bob.read(rest.body.id)).body).toMatchObject(MASKED)
})

test('members hear that an event became private, and that it is public again once that is undone', async () => {
  const { ada, bob, shared } = scene
  const times = { start_at: '2026-03-10T09:00Z', end_at: '2026-03-10T10:00Z' }
  const { id } = await ada.create({ ...times, title: 'Rehearsal', calendar_id: shared.id })
  const follower = new Follower(bob)
  await follower.catchUp()
  const { operation } = await did(ada, `PUT /api/events/${id}`, { visibility: 'private' })
  expect(await follower.catchUp()).toMatchObject([{ type: 'event', id, item: { title: 'Busy' } }])
  await undone(ada, operation)
  expect(await follower.catchUp()).toMatchObject([
    { type: 'event', id, item: { title: 'Rehearsal', visibility: 'public' } },
  ])
})

test('what a member did before an event became private cannot be undone by them, and tells them nothing', async () => {
  const { ada, bob, shared } = scene
  const times = { start_at: '2026-03-10T09:00Z', end_at: '2026-03-10T10:00Z' }
  const { id } = await ada.create({ ...times, title: 'Rehearsal', calendar_id: shared.id })
  const { operation } = await did(bob, `PUT /api/events/${id}`, { location: 'Hall' })
  await did(ada, `PUT /api/events/${id}`, { visibility: 'private', title: CANARY })
  expect(await undo(bob, operation)).toMatchObject({ status: 403, body: CLOSED })
  expect((await ada.read(id)).body).toMatchObject({ title: CANARY, location: 'Hall' })
  const { body } = await bob.request('GET', `/api/events/${id}/history`)
  expect(body.versions.map(({ item }: { item: object }) => item)).toEqual(
    body.versions.map(() => expect.objectContaining(MASKED)),
  )
})

test('the versions that an event had while it was private stay closed to members when it is public again', async () => {
  const { ada, bob, id } = scene
  await did(ada, `PUT /api/events/${id}`, { title: 'Open', visibility: 'public' })
  const { body } = await bob.request('GET', `/api/events/${id}/history`)
  const seen = body.versions.map(({ item }: { item: Record<string, string> }) => [
    item['visibility'],
    item['title'],
  ])
  expect(seen.slice(0, 2)).toEqual([
    ['public', 'Open'],
    ['private', 'Busy'],
  ])
})

test('a member who is invited to a private event reads it, and still cannot change it', async () => {
  const { ada, bob, id } = scene
  await ada.invite(id, bob)
  const { body } = await bob.read(id)
  expect(body).toMatchObject({ title: `${CANARY} second`, visibility: 'private', access: 'read' })
  expect(await bob.change(id, { title: 'Mine' })).toMatchObject({ status: 403, body: CLOSED })
  const { body: history } = await bob.request('GET', `/api/events/${id}/history`)
  const former = history.versions.slice(1).map(({ item }: { item: { title: string } }) => item.title)
  expect(new Set(former)).toEqual(new Set(['Busy']))
})

test('a member who deleted an event does not find it in their trash once it came back and its owner deleted it as private', async () => {
  const { ada, bob, shared } = scene
  const times = { start_at: '2026-03-10T09:00Z', end_at: '2026-03-10T10:00Z' }
  const { id } = await ada.create({ ...times, title: 'Rehearsal', calendar_id: shared.id })
  const gone = await did(bob, `DELETE /api/events/${id}`)
  await undone(ada, gone.operation)
  await did(ada, `PUT /api/events/${id}`, { visibility: 'private', title: CANARY })
  await did(ada, `DELETE /api/events/${id}`)
  expect((await bob.request('GET', '/api/trash')).body.items).toEqual([])
  const [entry] = (await ada.request('GET', '/api/trash')).body.items
  expect(entry).toMatchObject({ title: CANARY })
  const restored = await did(ada, `POST /api/trash/${entry.id}/restore`)
  expect(restored.body.item).toMatchObject({ title: CANARY, visibility: 'private' })
  expect((await bob.read(id)).body).toMatchObject(MASKED)
})
