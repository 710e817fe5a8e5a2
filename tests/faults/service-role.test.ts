import { expect, setDefaultTimeout, test } from 'bun:test'
import { administer, freshDatabaseUrl } from '../support/database'
import { blockOf, substitute } from '../support/readme'
import { startService } from '../support/service'

setDefaultTimeout(60_000)

test('with the rights that the deployment guide gives its role the service serves, and cannot change the audit log', async () => {
  await using database = await freshDatabaseUrl()
  const owner = administer(database.url)
  const role = `service_${database.name}`
  await owner.unsafe(`create role ${role} login password 'of-the-tests'`)
  try {
    await owner.unsafe(
      substitute(await blockOf('deployment', 'sql service role'), { organiser_service: role }),
    )
    const url = new URL(database.url)
    Object.assign(url, { username: role, password: 'of-the-tests' })
    await using service = await startService({
      env: {
        DATABASE_URL: url.href,
        DATABASE_DIRECT_URL: database.url,
        SECRET_KEYS: 'k1:faults-faults-faults-faults-faults',
      },
    })
    const ada = { username: 'ada', password: 'correct horse battery' }
    const setUp = await service.post('/api/auth/setup', ada)
    expect(setUp.status).toBe(200)
    const cookie = setUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const created = await service.post('/api/todos', { title: 'Water the plants' }, { cookie })
    expect(created.status).toBe(201)
    const sql = administer(url.href)
    for (const statement of ['delete from audit_log', `update audit_log set ip = null`, 'truncate audit_log'])
      await expect(Promise.resolve(sql.unsafe(statement))).rejects.toMatchObject({ code: '42501' })
    expect(await sql`select action from audit_log`).toMatchObject([{ action: 'auth.setup_complete' }])
    await sql.end({ timeout: 5 })
  } finally {
    await owner.unsafe(`drop owned by ${role}; drop role ${role}`)
    await owner.end({ timeout: 5 })
  }
})
