import { describe, expect, test } from 'bun:test'
import { keepHistory } from '../../../../src/access/history/service'
import { purge } from '../../../../src/jobs/purge'
import { calendar, contact, sceneOf, series, todos } from '../../../support/doing.scene'
import { PASSWORD } from '../../../support/harness'
import { sharedWith } from '../../../support/sharing'
import { brief, did, historyRows, undo, type Undoer, undone } from '../../../support/undoing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

describe('the past is kept for HISTORY_DAYS', () => {
  test('after 30 days an operation is too old, and its rows are gone', async () => {
    const all = await sceneOf(h)
    const [id] = await todos(all)
    const { operation } = await did(all.me, `DELETE /api/todos/${id}`)
    h.clock.advance({ days: 29 })
    let again = await h.session(all.me.row.id)
    const me: Undoer = {
      request: (method, path, sent) => h.request(method, path, { ...sent, cookie: again.token }),
    }
    const other = await did(me, 'POST /api/todos', { title: 'Later' })
    await did(me, `DELETE /api/todos/${other.body.id}`)
    h.clock.advance({ days: 2 })
    again = await h.session(all.me.row.id)
    expect(brief(await undo(me, operation))).toBe('410 Too old to undo')
    await purge(h.deps, () => false)
    expect(await historyRows(h, operation)).toBe(0)
    expect(await historyRows(h)).toBeGreaterThan(0)
    expect(brief(await undo(me, operation))).toBe('410 Too old to undo')
    const trash = (await me.request('GET', '/api/trash')).body.items
    expect(trash).toHaveLength(1)
  })

  test('with HISTORY_DAYS=0 nothing is kept', async () => {
    await keepHistory(h.deps, 0)
    const all = await sceneOf(h)
    const [id] = await todos(all)
    await did(all.me, `DELETE /api/todos/${id}`)
    expect(await historyRows(h)).toBe(0)
    expect((await all.me.request('GET', '/api/trash')).body.items).toEqual([])
    await keepHistory(h.deps, 30)
    await todos(all, 1)
    expect(await historyRows(h)).toBeGreaterThan(0)
  })

  test('HISTORY_DAYS=0 ends what was kept before', async () => {
    const all = await sceneOf(h)
    const [id] = await todos(all, 1)
    const { operation } = await did(all.me, `DELETE /api/todos/${id}`)
    expect(await historyRows(h, operation)).toBeGreaterThan(0)
    await keepHistory(h.deps, 0)
    expect(await historyRows(h, operation)).toBe(0)
  })

  test('a restart with the same HISTORY_DAYS keeps what was kept', async () => {
    const all = await sceneOf(h)
    const [id] = await todos(all, 1)
    const { operation } = await did(all.me, `DELETE /api/todos/${id}`)
    await keepHistory(h.deps, 30)
    await undone(all.me, operation)
    expect((await all.me.request('GET', `/api/todos/${id}`)).status).toBe(200)
  })

  test('what was kept before a gap is not put back over what changed in it', async () => {
    const ada = await h.signedIn()
    const { id } = (await ada.request('POST', '/api/todos', { body: { title: 'one' } })).body
    const { headers } = await ada.request('PUT', `/api/todos/${id}`, { body: { title: 'two' } })
    await keepHistory(h.deps, 0)
    await ada.request('PUT', `/api/todos/${id}`, { body: { title: 'three' } })
    await keepHistory(h.deps, 30)
    const path = `/api/operations/${headers.get('x-operation-id')}/undo`
    expect((await ada.request('POST', path)).status).toBeGreaterThan(399)
    expect((await ada.request('GET', `/api/todos/${id}`)).body.title).toBe('three')
  })

  test('the trash stays when the account of a guest, or of an organiser, goes', async () => {
    const { ada, bob } = await sharedWith(h, 'read')
    const event = await ada.create({
      title: 'Choir',
      start_at: '2026-03-10T09:00',
      end_at: '2026-03-10T10:00',
    })
    const { body } = await ada.invite(event.id, bob)
    const shown = (await bob.request('POST', '/api/calendars', { body: { name: 'Shown' } })).body.id
    const invitation = body.invitations[0].id
    const chosen = { body: { calendar_id: shown } }
    await bob.request('PUT', `/api/event-invitations/${invitation}/display-calendar`, chosen)
    await bob.request('DELETE', `/api/calendars/${shown}`)
    await ada.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
    const { items } = (await bob.request('GET', '/api/trash')).body
    expect(items).toMatchObject([{ type: 'calendar', title: 'Shown' }])
    expect((await bob.request('POST', `/api/trash/${items[0].id}/restore`)).status).toBe(200)
  })

  test('the history of an account goes with it, also what others did there', async () => {
    const { ada, bob, calendar: choir } = await sharedWith(h, 'write')
    await did(bob, 'POST /api/events', {
      title: 'Canary by a writer',
      start_at: '2026-03-10T09:00',
      end_at: '2026-03-10T10:00',
      calendar_id: choir.id,
    })
    const kept = await did(bob, 'POST /api/todos', { title: 'Kept' })
    await did(bob, `PUT /api/todos/${kept.body.id}`, { title: 'Still kept' })
    const own = await did(ada, 'POST /api/todos', { title: 'Canary' })
    await did(ada, `PUT /api/todos/${own.body.id}`, { title: 'Changed canary' })
    await did(ada, `DELETE /api/calendars/${choir.id}`)
    expect((await ada.deleteAccount()).status).toBe(204)
    const left = await h.db.execute<{ owner_id: number | null }>(`select distinct owner_id from history`)
    expect(left.map((row) => row.owner_id)).toEqual([bob.row.id])
    expect(await h.db.execute(`select from history where before::text ilike '%canary%'`)).toHaveLength(0)
  })
})

test('no history names a user whose account is gone, and what named them comes back without the link', async () => {
  const all = await sceneOf(h)
  const [changed, deleted] = [await contact(all), await contact(all)]
  for (const id of [deleted, changed]) {
    await did(all.me, `PUT /api/people/${id}/link`, { connection_id: all.connection })
    await did(all.me, `PUT /api/people/${id}`, { nickname: 'Amazing' })
  }
  const { operation } = await did(all.me, `PUT /api/people/${changed}`, { nickname: 'Grace' })
  await did(all.me, `DELETE /api/people/${deleted}`)
  await did(all.me, `DELETE /api/events/${await series(all)}`)
  await series(all)
  const [invitation] = (await all.guest.invitations()).body.invitations
  await all.guest.respond(invitation.id, 'Tentative', '2026-03-11T09:00')
  const { id } = all.guest.row
  const naming = () =>
    h.db.execute(
      `select tab, key from history, jsonb_each(before) where tab <> 'users' and key ~ '(user|author)_id' and value = '${id}' or tab = 'occurrence_responses'`,
    )
  expect((await naming()).length).toBeGreaterThan(0)
  expect((await all.guest.deleteAccount()).status).toBe(204)
  expect([...(await naming())]).toEqual([])
  await undone(all.me, operation)
  const [item] = (await all.me.request('GET', '/api/trash?type=person')).body.items
  await did(all.me, `POST /api/trash/${item.id}/restore`)
  for (const person of [changed, deleted])
    expect((await all.me.request('GET', `/api/people/${person}`)).body.linked_user_id).toBeNull()
})

test('a recurring todo that opens by itself during an operation is no part of it', async () => {
  const all = await sceneOf(h)
  const [first, second] = await todos(all, 2)
  await did(all.me, `POST /api/todos/${first}/toggle`)
  h.clock.advance({ days: 6 })
  const { operation } = await did(all.me, `PUT /api/todos/${second}`, { title: 'Other' })
  const opened = (await all.me.request('GET', `/api/todos/${first}`)).body
  expect(opened.completed).toBe(false)
  await undone(all.me, operation)
  expect((await all.me.request('GET', `/api/todos/${first}`)).body).toEqual(opened)
})

test('a guest hears once that an event to come is there again, and has answered it as before', async () => {
  const all = await sceneOf(h)
  const choir = await calendar(all)
  const event = await series(all, choir)
  const before = (await all.guest.invitations()).body
  const { operation } = await did(all.me, `DELETE /api/calendars/${choir}`)
  await all.guest.catchUp()
  await undone(all.me, operation)
  expect((await all.guest.invitations()).body).toEqual(before)
  const news = (await all.guest.request('GET', '/api/notifications?unread=true')).body.notifications
  expect(news.map(({ type, data }: Record<string, unknown>) => ({ type, data }))).toMatchObject([
    { type: 'event_changed', data: { event_id: event } },
  ])
})

test('an invitation comes back only while its guest is connected with the owner', async () => {
  const all = await sceneOf(h)
  const event = await series(all)
  const { operation } = await did(all.me, `DELETE /api/events/${event}`)
  await all.me.disconnect(all.connection)
  await undone(all.me, operation)
  expect((await all.guest.invitations()).body.invitations).toEqual([])
  expect((await all.me.request('GET', `/api/events/${event}`)).status).toBe(200)
})
