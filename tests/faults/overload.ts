import { freshDatabaseUrl, stopTestServer } from '../support/database'
import { startService } from '../support/service'
import { openLoad, type Outcome } from './open-load'

/**
 * `bun tests/faults/overload.ts [seconds]`: ten times as much load as the service can bear, from twenty people who do not wait for
 * each other. Who is accepted is answered within a second, and who is not hears so at once; afterwards all is well.
 */
const SECONDS = Number(process.argv[2] ?? 60)
const TIMES = 10
const LIMIT_MS = 1000
const USERS = 20
const password = 'correct horse battery'
const PATH = '/api/events?from=2026-11-01&to=2026-12-01'

const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * q)] ?? Number.NaN

const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** The cookies of twenty people, each of whom has a month of their own. */
async function seedUsers(): Promise<string[]> {
  const first = cookieOf(await service.post('/api/auth/setup', { username: 'user0', password }))
  const cookies = [first]
  for (let i = 1; i < USERS; i++) {
    await service.post('/api/admin/users', { username: `user${i}`, password }, { cookie: first })
    cookies.push(cookieOf(await service.post('/api/auth/login', { username: `user${i}`, password })))
  }
  for (const cookie of cookies) await seed((path, body) => service.post(path, body, { cookie }))
  return cookies
}

/** What a month looks like: some series and some single events. */
async function seed(post: (path: string, body: unknown) => Promise<Response>) {
  const make = async (body: Record<string, unknown>) => {
    const answer = await post('/api/events', body)
    if (!answer.ok) throw new Error(`cannot seed: ${answer.status}`)
  }
  for (let i = 0; i < 10; i++) {
    await make({
      title: `series ${i}`,
      start_at: '2026-01-05T09:00:00Z',
      end_at: '2026-01-05T10:00:00Z',
      recurrence_rule: i % 2 === 0 ? 'FREQ=DAILY' : 'FREQ=WEEKLY;BYDAY=MO,WE,FR',
    })
  }
  for (let i = 0; i < 60; i++) {
    const day = String(1 + (i % 30)).padStart(2, '0')
    await make({
      title: `event ${i}`,
      start_at: `2026-11-${day}T12:00:00Z`,
      end_at: `2026-11-${day}T13:00:00Z`,
    })
  }
}

const shown = ({ offered, accepted, refused, odd }: Outcome, seconds: number) =>
  [
    `offered ${Math.round(offered / seconds)}/s, accepted ${Math.round(accepted.length / seconds)}/s`,
    `p50 ${Math.round(quantile(accepted, 0.5))} ms, p99 ${Math.round(quantile(accepted, 0.99))} ms`,
    `refused ${Math.round(refused.length / seconds)}/s after p50 ${Math.round(quantile(refused, 0.5))} ms, p99 ${Math.round(quantile(refused, 0.99))} ms`,
    `anything else ${JSON.stringify(Object.fromEntries(odd))}`,
  ].join('; ')

const database = await freshDatabaseUrl()
const service = await startService({
  env: { DATABASE_URL: database.url, SECRET_KEYS: 'k1:faults-faults-faults-faults-faults' },
})
try {
  const cookies = await seedUsers()
  const target = { port: service.port, cookies, path: PATH }
  await openLoad({ ...target, perSecond: 50, seconds: 2 })
  const capacity = await capacityOf(cookies)
  console.log(`what it can bear: ${Math.round(capacity)}/s`)
  const outcome = await openLoad({ ...target, perSecond: capacity * TIMES, seconds: SECONDS })
  console.log(shown(outcome, SECONDS))
  const after = await openLoad({ ...target, perSecond: capacity / 4, seconds: 2 })
  console.log(`afterwards: ${shown(after, 2)}`)
  const isBorne =
    quantile(outcome.accepted, 0.99) < LIMIT_MS &&
    outcome.odd.size === 0 &&
    outcome.accepted.length > 0 &&
    after.refused.length === 0
  if (!isBorne) process.exitCode = 1
} finally {
  await service[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await stopTestServer()
}

/** Answers a second with sixteen clients that wait for theirs. */
async function capacityOf(cookies: readonly string[]): Promise<number> {
  const seconds = 3
  const until = performance.now() + seconds * 1000
  let answered = 0
  const client = async (cookie = '') => {
    while (performance.now() < until) {
      const response = await service.fetch(PATH, { headers: { cookie } })
      await response.arrayBuffer()
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, i) => client(cookies[i])))
  return answered / seconds
}
