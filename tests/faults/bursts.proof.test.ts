import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { freshDatabaseUrl } from '../support/database'
import { type Service, startService } from '../support/service'

setDefaultTimeout(60_000)

const ROUNDS = 5
const password = 'correct horse battery'

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

let service: Service
/** The cookies of an administrator and four others. */
let cookies: readonly string[]

beforeAll(async () => {
  const database = stack.use(await freshDatabaseUrl())
  service = stack.use(
    await startService({
      env: {
        DATABASE_URL: database.url,
        SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests',
      },
    }),
  )
  const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const cookie = cookieOf(await service.post('/api/auth/setup', { username: 'ada', password }))
  const others = await Promise.all(
    ['bob', 'cyd', 'dan', 'eve'].map(async (username) => {
      const made = await service.post('/api/admin/users', { username, password }, { cookie })
      expect(made.status).toBe(201)
      return cookieOf(await service.post('/api/auth/login', { username, password }))
    }),
  )
  cookies = [cookie, ...others]
})

const create = (cookie: string, number: number) =>
  service.post('/api/todos', { title: `Todo ${number}` }, { cookie })
const counted = (answers: readonly Response[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('200 creations at once, of five users, are all answered', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, number) => create(cookies[number % cookies.length] ?? '', number)),
    )
    expect(counted(answers)).toEqual({ 201: 200 })
  }
})

test('200 creations at once, of one user, are all answered, and lists of others meanwhile', async () => {
  const [ada = '', ...others] = cookies
  for (let round = 0; round < ROUNDS; round++) {
    const creating = Promise.all(Array.from({ length: 200 }, (_, number) => create(ada, number)))
    const lists = await Promise.all(
      others.map((cookie) => service.fetch('/api/todos?limit=1', { headers: { cookie } })),
    )
    expect(counted(lists)).toEqual({ 200: others.length })
    expect(counted(await creating)).toEqual({ 201: 200 })
  }
})
