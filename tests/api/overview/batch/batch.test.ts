import { describe, expect, test } from 'bun:test'
import { lockWaiters } from '../../../support/locks'
import type { Actor } from '../../../support/harness'
import { createToken, programOf } from '../../../support/tokens'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const holder = useSql(h)
const watcher = useSql(h)
const BATCH = '/api/batch'

type Command = Readonly<Record<string, unknown>>
let count = 0
const command = (method: string, path: string, more: Command = {}): Command => ({
  key: `command ${count++}`,
  method,
  path,
  ...more,
})
const todo = (title: string, more: Command = {}) =>
  command('POST', '/api/todos', { body: { title }, ...more })
const send = async (actor: Pick<Actor, 'request'>, commands: readonly Command[], more: Command = {}) => {
  const { status, body } = await actor.request('POST', BATCH, { body: { commands, ...more } })
  return { status, body, statuses: body.results?.map((result: { status: number }) => result.status) }
}
const titles = async (ada: Actor) =>
  (await ada.request('GET', '/api/todos?limit=200')).body.todos.map(({ title }: { title: string }) => title)

describe('a batch', () => {
  test('runs its commands in their order and answers each as if it had come alone', async () => {
    const ada = await h.signedIn()
    const commands = [todo('one'), todo(''), command('PUT', '/api/todos/999999', { body: {} }), todo('two')]
    const { body, statuses } = await send(ada, commands)
    expect(statuses).toEqual([201, 422, 404, 201])
    expect(body.results.map(({ key }: { key: string }) => key)).toEqual(commands.map(({ key }) => key))
    expect(body.results[0].body).toMatchObject({ title: 'one', version: 1 })
    expect(body.results[2].body).toEqual({ detail: 'Todo not found' })
    expect(await titles(ada)).toEqual(['one', 'two'])
  })

  test('that comes again does nothing again and answers the same', async () => {
    const ada = await h.signedIn()
    const { body: made } = await ada.request('POST', '/api/todos', { body: { title: 'old' } })
    const commands = [
      todo('one'),
      command('PUT', `/api/todos/${made.id}`, { body: { title: 'new' }, if_match: '"1"' }),
      command('POST', `/api/todos/${made.id}/toggle`),
    ]
    const first = await send(ada, commands)
    expect(first.statuses).toEqual([201, 200, 200])
    const second = await send(ada, commands)
    expect(second.statuses).toEqual([201, 200, 200])
    expect(second.body.results[2]).toEqual(first.body.results[2])
    expect(await titles(ada)).toEqual(['new', 'one'])
  })

  test('that made and deleted a record answers a repetition by what each command did, and runs none again', async () => {
    const ada = await h.signedIn()
    const commands = [
      todo('gone', { as: 'gone' }),
      command('PUT', '/api/todos/{ref:gone}', { body: { title: 'going' } }),
      command('DELETE', '/api/todos/{ref:gone}'),
      todo('kept'),
    ]
    const first = await send(ada, commands)
    expect(first.statuses).toEqual([201, 200, 204, 201])
    const second = await send(ada, [...commands, command('PUT', '/api/todos/{ref:gone}', { body: {} })])
    expect(second.statuses).toEqual([410, 410, 204, 201, 404])
    expect(second.body.results[0].body).toEqual({ detail: 'Deleted since' })
    expect(second.body.results[3]).toEqual(first.body.results[3])
  })

  test('refers to the ids of records that its earlier commands made', async () => {
    const ada = await h.signedIn()
    const { body, statuses } = await send(ada, [
      command('POST', '/api/calendars', { body: { name: 'Work' }, as: 'work' }),
      command('POST', '/api/events', {
        body: {
          title: 'Choir',
          calendar_id: '{ref:work}',
          start_at: '2026-03-10T09:00',
          end_at: '2026-03-10T10:00',
        },
      }),
      command('POST', '/api/projects', { body: { name: 'Move' }, as: 'move' }),
      command('POST', '/api/projects/{ref:move}/tasks', { body: { title: 'Pack {ref:move}' } }),
    ])
    expect(statuses).toEqual([201, 201, 201, 201])
    expect(body.results[1].body.calendar_id).toBe(body.results[0].body.id)
    expect(body.results[3].body.title).toBe('Pack {ref:move}')
  })

  test('answers 424 to a command that refers to one that failed, and runs the others', async () => {
    const ada = await h.signedIn()
    const { body, statuses } = await send(ada, [
      command('POST', '/api/projects', { body: { name: '' }, as: 'move' }),
      command('POST', '/api/projects/{ref:move}/tasks', { body: { title: 'Pack' }, as: 'pack' }),
      command('PUT', '/api/todos/reorder', { body: { todo_ids: ['{ref:pack}'] } }),
      todo('two'),
    ])
    expect(statuses).toEqual([422, 424, 424, 201])
    expect(body.results[1].body).toEqual({ detail: 'An earlier command failed' })
  })

  test('answers 422 to a reference to a command that does not come before', async () => {
    const ada = await h.signedIn()
    const { statuses, body } = await send(ada, [
      command('DELETE', '/api/todos/{ref:later}'),
      todo('one', { as: 'later' }),
    ])
    expect(statuses).toEqual([422, 201])
    expect(body.results[0].body.detail).toBe('path: refers to no earlier command')
  })

  test.each([
    ['POST', '/api/auth/logout'],
    ['POST', '/api//auth/logout'],
    ['DELETE', '/api/auth/account'],
    ['GET', '/api/admin/users'],
    ['GET', '/api/export'],
    ['GET', '/api/calendars/1/export'],
    ['POST', '/api/people/import'],
    ['GET', '/api/changes/stream'],
    ['POST', BATCH],
    ['GET', '/metrics'],
    ['GET', '/health/ready'],
    ['GET', '//elsewhere.example/api/todos'],
    ['GET', '/api/../metrics'],
    ['GET', '/api/calendars/../admin/users'],
    ['GET', 'https://elsewhere.example/api/auth/logout'],
    ['GET', '/api/docs'],
    ['GET', '/api/feeds/x.ics'],
    ['POST', '/api/calendars/1/feed'],
    ['OPTIONS', '/api/todos'],
    ['T R', '/api/todos'],
    ['POST', 'http://'],
  ])('refuses %s %s for that command alone', async (method, path) => {
    const ada = await h.signedIn()
    const { statuses } = await send(ada, [command(method, path), todo('two')])
    expect(statuses).toEqual([expect.any(Number), 201])
    expect([404, 405, 422]).toContain(statuses[0])
    expect((await ada.request('GET', '/api/auth/status')).body.authenticated).toBe(true)
  })

  test('says what has changed up to its end, when it is given a place', async () => {
    const ada = await h.signedIn()
    const since = (await ada.request('GET', '/api/changes?since=now')).body.next
    const { body } = await send(ada, [todo('one')], { since })
    expect(body.changes).toMatchObject({
      changes: [{ type: 'todo', op: 'put', item: { title: 'one' } }],
      next: expect.any(String),
      has_more: false,
    })
  })

  test('runs nothing when its place is not one', async () => {
    const ada = await h.signedIn()
    const { status, body } = await send(ada, [todo('one')], { since: 'nowhere' })
    expect([status, body.code]).toEqual([410, 'sync_reset'])
    expect(await titles(ada)).toEqual([])
  })

  test('lets an access token do what it could do alone', async () => {
    const ada = await h.signedIn()
    const program = { request: programOf(h, (await createToken(ada, ['tasks:write'])).token) }
    const commands = [todo('one'), command('POST', '/api/people', { body: { nickname: 'Grace' } })]
    expect((await send(program, commands)).statuses).toEqual([201, 403])
    const { status } = await send(program, commands, { since: 'now' })
    expect(status).toBe(403)
  })

  test('refuses a GET with a body for that command alone', async () => {
    const ada = await h.signedIn()
    const { statuses } = await send(ada, [command('GET', '/api/todos', { body: {} }), todo('two')])
    expect(statuses).toEqual([422, 201])
  })

  test('may hold what was sent alone before, however it was written', async () => {
    const ada = await h.signedIn()
    const one = todo('one')
    const headers = { 'idempotency-key': String(one['key']) }
    const alone = await ada.request('POST', '/api/todos', { body: '{ "title" : "one" }', headers })
    const { body, statuses } = await send(ada, [one])
    expect([statuses, body.results[0].body.id]).toEqual([[201], alone.body.id])
  })

  test('has no key of its own', async () => {
    const ada = await h.signedIn()
    const one = todo('one')
    const headers = { 'idempotency-key': String(one['key']) }
    for (let attempt = 0; attempt < 2; attempt++) {
      const { body } = await ada.request('POST', BATCH, { body: { commands: [one] }, headers })
      expect(body.results[0].status).toBe(201)
    }
  })

  test('tells nothing that changes after its session was revoked', async () => {
    const ada = await h.signedIn()
    const since = (await ada.request('GET', '/api/changes?since=now')).body.next
    const { sent } = await holder.begin(async (sql) => {
      await sql`select 1 from users where id = ${ada.row.id} for update`
      const answer = send(ada, [todo('one')], { since })
      await lockWaiters(watcher)
      await sql`update sessions set revoked = true where id = ${ada.sid}`
      await sql`insert into todos (user_id, title, priority, rank, created_at, updated_at)
        values (${ada.row.id}, 'later', 'none', 1, now(), now())`
      return { sent: answer }
    })
    const { status, body, statuses } = await sent
    expect([status, statuses, body.changes]).toEqual([200, [401], undefined])
  })

  test('begins no command later than 8 s after it came, however long its body took', async () => {
    const ada = await h.signedIn()
    const rest = Promise.withResolvers<void>()
    const isRead = Promise.withResolvers<void>()
    const text = JSON.stringify({ commands: [todo('one')] })
    const body = new ReadableStream(
      {
        async pull(controller) {
          isRead.resolve()
          await rest.promise
          controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const sent = ada.request('POST', BATCH, { body, headers: { 'content-type': 'application/json' } })
    await isRead.promise
    h.clock.advance({ seconds: 8 })
    rest.resolve()
    expect((await sent).body.results).toEqual([
      { key: expect.any(String), status: 425, body: { detail: 'Not run' } },
    ])
    expect(await titles(ada)).toEqual([])
  })

  test('begins no command after 8 s', async () => {
    const ada = await h.signedIn()
    const commands = Array.from({ length: 100 }, (_, place) => todo(`${place}`))
    const sent = send(ada, commands)
    while ((await titles(ada)).length < 3);
    h.clock.advance({ seconds: 8 })
    const { statuses } = await sent
    const begun = statuses.indexOf(425)
    expect(begun).toBeGreaterThan(2)
    expect(new Set(statuses.slice(begun))).toEqual(new Set([425]))
    expect(await titles(ada)).toHaveLength(begun)
    expect((await send(ada, commands)).statuses).toEqual(commands.map(() => 201))
    expect(await titles(ada)).toHaveLength(100)
  })

  test('of a hundred commands takes one place among the requests of its user', async () => {
    const ada = await h.signedIn()
    const sent = Array.from({ length: 8 }, (_, place) =>
      send(
        ada,
        Array.from({ length: 20 }, (_n, item) => todo(`${place} ${item}`)),
      ),
    )
    const statuses = (await Promise.all(sent)).flatMap((one) => one.statuses)
    expect(new Set(statuses)).toEqual(new Set([201]))
    expect(statuses).toHaveLength(160)
  })
})
