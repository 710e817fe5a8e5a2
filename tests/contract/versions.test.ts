import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { history, operations } from '../../src/db/schema'
import type { Scope } from '../../src/lib/scopes'
import type { Actor } from '../support/harness'
import { createToken, programOf } from '../support/tokens'
import { useHarness } from '../support/use-harness'

const h = useHarness()

type Json = Readonly<Record<string, unknown>>

interface Kind {
  readonly list: (actor: Actor) => Promise<string>
  readonly scope: Scope
  /** The body of a new record, and the field that each change writes. */
  readonly body: Json
  readonly field: string
  /** Fields that are those of now. */
  readonly ofNow: readonly string[]
}

const at = (path: string) => () => Promise.resolve(path)

const KINDS: Readonly<Record<string, Kind>> = {
  event: {
    list: at('/api/events'),
    scope: 'calendars:read',
    body: {
      title: '1',
      start_at: '2026-03-01T10:00',
      end_at: '2026-03-01T11:00',
      recurrence_rule: 'FREQ=DAILY',
    },
    field: 'title',
    ofNow: [],
  },
  todo_list: {
    list: at('/api/todo-lists'),
    scope: 'tasks:read',
    body: { name: '1', color: '#00aa00' },
    field: 'name',
    ofNow: ['position'],
  },
  todo: {
    list: at('/api/todos'),
    scope: 'tasks:read',
    body: { title: '1', due_date: '2026-03-01', recurrence: 'daily' },
    field: 'title',
    ofNow: ['position'],
  },
  reminder: {
    list: at('/api/reminders'),
    scope: 'tasks:read',
    body: { title: '1', remind_at: '2030-03-01T10:00', recurrence_rule: 'FREQ=DAILY' },
    field: 'title',
    ofNow: [],
  },
  project: {
    list: at('/api/projects'),
    scope: 'tasks:read',
    body: { name: '1', description: 'Long' },
    field: 'name',
    ofNow: ['position', 'task_count', 'completed_task_count'],
  },
  task: {
    list: async (actor) => `/api/projects/${await made(actor, '/api/projects', { name: 'P' })}/tasks`,
    scope: 'tasks:read',
    body: { title: '1', due_date: '2026-03-01' },
    field: 'title',
    ofNow: ['position', 'comment_count', 'subtasks', 'subtasks_next_cursor'],
  },
  person: {
    list: at('/api/people'),
    scope: 'people:read',
    body: { first_name: '1', birthday: '--02-29', notes: 'Tall' },
    field: 'first_name',
    ofNow: ['age', 'shared_profile'],
  },
}

async function made(actor: Actor, list: string, body: Json): Promise<number> {
  const answered = await actor.request('POST', list, { body })
  expect(answered.status).toBe(201)
  return answered.body.id
}

/** A record that is changed `changes` times, a minute apart, and everything that was read of it meanwhile, newest first. */
async function changed({ list, body, field }: Kind, changes: number) {
  const actor = await h.signedIn()
  const path = await list(actor)
  const record = `${path}/${await made(actor, path, body)}`
  const read = async () => (await actor.request('GET', record)).body as Json
  const seen = [await read()]
  for (let change = 2; change <= changes + 1; change += 1) {
    h.clock.advance({ minutes: 1 })
    const { status } = await actor.request('PUT', record, { body: { [field]: String(change) } })
    expect(status).toBe(200)
    seen.unshift(await read())
  }
  const versionsOf = async (query = '') => {
    const answered = await actor.request('GET', `${record}/history${query}`)
    expect(answered.status).toBe(200)
    return answered.body as { versions: Version[]; next_cursor: string | null }
  }
  return { actor, path, record, seen, versionsOf }
}

interface Version {
  readonly version: number
  readonly changed_at: string
  readonly changed_by: Json | null
  readonly item: Json
}

const without = (item: Json, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !fields.includes(name)))

describe.each(Object.entries(KINDS))('the history of a %s', (_, kind) => {
  test('has each version as it was read then, newest first, and who made it when', async () => {
    const { actor, seen, versionsOf } = await changed(kind, 3)
    const { versions, next_cursor } = await versionsOf()
    expect(next_cursor).toBeNull()
    expect(versions.map(({ item }) => without(item, kind.ofNow))).toEqual(
      seen.map((item) => without(item, kind.ofNow)),
    )
    expect(versions.map(({ version }) => version)).toEqual([4, 3, 2, 1])
    expect(versions.map(({ changed_at }) => changed_at)).toEqual(
      seen.map((item) => String(item['updated_at'])),
    )
    const author = { user_id: actor.row.id, network_name: actor.row.networkName }
    expect(versions.map(({ changed_by }) => changed_by)).toEqual([author, author, author, author])
  })

  test('comes in pages that together are the whole', async () => {
    const { versionsOf } = await changed(kind, 4)
    const { versions } = await versionsOf()
    for (const limit of [1, 2, 5]) {
      const pages: Version[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page = await versionsOf(`?limit=${limit}${cursor && `&cursor=${cursor}`}`)
        expect(page.versions.length).toBeLessThanOrEqual(limit)
        pages.push(...page.versions)
        cursor = page.next_cursor
      }
      expect(pages).toEqual(versions)
    }
  })

  test('is for whoever may read the record: another user gets 404, and so does its owner once it is gone', async () => {
    const { actor, record } = await changed(kind, 1)
    const stranger = await h.signedIn()
    const read = (by: Actor, path: string) => by.request('GET', path)
    const refused = await read(stranger, `${record}/history`)
    expect(refused.status).toBe(404)
    expect(refused.body).toEqual((await read(stranger, record)).body)
    expect((await actor.request('DELETE', record)).status).toBe(204)
    expect((await read(actor, `${record}/history`)).status).toBe(404)
  })

  test('goes on after the record was deleted and restored, with whoever did that', async () => {
    const { actor, record, versionsOf } = await changed(kind, 1)
    const before = (await versionsOf()).versions
    h.clock.advance({ minutes: 1 })
    const deleted = await actor.request('DELETE', record)
    const undo = `/api/operations/${deleted.headers.get('x-operation-id')}/undo`
    expect((await actor.request('POST', undo)).status).toBe(200)
    const [restored, ...former] = (await versionsOf()).versions
    expect(former).toEqual(before)
    expect(restored?.version).toBe(3)
    expect(restored?.changed_by).toEqual(before[0]?.changed_by as Json)
    expect(restored?.item[kind.field]).toBe('2')
  })

  test('needs an access token with the scope of the area for reading', async () => {
    const { actor, record } = await changed(kind, 1)
    const readWith = async (scope: Scope) => {
      const { token } = await createToken(actor, [scope])
      return (await programOf(h, token)('GET', `${record}/history`)).status
    }
    expect(await readWith(kind.scope)).toBe(200)
    expect(await readWith('overview:read')).toBe(403)
  })

  test('has what is kept: without operations nobody who did it, without rows the present version alone', async () => {
    const { actor, versionsOf } = await changed(kind, 2)
    const { versions } = await versionsOf()
    await h.db.delete(operations).where(eq(operations.userId, actor.row.id))
    expect((await versionsOf()).versions).toEqual(
      versions.map((version) => ({ ...version, changed_by: null })),
    )
    await h.db.delete(history)
    const [present] = versions
    expect((await versionsOf()).versions).toEqual([{ ...present, changed_by: null } as Version])
  })
})

test('a cursor of another list is refused', async () => {
  const { actor, record } = await changed(KINDS['todo'] as Kind, 1)
  const { body } = await actor.request('GET', '/api/todos?limit=1')
  for (const cursor of ['x', body.next_cursor, btoa('[1]'), btoa('[0,1]'), btoa('[1,9007199254740993]')]) {
    const { status } = await actor.request('GET', `${record}/history?cursor=${cursor}`)
    expect([cursor, status]).toEqual([cursor, 422])
  }
})

test('a page of long versions ends at about 1 MiB, and the pages are the whole', async () => {
  const { actor, record, versionsOf } = await changed(KINDS['todo'] as Kind, 0)
  const changes = 40
  for (let change = 0; change < changes; change += 1) {
    const description = `${change} ${'\u{1F4C5}'.repeat(9000)}`
    expect((await actor.request('PUT', record, { body: { description } })).status).toBe(200)
  }
  const found: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await versionsOf(`?limit=200${cursor && `&cursor=${cursor}`}`)
    const bytes = Buffer.byteLength(JSON.stringify(page))
    expect(bytes).toBeLessThan(1_100_000)
    if (page.next_cursor !== null) expect(bytes).toBeGreaterThan(900_000)
    found.push(...page.versions.map(({ version }) => version))
    cursor = page.next_cursor
  }
  expect(found).toEqual(Array.from({ length: changes + 1 }, (_, index) => changes + 1 - index))
})

test('a column that came later has in former versions what the record has now', async () => {
  const { actor, record, versionsOf } = await changed(KINDS['todo'] as Kind, 1)
  expect((await actor.request('PUT', record, { body: { priority: 'high' } })).status).toBe(200)
  const priorities = async () => (await versionsOf()).versions.map(({ item }) => item['priority'])
  expect(await priorities()).toEqual(['high', 'none', 'none'])
  await h.db
    .update(history)
    .set({ before: sql`${history.before} - 'priority'` })
    .where(eq(history.tab, 'todos'))
  expect(await priorities()).toEqual(['high', 'high', 'high'])
})

test('what moves past a record makes no version of it', async () => {
  const { actor, path, record, versionsOf } = await changed(KINDS['todo'] as Kind, 1)
  const before = (await versionsOf()).versions
  const [a, b] = [await made(actor, path, { title: 'A' }), await made(actor, path, { title: 'B' })]
  const id = Number(record.split('/').at(-1))
  for (const todo_ids of [
    [b, id, a],
    [id, a, b],
    [b, id, a],
  ]) {
    expect((await actor.request('PUT', `${path}/reorder`, { body: { todo_ids } })).status).toBe(200)
  }
  const after = (await versionsOf()).versions
  expect(after.map(({ version, changed_at }) => [version, changed_at])).toEqual(
    before.map(({ version, changed_at }) => [version, changed_at]),
  )
})

test('a history that is read while its record changes has each version up to one once, as it was', async () => {
  const { actor, record, versionsOf } = await changed(KINDS['todo'] as Kind, 0)
  const toggle = () => actor.request('POST', `${record}/toggle`)
  for (let round = 0; round < 15; round += 1) {
    const [first, second] = await Promise.all([
      versionsOf('?limit=200'),
      versionsOf('?limit=200'),
      toggle(),
      toggle(),
    ])
    for (const { versions } of [first, second]) {
      const [newest] = versions
      const expected = Array.from(
        { length: newest?.version ?? 0 },
        (_, index) => (newest?.version ?? 0) - index,
      )
      expect(versions.map(({ version }) => version)).toEqual(expected)
      expect(versions.map(({ item }) => item['version'])).toEqual(expected)
      expect(versions.map(({ item }) => item['completed'])).toEqual(
        expected.map((version) => version % 2 === 0),
      )
      expect(versions.every(({ changed_by }) => changed_by?.['user_id'] === actor.row.id)).toBe(true)
    }
  }
})

test('a version that came by itself was made by nobody', async () => {
  const { actor, record, versionsOf } = await changed(KINDS['todo'] as Kind, 0)
  await actor.request('POST', `${record}/toggle`)
  h.clock.advance({ days: 1 })
  const { versions } = await versionsOf()
  expect(
    versions.map(({ version, changed_by, item }) => [version, changed_by === null, item['completed']]),
  ).toEqual([
    [3, true, false],
    [2, false, true],
    [1, false, false],
  ])
})
