import { describe, expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { purgeOperations } from '../../../src/access/operations/service'
import type { Actor } from '../../support/harness'
import { connect, set } from '../../support/connecting'
import { person } from '../../support/inviting'
import { createToken, programOf, TOKENS } from '../../support/tokens'
import { useHarness } from '../../support/use-harness'
import { useSql } from '../../support/use-sql'

const h = useHarness()
const holder = useSql(h)

const TODOS = '/api/todos'
const keyed = (key = 'k') => ({ headers: { 'idempotency-key': key } })
const add = (ada: Pick<Actor, 'request'>, title = 'Bins', key?: string) =>
  ada.request('POST', TODOS, { body: { title }, ...keyed(key) })
const todosOf = async (ada: Actor) => (await ada.request('GET', TODOS)).body.todos
const isReplayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true'

test('an import that finds nothing to write names no operation', async () => {
  const ada = await h.signedIn()
  const { calendars } = (await ada.request('GET', '/api/calendars')).body
  const { id } = calendars.find((calendar: { is_default: boolean }) => calendar.is_default)
  const { status, body, headers } = await ada.request('POST', `/api/calendars/${id}/import`, {
    body: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:nobody\r\nEND:VCALENDAR\r\n',
    headers: { 'content-type': 'text/calendar' },
  })
  expect([status, body.created, headers.get('x-operation-id')]).toEqual([200, 0, null])
})

describe('a repeated request', () => {
  test('makes one record, however many come at once, in each of twenty rounds', async () => {
    const ada = await h.signedIn()
    for (let round = 1; round <= 20; round++) {
      const answers = await Promise.all(Array.from({ length: 6 }, () => add(ada, 'Bins', `round ${round}`)))
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
      expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1)
      expect(await todosOf(ada)).toHaveLength(round)
    }
  })

  test('is answered with the record as it is now', async () => {
    const ada = await h.signedIn()
    const { body } = await add(ada)
    await ada.request('PUT', `${TODOS}/${body.id}`, { body: { title: 'Bottles' } })
    const again = await add(ada)
    expect([again.status, again.body.title, again.headers.get('etag')]).toEqual([201, 'Bottles', '"2"'])
  })

  test('is answered 410 when the record is gone since', async () => {
    const ada = await h.signedIn()
    const { body } = await add(ada)
    await ada.request('DELETE', `${TODOS}/${body.id}`)
    const again = await add(ada)
    expect([again.status, again.body]).toEqual([410, { detail: 'Deleted since' }])
    expect(await todosOf(ada)).toEqual([])
  })

  test('is answered 410 when the project of the task is gone since', async () => {
    const ada = await h.signedIn()
    const { id } = (await ada.request('POST', '/api/projects', { body: { name: 'Move' } })).body
    const send = () =>
      ada.request('POST', `/api/projects/${id}/tasks`, { body: { title: 'Pack' }, ...keyed() })
    expect((await send()).status).toBe(201)
    await ada.request('DELETE', `/api/projects/${id}`)
    expect((await send()).status).toBe(410)
  })

  test('that deletes is answered 204', async () => {
    const ada = await h.signedIn()
    const { body } = await add(ada)
    const send = () => ada.request('DELETE', `${TODOS}/${body.id}`, keyed('gone'))
    expect([(await send()).status, (await send()).status]).toEqual([204, 204])
  })

  test('with If-Match has its first status, though the version is another since', async () => {
    const ada = await h.signedIn()
    const { id } = (await add(ada)).body
    const send = () =>
      ada.request('PUT', `${TODOS}/${id}`, {
        body: { title: 'Bottles' },
        headers: { 'idempotency-key': 'put', 'if-match': '"1"' },
      })
    expect((await send()).status).toBe(200)
    const again = await send()
    expect([again.status, again.body.version]).toEqual([200, 2])
  })

  test('may have its key in quotes or without', async () => {
    const ada = await h.signedIn()
    const first = await add(ada, 'Bins', String.raw`"a \"b\" \\ c"`)
    expect(isReplayed(first)).toBe(false)
    expect(isReplayed(await add(ada, 'Bins', String.raw`a "b" \ c`))).toBe(true)
  })

  test('may come by another session or by an access token of the user', async () => {
    const ada = await h.signedIn()
    const { body } = await add(ada)
    const { token } = await createToken(ada, ['tasks:write'])
    const again = await add({ request: programOf(h, token) })
    expect([again.status, again.body.id, isReplayed(again)]).toEqual([201, body.id, true])
  })

  test('is answered to an access token that may change the record but not list its kind', async () => {
    const [ada, bob] = [await h.signedIn(), await person(h)]
    await set(h, ada, { acceptConnections: true })
    await connect(ada, bob)
    const [notification] = (await ada.request('GET', '/api/notifications')).body.notifications
    const { token } = await createToken(ada, ['notifications:write'])
    const send = () => programOf(h, token)('PUT', `/api/notifications/${notification.id}/read`, keyed('read'))
    expect((await send()).body.is_read).toBe(true)
    const again = await send()
    expect([again.status, again.body.is_read, isReplayed(again)]).toEqual([200, true, true])
  })

  test('says no more of another user than is there for the caller now', async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    await set(h, ada, { acceptConnections: true })
    await bob.request('PUT', '/api/settings', { body: { first_name: 'Robert', share_first_name: true } })
    const body = { network_name: ada.row.networkName }
    const { id } = (await bob.request('POST', '/api/connections/requests', { body })).body
    const accept = () => ada.request('PUT', `/api/connections/requests/${id}/accept`, keyed('accept'))
    expect(JSON.stringify((await accept()).body)).toContain('Robert')
    await bob.request('PUT', '/api/settings', { body: { share_first_name: false } })
    const after = await accept()
    expect([after.status, isReplayed(after)]).toEqual([200, true])
    expect(JSON.stringify(after.body)).not.toContain('Robert')
    await bob.request('POST', '/api/connections/blocks', { body })
    expect((await accept()).status).toBe(410)
    expect(await h.db.execute(sql`select 1 from operations where answer::text ~ 'Robert'`)).toHaveLength(0)
  })

  test('of another user is another request', async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    await add(ada)
    expect(isReplayed(await add(bob))).toBe(false)
  })

  test('may succeed where the first was refused', async () => {
    const ada = await h.signedIn()
    const send = () => ada.request('PUT', `${TODOS}/reorder`, { body: { todo_ids: [] }, ...keyed('order') })
    const { id } = (await add(ada)).body
    expect((await send()).status).toBe(409)
    await ada.request('DELETE', `${TODOS}/${id}`)
    const second = await send()
    expect([second.status, isReplayed(second)]).toEqual([200, false])
  })

  test('may succeed where the first was refused, though the refusal is in the audit log', async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    const take = ({ request }: Actor, network_name: string) =>
      request('PUT', '/api/settings', { body: { network_name }, ...keyed(network_name) })
    expect((await take(bob, 'wanted')).status).toBe(200)
    expect((await take(ada, 'wanted')).status).toBe(409)
    expect(await h.db.execute(sql`select 1 from operations where user_id = ${ada.row.id}`)).toHaveLength(0)
    expect((await take(bob, 'given')).status).toBe(200)
    const second = await take(ada, 'wanted')
    expect([second.status, second.body.network_name, isReplayed(second)]).toEqual([200, 'wanted', false])
  })

  test.each<[string, Parameters<Actor['request']>, number]>([
    ['that locks its user', ['POST', TODOS, { body: { title: 'Bins' }, ...keyed() }], 201],
    ['that locks nobody', ['DELETE', '/api/notifications/1', keyed()], 404],
  ])(
    'waits for the first, %s and is under way, and is told so after two seconds',
    async (_, request, status) => {
      const ada = await h.signedIn()
      const send = () => ada.request(...request)
      const answer = await holder.begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(hashtextextended('k', ${ada.row.id}))`
        return await send()
      })
      expect([answer.status, answer.body]).toEqual([
        409,
        { detail: 'A request with this Idempotency-Key is under way', code: 'idempotency_in_progress' },
      ])
      expect(answer.headers.get('retry-after')).toBe('1')
      expect((await send()).status).toBe(status)
    },
  )
})

describe('a key that was used', () => {
  test.each([
    ['a body', 'POST', TODOS, { title: 'Other' }],
    ['a query', 'POST', `${TODOS}?a=1`, { title: 'Bins' }],
    ['a path', 'POST', '/api/reminders', { title: 'Bins' }],
    ['a body that is not valid', 'POST', TODOS, { title: '' }],
    ['a method', 'PUT', `${TODOS}/reorder`, { todo_ids: [] }],
  ])('is refused for another request, which has %s of its own', async (_, method, path, body) => {
    const ada = await h.signedIn()
    await add(ada)
    const other = await ada.request(method, path, { body, ...keyed() })
    expect([other.status, other.body.detail, other.body.code]).toEqual([
      422,
      'Idempotency-Key: was used for another request',
      'idempotency_mismatch',
    ])
    expect(await todosOf(ada)).toHaveLength(1)
  })

  test.each(['', '""', 'x'.repeat(129), `"${'x'.repeat(129)}"`, 'ä', 'a\tb'])(
    'must be 1 to 128 printable ASCII characters, which %j is not',
    async (key) => {
      const ada = await h.signedIn()
      const { status, body } = await add(ada, 'Bins', key)
      expect([status, body.detail]).toEqual([
        422,
        'Idempotency-Key: must be 1 to 128 printable ASCII characters',
      ])
    },
  )

  test('is known for 30 days', async () => {
    const ada = await h.signedIn()
    const { clock, db } = h
    await add(ada)
    clock.advance({ days: 29 })
    await purgeOperations({ db, clock })
    const [row] = await db.execute(sql`select key from operations where user_id = ${ada.row.id}`)
    expect(row).toEqual({ key: 'k' })
    clock.advance({ days: 2 })
    await purgeOperations({ db, clock })
    expect(await db.execute(sql`select 1 from operations where user_id = ${ada.row.id}`)).toHaveLength(0)
  })

  test('is ignored where a secret is shown', async () => {
    const ada = await h.signedIn()
    const send = () =>
      ada.request('POST', TOKENS, { body: { name: 'Script', scopes: ['tasks:read'] }, ...keyed() })
    const [one, two] = [(await send()).body, (await send()).body]
    expect(one.id).not.toBe(two.id)
    expect(await h.db.execute(sql`select 1 from operations where answer::text like '%org\\_%'`)).toHaveLength(
      0,
    )
  })
})

describe('a repeated import', () => {
  const CARDS = Array.from(
    { length: 250 },
    (_, n) => `BEGIN:VCARD\r\nVERSION:4.0\r\nFN:P${n}\r\nEND:VCARD\r\n`,
  )
  const send = (ada: Actor) =>
    ada.request('POST', '/api/people/import', {
      body: CARDS.join(''),
      headers: { 'content-type': 'text/vcard', 'idempotency-key': 'cards' },
    })

  test('of several transactions is one operation, and is answered as the first was', async () => {
    const ada = await h.signedIn()
    const first = await send(ada)
    expect(first.body.created).toBe(250)
    const again = await send(ada)
    expect([again.body, isReplayed(again)]).toEqual([first.body, true])
    expect(await h.db.execute(sql`select 1 from operations where user_id = ${ada.row.id}`)).toHaveLength(1)
  })

  test('waits while the first is under way, and takes up what a broken-off one has left', async () => {
    const ada = await h.signedIn()
    const first = await send(ada)
    const id = first.headers.get('x-operation-id')
    await h.db.execute(sql`update operations set is_open = true, answer = null where id = ${id}`)
    const early = await send(ada)
    expect([early.status, early.body.code]).toEqual([409, 'idempotency_in_progress'])
    h.clock.advance({ seconds: 61 })
    const late = await send(ada)
    expect([late.status, late.body.unchanged, late.headers.get('x-operation-id')]).toEqual([200, 250, id])
    expect(isReplayed(late)).toBe(false)
    expect(isReplayed(await send(ada))).toBe(true)
  })

  test('is answered as the first was, where that one ends while it waits', async () => {
    const ada = await h.signedIn()
    const first = await send(ada)
    const id = first.headers.get('x-operation-id')
    await h.db.execute(sql`update operations set is_open = true where id = ${id}`)
    const pause = spyOn(h.clock, 'sleep')
    pause.mockImplementation(async () => {
      if (pause.mock.calls.length < 5) return
      await h.db.execute(sql`update operations set is_open = false where id = ${id}`)
    })
    const again = await send(ada).finally(() => pause.mockRestore())
    expect([again.status, again.body, isReplayed(again)]).toEqual([200, first.body, true])
  })

  test('that failed after some of its cards adds the rest, and what it added can be undone', async () => {
    const ada = await h.signedIn()
    await h.db.execute(sql`create function cut_off() returns trigger language plpgsql as $$
      begin if new.nickname = 'P150' or new.first_name = 'P150' then raise 'cut off'; end if; return new; end $$`)
    await h.db.execute(
      sql`create trigger cut_off before insert on people for each row execute function cut_off()`,
    )
    const first = await send(ada)
    expect(first.status).toBe(500)
    const early = await ada.request('GET', '/api/operations')
    await h.db.execute(sql`drop trigger cut_off on people`)
    const second = await send(ada)
    expect([second.status, second.body.created, second.body.unchanged]).toEqual([200, 150, 100])
    expect(isReplayed(second)).toBe(false)
    const undo = (id: string | null) => ada.request('POST', `/api/operations/${id}/undo`)
    expect((await undo(second.headers.get('x-operation-id'))).status).toBe(200)
    expect((await undo(early.body.operations[0].id)).status).toBe(200)
    expect((await ada.request('GET', '/api/people')).body.people).toEqual([])
  })
})
