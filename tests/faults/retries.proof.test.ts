import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { freshDatabaseUrl } from '../support/database'
import { type Service, startService } from '../support/service'
import { rawConnection } from './raw-connection'

/** `bun run faults` asks for more rounds than a run of the suite. */
const ROUNDS = Number(Bun.env['FAULT_ROUNDS'] ?? 3)
setDefaultTimeout(120_000 + ROUNDS * 15_000)

const resources = new AsyncDisposableStack()
let service: Service
let cookie: string
let start: () => Promise<Service>
beforeAll(async () => {
  const database = resources.use(await freshDatabaseUrl())
  const env = { DATABASE_URL: database.url, SECRET_KEYS: 'k1:faults-faults-faults-faults-faults' }
  start = () => startService({ env: { ...env, HASH_WORKERS: '1' } })
  service = await start()
  const answer = await service.post('/api/auth/setup', { username: 'ada', password: 'correct horse battery' })
  cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await resources.disposeAsync()
})

const get = async (path: string) => (await service.fetch(path, { headers: { cookie } })).json()
const create = async (path: string, body: object, key: string) =>
  service.post(path, body, { cookie, 'idempotency-key': key })
const idOf = async (path: string, body: object) => (await (await create(path, body, path)).json()).id

const TIMES = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }

/** Every operation that creates a record, and the type of that in the changes. */
async function creations(name: string) {
  const project = await idOf('/api/projects', { name: 'Move' })
  const tasks = `/api/projects/${project}/tasks`
  const task = await idOf(tasks, { title: 'Pack' })
  return [
    ['/api/todos', { title: name }, 'todo'],
    ['/api/todo-lists', { name }, 'todo_list'],
    ['/api/reminders', { title: name }, 'reminder'],
    ['/api/projects', { name }, 'project'],
    [tasks, { title: name }, 'task'],
    [`${tasks}/${task}/comments`, { body: name }, 'comment'],
    ['/api/people', { nickname: name }, 'person'],
    ['/api/calendars', { name }, 'calendar'],
    ['/api/event-templates', { name, title: 'Choir' }, 'event_template'],
    ['/api/events', { title: name, ...TIMES }, 'event'],
  ] as const
}

/** The types of the records of that name, each as often as there are such. */
async function typesNamed(name: string): Promise<string[]> {
  const { changes } = await get('/api/changes?limit=500')
  return changes.flatMap(({ type, item }: { type: string; item: object | null }) =>
    Object.values(item ?? {}).includes(name) ? [type] : [],
  )
}

test('fifty retries of each creation, while the service is killed, leave one record of each', async () => {
  for (let round = 1; round <= ROUNDS; round++) {
    const name = `round ${round}`
    const all = await creations(name)
    let failures = 0
    const insist = async ([path, body]: (typeof all)[number]) => {
      const answers: number[] = []
      for (let attempt = 0; attempt < 50; attempt++) {
        const answer = await create(path, body, `${path} ${name}`).catch(() => undefined)
        if (answer?.status === 201) answers.push((await answer.json().catch(() => ({}))).id)
        else failures++
        if (!answer) await Bun.sleep(20)
      }
      while (answers.length === 0) {
        const answer = await create(path, body, `${path} ${name}`).catch(() => undefined)
        if (answer?.status === 201) answers.push((await answer.json()).id)
      }
      return new Set(answers.filter((id) => id !== undefined)).size
    }
    const insisting = Promise.all(all.map(insist))
    await Bun.sleep(20 + ((round * 37) % 150))
    service.kill('SIGKILL')
    await service.exited
    service = await start()
    expect(await insisting).toEqual(all.map(() => 1))
    expect(failures).toBeGreaterThan(0)
    expect((await typesNamed(name)).toSorted()).toEqual(all.map(([, , type]) => type).toSorted())
  }
})

test('a batch that is cut off at every third byte and sent again leaves the state of one run', async () => {
  const commands = [
    { key: 'cut 1', method: 'POST', path: '/api/projects', body: { name: 'Cut' }, as: 'cut' },
    {
      key: 'cut 2',
      method: 'POST',
      path: '/api/projects/{ref:cut}/tasks',
      body: { title: 'Cut' },
      as: 'task',
    },
    {
      key: 'cut 3',
      method: 'POST',
      path: '/api/projects/{ref:cut}/tasks/{ref:task}/comments',
      body: { body: 'Cut' },
    },
    { key: 'cut 4', method: 'POST', path: '/api/todos', body: { title: 'Cut' }, as: 'todo' },
    { key: 'cut 5', method: 'POST', path: '/api/todos/{ref:todo}/toggle' },
    { key: 'cut 6', method: 'POST', path: '/api/people', body: { nickname: 'Cut' } },
    { key: 'cut 7', method: 'DELETE', path: '/api/todos/{ref:todo}' },
  ]
  const body = JSON.stringify({ commands })
  const whole = [
    'POST /api/batch HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Cookie: ${cookie}`,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
  // Cut in the request, and, where it came whole, at some byte of the answer.
  for (let length = 3; length < whole.length + 900; length += 3) {
    using connection = await rawConnection(service.port)
    connection.send(whole.slice(0, length))
    const left = length - whole.length
    const isRead = () => connection.received.length >= left || connection.isClosed
    if (left > 0) while (!isRead()) await Bun.sleep(1)
    connection.hangUp()
  }
  const answer = await service.post('/api/batch', { commands }, { cookie })
  const { results } = await answer.json()
  expect(results.map(({ status }: { status: number }) => status)).toEqual([201, 201, 201, 410, 410, 201, 204])
  expect((await typesNamed('Cut')).toSorted()).toEqual(['comment', 'person', 'project', 'task'])
})
