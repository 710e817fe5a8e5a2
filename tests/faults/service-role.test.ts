import { expect, setDefaultTimeout, test } from 'bun:test'
import { administer, freshDatabaseUrl } from '../support/database'
import { blockOf, substitute } from '../support/readme'
import { freePort, spawnProgram, startService } from '../support/service'

setDefaultTimeout(60_000)

const KEYS = 'k1:faults-faults-faults-faults-faults'

/** A role that owns nothing, on a database of its own. */
async function outsider(stack: AsyncDisposableStack) {
  const database = stack.use(await freshDatabaseUrl())
  const owner = administer(database.url)
  stack.defer(() => owner.end({ timeout: 5 }))
  const role = `service_${database.name}`
  await owner.unsafe(`create role ${role} login password 'of-the-tests'`)
  stack.defer(async () => void (await owner.unsafe(`drop owned by ${role}; drop role ${role}`)))
  const url = Object.assign(new URL(database.url), { username: role, password: 'of-the-tests' })
  return { owner, role, url: url.href, directUrl: database.url }
}

test('without rights the start says what is denied, and nothing of the statement', async () => {
  await using stack = new AsyncDisposableStack()
  const { url, directUrl } = await outsider(stack)
  const env = {
    PORT: String(await freePort()),
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: directUrl,
    SECRET_KEYS: KEYS,
  }
  const { exitCode, stderr } = await spawnProgram({ env }).finished()
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^Cannot start: permission denied for \w+ \w+\n$/)
})

test('with the rights that the deployment guide gives its role the service serves, and cannot change the audit log', async () => {
  await using stack = new AsyncDisposableStack()
  const { owner, role, url, directUrl } = await outsider(stack)
  await owner.unsafe(substitute(await blockOf('deployment', 'sql service role'), { organiser_service: role }))
  await using service = await startService({
    env: { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, SECRET_KEYS: KEYS },
  })
  const ada = { username: 'ada', password: 'correct horse battery' }
  const setUp = await service.post('/api/auth/setup', ada)
  expect(setUp.status).toBe(200)
  const cookie = setUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const created = await service.post('/api/todos', { title: 'Water the plants' }, { cookie })
  expect(created.status).toBe(201)
  const sql = administer(url)
  for (const statement of ['delete from audit_log', `update audit_log set ip = null`, 'truncate audit_log'])
    await expect(Promise.resolve(sql.unsafe(statement))).rejects.toMatchObject({ code: '42501' })
  expect(await sql`select action from audit_log`).toMatchObject([{ action: 'auth.setup_complete' }])
  await sql.end({ timeout: 5 })
})
