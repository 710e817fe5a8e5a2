import { describe, expect, test } from 'bun:test'
import { uuidV7 } from '../../../../src/lib/uuid'
import { UNDOABLE } from '../../../../src/features/overview/operations/rules'
import { project, sceneOf, series, todos } from '../../../support/doing.scene'
import { befriend } from '../../../support/inviting'
import { documentOf, operationsOf } from '../../../support/openapi'
import { sharedWith, sharer } from '../../../support/sharing'
import { insertToken } from '../../../support/tokens'
import { brief, did, rowsOf, undo, undone } from '../../../support/undoing'
import { useHarness } from '../../../support/use-harness'
import { NEVER_UNDONE } from './never-undone'

const h = useHarness({ per: 'test' })

describe('what changed since is not overwritten', () => {
  test('a record that was changed again is named, and stays', async () => {
    const all = await sceneOf(h)
    const [id] = await todos(all)
    const first = await did(all.me, `PUT /api/todos/${id}`, { title: 'One' })
    const second = await did(all.me, `PUT /api/todos/${id}`, { title: 'Two' })
    const before = await rowsOf(h.db)
    const refused = await undo(all.me, first.operation)
    expect(brief(refused)).toBe('409 Changed since')
    expect(refused.body).toMatchObject({ code: 'changed_since', items: [{ type: 'todo', id, title: 'Two' }] })
    expect(await rowsOf(h.db)).toEqual(before)
    await undone(all.me, second.operation)
    expect(brief(await undo(all.me, first.operation))).toBe('200 undone')
  })

  test('a stack of operations is undone in reverse order, to the beginning and forward again', async () => {
    const all = await sceneOf(h)
    const states = [await rowsOf(h.db)]
    const stack: string[] = []
    const act = async (request: string, body?: unknown) => {
      const done = await did(all.me, request, body)
      stack.push(done.operation)
      states.push(await rowsOf(h.db))
      return Number(done.body.id)
    }
    const id = await act('POST /api/projects', { name: 'House' })
    const task = await act(`POST /api/projects/${id}/tasks`, { title: 'Roof' })
    await act(`PUT /api/projects/${id}/tasks/${task}`, { status: 'completed', position: 1 })
    await act(`POST /api/projects/${id}/tasks/${task}/comments`, { body: 'Dry' })
    await act(`DELETE /api/projects/${id}`)
    const undoings: string[] = []
    for (const [place, operation] of stack.toReversed().entries()) {
      undoings.push(await undone(all.me, operation))
      expect(await rowsOf(h.db)).toEqual(states[stack.length - 1 - place] ?? new Map())
    }
    for (const [place, operation] of undoings.toReversed().entries()) {
      await undone(all.me, operation)
      expect(await rowsOf(h.db)).toEqual(states[place + 1] ?? new Map())
    }
  })

  test('a calendar or project in which something was made since is not taken away with it', async () => {
    const all = await sceneOf(h)
    const made = await did(all.me, 'POST /api/calendars', { name: 'Choir' })
    const event = await series(all, made.body.id)
    const house = await did(all.me, 'POST /api/projects', { name: 'House' })
    const task = await did(all.me, `POST /api/projects/${house.body.id}/tasks`, { title: 'Roof' })
    const before = await rowsOf(h.db)
    const refused = await undo(all.me, made.operation)
    expect(brief(refused)).toBe('409 Changed since')
    expect(refused.body.items).toEqual([{ type: 'event', id: event, title: 'Choir practice' }])
    expect((await undo(all.me, house.operation)).body.items).toEqual([
      { type: 'task', id: task.body.id, title: 'Roof' },
    ])
    expect(await rowsOf(h.db)).toEqual(before)
  })

  test('a calendar that was shared since is not taken away', async () => {
    const ada = await sharer(h)
    const bob = await sharer(h)
    await befriend(h, ada, [bob])
    const made = await did(ada, 'POST /api/calendars', { name: 'Choir' })
    await ada.share(made.body.id, bob)
    expect(brief(await undo(ada, made.operation))).toBe('409 Changed since')
  })

  test('an operation is undone once, and of two attempts at once one succeeds', async () => {
    const all = await sceneOf(h)
    const ids = await todos(all, 6)
    for (const id of ids) {
      const { operation } = await did(all.me, `DELETE /api/todos/${id}`)
      const outcomes = await Promise.all([undo(all.me, operation), undo(all.me, operation)])
      expect(outcomes.map(brief).toSorted()).toEqual(['200 undone', '409 Changed since'])
      expect(brief(await undo(all.me, operation))).toBe('409 Changed since')
    }
  })

  test('a task whose project is gone waits for it', async () => {
    const all = await sceneOf(h)
    const house = await project(all)
    const { operation } = await did(all.me, `DELETE ${house.path}/${house.first}`)
    await did(all.me, `DELETE /api/projects/${house.id}`)
    expect(brief(await undo(all.me, operation))).toBe('409 Restore the project first')
  })
})

describe('whoever may not write does not undo', () => {
  test('to others an operation is as absent as one that never was', async () => {
    const all = await sceneOf(h)
    const [id] = await todos(all)
    const { operation } = await did(all.me, `DELETE /api/todos/${id}`)
    const answers = await Promise.all(
      [
        operation,
        uuidV7(new Date(), 0, crypto.getRandomValues(new Uint8Array(16))),
        crypto.randomUUID(),
        '1',
        'x',
      ].map(async (one) => undo(all.guest, one)),
    )
    expect(new Set(answers.map(brief))).toEqual(new Set(['404 Operation not found']))
    expect(brief(await undo(all.me, operation))).toBe('200 undone')
  })

  test('a writer undoes in a lent calendar as long as they may write, and its owner always', async () => {
    const { ada, bob, calendar: choir, member } = await sharedWith(h, 'write')
    const make = () =>
      did(bob, 'POST /api/events', {
        title: 'Song',
        start_at: '2026-03-10T09:00',
        end_at: '2026-03-10T10:00',
        calendar_id: choir.id,
      })
    const [first, second, third] = [await make(), await make(), await make()]
    expect(brief(await undo(bob, first.operation))).toBe('200 undone')
    await ada.permit(choir.id, member.id, 'read')
    expect(brief(await undo(bob, second.operation))).toBe('403 Insufficient permissions')
    expect(brief(await undo(ada, second.operation))).toBe('200 undone')
    await ada.dismiss(choir.id, member.id)
    expect(brief(await undo(bob, third.operation))).toBe('403 Insufficient permissions')
  })

  test('of the owner and the writer who undo at once, one succeeds', async () => {
    const { ada, bob, calendar: choir } = await sharedWith(h, 'write')
    const event = { title: 'Song', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
    for (let round = 0; round < 8; round++) {
      const { operation } = await did(bob, 'POST /api/events', { ...event, calendar_id: choir.id })
      const outcomes = await Promise.all([undo(ada, operation), undo(bob, operation)])
      expect(outcomes.map(brief).toSorted()).toEqual(['200 undone', '409 Changed since'])
    }
  })

  test('an access token undoes what it might have done, and no change of the settings', async () => {
    const all = await sceneOf(h)
    const [id] = await todos(all)
    const { operation } = await did(all.me, `DELETE /api/todos/${id}`)
    const settings = await did(all.me, 'PUT /api/settings', { first_name: 'Ada' })
    const attempt = async (operationId: string, scopes: Parameters<typeof insertToken>[2]) => {
      const { token } = await insertToken(h, all.me.row.id, scopes)
      const path = `/api/operations/${operationId}/undo`
      return brief(await h.request('POST', path, { headers: { authorization: `Bearer ${token}` } }))
    }
    const refused = '403 This access token may not do that'
    expect(await attempt(operation, { scopes: ['tasks:read', 'calendars:write'] })).toBe(refused)
    expect(await attempt(operation, { scopes: ['tasks:write'] })).toBe('200 undone')
    expect(await attempt(settings.operation, { scopes: ['overview:read', 'tasks:write'] })).toBe(refused)
  })
})

describe('what two users have agreed on, or an account is, is not undone', () => {
  test('every operation is either undoable or named here', async () => {
    const operations = operationsOf(await documentOf(h.app.fetch))
    const changing = operations.filter(({ method }) => method !== 'GET')
    const names = changing.map(({ operation }) => operation.operationId ?? '')
    expect(names.toSorted()).toEqual([...UNDOABLE, ...NEVER_UNDONE].toSorted())
  })

  test('invitations, shares, feeds, notifications and tokens stay as they are', async () => {
    const { ada, bob, calendar: choir } = await sharedWith(h, 'write')
    const event = await series({ me: ada, guest: bob, connection: 0 })
    const invitations = (await bob.invitations()).body.invitations
    const deeds = [
      await did(ada, `POST /api/calendars/${choir.id}/feed`),
      await did(bob, `PUT /api/event-invitations/${invitations[0].id}`, { response: 'Declined' }),
      await did(ada, `DELETE /api/events/${event}/invitations/${invitations[0].id}`),
      await did(bob, 'PUT /api/notifications/read-all'),
      await did(ada, 'POST /api/auth/tokens', { name: 'x', scopes: ['tasks:read'] }),
    ]
    for (const { operation } of deeds) {
      expect(brief(await undo(ada, operation))).toMatch(
        /^(?:409 This cannot be undone|404 Operation not found)$/,
      )
      expect(brief(await undo(bob, operation))).toMatch(
        /^(?:409 This cannot be undone|404 Operation not found)$/,
      )
    }
  })

  test('what a change shows to others, or where it sends messages, is not undone, and the list says so beforehand', async () => {
    const { me } = await sceneOf(h)
    const undoable = async () =>
      (await me.request('GET', '/api/operations?limit=1')).body.operations[0].undoable
    for (const body of [{ share_email: true }, { accept_connections: false }, { ntfy_topic: 'elsewhere' }]) {
      const { operation } = await did(me, 'PUT /api/settings', body)
      expect([body, await undoable(), brief(await undo(me, operation))]).toEqual([
        body,
        false,
        '409 This cannot be undone',
      ])
      // Nor because something else was changed since.
      await did(me, 'PUT /api/settings', { first_name: JSON.stringify(body) })
      expect(brief(await undo(me, operation))).toBe('409 This cannot be undone')
    }
    const mixed = await did(me, 'PUT /api/settings', { share_phone: true, last_name: 'Lovelace' })
    expect(await undoable()).toBe(true)
    expect((await undo(me, mixed.operation)).status).toBe(200)
    expect((await me.request('GET', '/api/settings')).body).toMatchObject({
      share_phone: true,
      last_name: null,
    })
    expect(await undoable()).toBe(true)
  })

  test('a change of the settings that changed the handle or e-mail is not undone, not even in part', async () => {
    const { me } = await sceneOf(h)
    const { operation } = await did(me, 'PUT /api/settings', { email: 'ada@example.org', first_name: 'Ada' })
    expect(brief(await undo(me, operation))).toBe('409 This cannot be undone')
    const images = await h.db.execute(
      `select from history where before::text like '%example.org%' or before::text like '%fake:%'`,
    )
    expect(images).toHaveLength(0)
  })
})

test('a calendar in which somebody else’s event was seen comes back with it, or without it if it is gone', async () => {
  const all = await sceneOf(h)
  const seen = async () => (await all.guest.invitations()).body.invitations[0]?.display_calendar_id
  const [first, second] = [await series(all), await series(all)]
  for (const { id } of (await all.guest.invitations()).body.invitations) {
    const own = await did(all.guest, 'POST /api/calendars', { name: `Seen ${id}` })
    await all.guest.display(id, own.body.id)
  }
  const shown = await seen()
  const { operation } = await did(all.guest, `DELETE /api/calendars/${shown}`)
  expect(await seen()).toBeNull()
  const undoing = await undone(all.guest, operation)
  expect(await seen()).toBe(shown)
  const again = await undone(all.guest, undoing)
  for (const id of [first, second]) await did(all.me, `DELETE /api/events/${id}`)
  await undone(all.guest, again)
  expect((await all.guest.request('GET', `/api/calendars/${shown}`)).status).toBe(200)
})
