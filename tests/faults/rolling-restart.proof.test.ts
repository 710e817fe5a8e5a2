import { expect, setDefaultTimeout } from 'bun:test'
import { administer, freshDatabaseUrl } from '../support/database'
import { needing } from '../support/needing'
import { fromEverywhere, nginxPath, startNginx } from '../support/nginx'
import { type Service, startService, until } from '../support/service'

setDefaultTimeout(120_000)

const ENV = {
  SECRET_KEYS: 'k1:faults-faults-faults-faults-faults',
  TRUSTED_PROXIES: '127.0.0.1/32',
  AUTH_RATE_LIMIT: 'off',
}
const CLIENTS = 8
const RESTARTS = 2

const { test } = needing('nginx', nginxPath !== null)

test('two instances behind nginx, restarted in turns under load, fail no request and lose no write', async () => {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await freshDatabaseUrl())
  const env = { ...ENV, DATABASE_URL: database.url }
  const instances: Service[] = []
  for (const _ of ['first', 'second']) instances.push(stack.use(await startService({ env })))
  const proxy = stack.use(await startNginx(...instances.map(({ port }) => port)))
  const setUp = await fromEverywhere(proxy.url)({
    method: 'POST',
    path: '/api/auth/setup',
    headers: { 'content-type': 'application/json' },
    body: '{"username": "ada", "password": "correct horse battery"}',
  })
  const cookie = setUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''

  const over = new AbortController()
  const failures: string[] = []
  const titles: string[] = []
  let answered = 0
  const attempt = async (what: string, expected: number, request: () => Promise<Response>) => {
    try {
      const response = await request()
      const body = await response.text()
      const { status, headers } = response
      if (status !== expected) failures.push(`${what}: ${status} ${body} ${headers.get('x-request-id')}`)
      answered++
    } catch (error) {
      failures.push(`${what}: ${String(error)}`)
    }
  }
  const client = async (number: number) => {
    for (let i = 0; !over.signal.aborted; i++) {
      await attempt('read', 200, () => fetch(`${proxy.url}/api/settings`, { headers: { cookie } }))
      const title = `${number} ${i}`
      await attempt('write', 201, () =>
        fetch(`${proxy.url}/api/todos`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json' },
          body: JSON.stringify({ title }),
        }),
      )
      titles.push(title)
    }
  }
  const moreAnswers = async () => {
    const enough = answered + 100
    await until(() => answered >= enough)
  }
  const load = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))

  for (let i = 0; i < RESTARTS * instances.length; i++) {
    const old = instances[i % instances.length] as Service
    await moreAnswers()
    expect(await old.stop()).toBe(0)
    await moreAnswers()
    instances[i % instances.length] = stack.use(await startService({ env, port: old.port }))
  }
  await moreAnswers()
  over.abort()
  await load

  const sql = administer(database.url)
  const found = await sql`select title from todos`
  await sql.end({ timeout: 5 })
  expect(failures).toEqual([])
  expect(found.map((row) => String(row['title'])).toSorted()).toEqual(titles.toSorted())
})
