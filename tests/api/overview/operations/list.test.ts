import { expect, test } from 'bun:test'
import { calendar, project, sceneOf, todos } from '../../../support/doing.scene'
import { insertToken } from '../../../support/tokens'
import { did, undone } from '../../../support/undoing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

test('the list says what was done, to what, with which credential, and whether it can be undone', async () => {
  const { me, guest } = await sceneOf(h)
  const [id = 0] = await todos({ me, guest, connection: 0 }, 1)
  await did(me, `PUT /api/todos/${id}`, { title: 'Renamed' })
  const { token } = await insertToken(h, me.row.id, { scopes: ['tasks:write'] })
  const deleted = await h.request('DELETE', `/api/todos/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(deleted.status).toBe(204)
  await did(me, 'PUT /api/notifications/read-all')
  const { body } = await me.request('GET', '/api/operations?limit=4')
  const items = [{ type: 'todo', id }]
  expect(body.operations).toMatchObject([
    {
      operation: 'readAllNotifications',
      title: null,
      items: [],
      undoable: false,
      credential: { type: 'session' },
    },
    {
      id: deleted.headers.get('x-operation-id'),
      operation: 'deleteTodo',
      title: 'Renamed',
      items,
      undoable: true,
      credential: { type: 'token', name: expect.any(String) },
    },
    { operation: 'changeTodo', title: 'Todo 1', items, undoable: true },
    { operation: 'createTodo', title: 'Todo 1', items, undoable: true },
  ])
  expect(JSON.stringify(body)).not.toContain(me.sid)
  await undone(me, body.operations[1].id)
  const [undoing, , again] = (await me.request('GET', '/api/operations')).body.operations
  expect(undoing).toMatchObject({ operation: 'undoOperation', title: 'Renamed', items, undoable: true })
  expect(again).toMatchObject({ operation: 'deleteTodo', undoable: false })
})

test('pages of the list go on where the last one ended, and nobody sees what others did', async () => {
  const all = await sceneOf(h)
  const before: unknown[] = (await all.guest.request('GET', '/api/operations')).body.operations
  await calendar(all)
  await project(all)
  const names: string[] = []
  let cursor = ''
  for (let page = 0; page < 10; page++) {
    const { body } = await all.me.request('GET', `/api/operations?limit=3${cursor}`)
    names.push(...body.operations.map(({ operation }: { operation: string }) => operation))
    if (body.next_cursor === null) break
    cursor = `&cursor=${body.next_cursor}`
  }
  expect(names.filter((name) => name.startsWith('create'))).toEqual([
    'createComment',
    ...Array.from({ length: 5 }, () => 'createTask'),
    'createProject',
    'createCalendar',
  ])
  expect((await all.guest.request('GET', '/api/operations')).body.operations).toEqual(before)
})

test('an access token is told of items in the areas that it may read', async () => {
  const all = await sceneOf(h)
  await todos(all, 1)
  await calendar(all)
  const { token } = await insertToken(h, all.me.row.id, { scopes: ['calendars:read'] })
  const { body } = await h.request('GET', '/api/operations?limit=2', {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(body.operations).toMatchObject([
    {
      operation: 'createCalendar',
      title: 'Choir',
      items: [{ type: 'calendar' }],
      credential: { type: 'session', id: null, name: null },
    },
  ])
})
