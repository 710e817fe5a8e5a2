import { beforeAll, describe, expect, test } from 'bun:test'
import { type Actor } from '../support/harness'
import { useHarness } from '../support/use-harness'

const h = useHarness()
let ada: Actor
beforeAll(async () => {
  ada = await h.signedIn()
})

const post = async (path: string, body: object, actor = ada) =>
  (await actor.request('POST', path, { body })).body
const PROJECTS = '/api/projects'
const tasksOfNew = async (actor = ada) =>
  `${PROJECTS}/${(await post(PROJECTS, { name: 'P' }, actor)).id}/tasks`

interface Kind {
  /** The path of the list of an actor's own. */
  readonly list: (actor?: Actor) => Promise<string>
  readonly create: object
  /** Another value of its first field. */
  readonly change: object
  /** Single-line texts with what they may hold, texts of lines, days and positions. */
  readonly line: string
  readonly day?: string
  readonly order?: string
  readonly detail: string
  /** What else can be done with one. */
  readonly acts?: ReadonlyArray<readonly [method: string, below: string, body?: object]>
}

const KINDS: Readonly<Record<string, Kind>> = {
  todo: {
    list: async () => '/api/todos',
    create: { title: 'T', due_date: '2026-03-05' },
    change: { title: 'U' },
    line: 'title',
    day: 'due_date',
    order: 'todo_ids',
    detail: 'Todo not found',
    acts: [['POST', '/toggle']],
  },
  reminder: {
    list: async () => '/api/reminders',
    create: { title: 'T', remind_at: '2026-03-05T09:00:00Z' },
    change: { title: 'U' },
    line: 'title',
    detail: 'Reminder not found',
    acts: [
      ['PUT', '/snooze', { minutes: 5 }],
      ['PUT', '/dismiss'],
    ],
  },
  project: {
    list: async () => PROJECTS,
    create: { name: 'P', due_date: '2026-03-05' },
    change: { name: 'Q' },
    line: 'name',
    day: 'due_date',
    order: 'project_ids',
    detail: 'Project not found',
    acts: [
      ['GET', '/tasks'],
      ['POST', '/tasks', { title: 'T' }],
      ['PUT', '/tasks/reorder', { task_ids: [] }],
    ],
  },
  task: {
    list: tasksOfNew,
    create: { title: 'T', due_date: '2026-03-05' },
    change: { title: 'U' },
    line: 'title',
    day: 'due_date',
    order: 'task_ids',
    detail: 'Task not found',
    acts: [
      ['GET', '/comments'],
      ['POST', '/comments', { body: 'C' }],
    ],
  },
}

const TEXTS = ['a\0b', '\ud800', 'a\udc00', 7, ['x'], {}]
const NO_DAYS = ['1899-12-31', '2201-01-01', '2026-02-29', '2026-13-01', '0000-00-00', '2026-03-04T00:00', 1]
const NO_POSITIONS = [0, -1, 1.5, 2 ** 31, 1e300, '1', null, [1]]

describe.each(Object.entries(KINDS))('A %s', (_name, kind) => {
  const { create, change, line, day, order, detail } = kind

  test('takes nothing hostile, neither when it is created nor later', async () => {
    const list = await kind.list()
    const hostile: Array<[string, unknown]> = [
      ...[...TEXTS, 'a'.repeat(201), '', null].map((value): [string, unknown] => [line, value]),
      ...[...TEXTS, 'a'.repeat(10_001)].map((value): [string, unknown] => ['description', value]),
      ...(day ? NO_DAYS.map((value): [string, unknown] => [day, value]) : []),
      ...(order ? NO_POSITIONS.map((value): [string, unknown] => ['position', value]) : []),
    ]
    const before = await post(list, create)
    const count = JSON.stringify((await ada.request('GET', list)).body)
    for (const [field, value] of hostile) {
      const body = { ...create, [field]: value }
      for (const [method, path] of [
        ['POST', list],
        ['PUT', `${list}/${before.id}`],
      ] as const) {
        const answered = await ada.request(method, path, { body })
        expect([method, field, value, answered.status]).toEqual([method, field, value, 422])
        expect(answered.body.detail).toStartWith(`${field}: `)
      }
    }
    expect(JSON.stringify((await ada.request('GET', list)).body)).toBe(count)
  })

  test('keeps what is its own, whatever a request says of it', async () => {
    const list = await kind.list()
    const { row: eve } = await h.signedIn()
    const claims = {
      id: 1,
      user_id: eve.id,
      project_id: 1,
      version: 9,
      rank: '7',
      created_at: '2000-01-01T00:00Z',
    }
    const created = await post(list, { ...create, ...claims })
    expect(created).toMatchObject({
      ...create,
      version: 1,
      created_at: '2026-03-04T10:30:00+01:00',
      ...('remind_at' in create && { remind_at: expect.any(String) }),
    })
    const { body } = await ada.request('PUT', `${list}/${created.id}`, { body: { ...change, ...claims } })
    expect(body).toEqual({ ...created, ...change, version: 2, updated_at: expect.any(String) })
    expect((await ada.request('GET', `${list}/${created.id}`)).body).toEqual(body)
  })

  test('of somebody else is answered with the bytes of one that is none, whatever is done', async () => {
    const eve = await h.signedIn()
    const list = await kind.list(eve)
    const { id } = await post(list, create, eve)
    const foreign = list.startsWith(`${PROJECTS}/`) ? await kind.list() : list
    const acts = [['GET', ''], ['PUT', '', change], ['DELETE', ''], ...(kind.acts ?? [])] as const
    for (const [method, below, body] of acts) {
      const bytes = []
      for (const named of [id, 2_147_483_647]) {
        const answered = await h.app.fetch(
          new Request(`http://localhost${foreign}/${named}${below}`, {
            method,
            headers: { cookie: `session=${ada.token}`, ...(body && { 'content-type': 'application/json' }) },
            ...(body && { body: JSON.stringify(body) }),
          }),
        )
        bytes.push([answered.status, await answered.text()])
      }
      expect([method, below, ...bytes]).toEqual([
        method,
        below,
        [404, JSON.stringify({ detail })],
        [404, JSON.stringify({ detail })],
      ])
    }
    expect((await eve.request('GET', `${list}/${id}`)).body).toMatchObject({ id, version: 1 })
  })

  test('of a change and a deletion of one version at once, one holds, in each of twenty rounds', async () => {
    const list = await kind.list()
    for (let round = 0; round < 20; round++) {
      const path = `${list}/${(await post(list, create)).id}`
      const headers = { 'if-match': '"1"' }
      const [changed, deleted] = await Promise.all([
        ada.request('PUT', path, { body: change, headers }),
        ada.request('DELETE', path, { headers }),
      ])
      expect([
        [200, 412],
        [404, 204],
      ]).toContainEqual([changed.status, deleted.status])
      expect((await ada.request('GET', path)).status).toBe(changed.status === 200 ? 200 : 404)
    }
  }, 30_000)

  if (order === undefined) return
  test('is in no order of ten thousand that are none', async () => {
    const list = await kind.list()
    const { id } = await post(list, create)
    for (const ids of [Array(10_000).fill(id), Array.from({ length: 10_000 }, (_, i) => 2_147_483_647 - i)]) {
      const { status } = await ada.request('PUT', `${list}/reorder`, { body: { [order]: ids } })
      expect(status).toBe(409)
    }
  })
})
