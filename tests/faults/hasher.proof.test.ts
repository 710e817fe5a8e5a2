import { expect, setDefaultTimeout, test } from 'bun:test'
import { bcrypt } from 'hash-wasm'
import { administer, freshDatabaseUrl } from '../support/database'
import { startService } from '../support/service'

setDefaultTimeout(60_000)

const ADA = { username: 'ada', password: 'cafe\u0301 correct horse' }
const COMPOSED = { ...ADA, password: ADA.password.normalize('NFC') }
const HASHERS = ['wasm', 'native'] as const

test.each([
  ['wasm', 'native'],
  ['native', 'wasm'],
] as const)(
  'who registered with HASHER=%s signs in with HASHER=%s, and keeps the hash',
  async (first, second) => {
    await using database = await freshDatabaseUrl()
    const sql = administer(database.url)
    const start = (HASHER: string) =>
      startService({
        env: {
          HASHER,
          DATABASE_URL: database.url,
          SECRET_KEYS: 'k1:faults-faults-faults-faults-faults',
          LOGIN_FAILURE_FLOOR_MS: '0',
        },
      })
    const stored = async () => (await sql`select password_hash from users`)[0]?.['password_hash']
    {
      await using service = await start(first)
      expect((await service.post('/api/auth/setup', ADA)).status).toBe(200)
    }
    const hash = await stored()
    await using service = await start(second)
    expect((await service.post('/api/auth/login', COMPOSED)).status).toBe(200)
    for (const password of ['wrong', 'x'.repeat(1024)])
      expect((await service.post('/api/auth/login', { ...ADA, password })).status).toBe(401)
    expect(await stored()).toBe(hash)
    await sql.end({ timeout: 5 })
  },
)

test.each(HASHERS)(
  'with HASHER=%s a legacy hash signs in and is replaced, and a corrupt one is a wrong password',
  async (HASHER) => {
    await using database = await freshDatabaseUrl()
    const sql = administer(database.url)
    await using service = await startService({
      env: {
        HASHER,
        DATABASE_URL: database.url,
        SECRET_KEYS: 'k1:faults-faults-faults-faults-faults',
        LOGIN_FAILURE_FLOOR_MS: '0',
      },
    })
    expect((await service.post('/api/auth/setup', ADA)).status).toBe(200)
    const salt = crypto.getRandomValues(new Uint8Array(16))
    const legacy = await bcrypt({ password: ADA.password, salt, costFactor: 4 })
    await sql`update users set password_hash = ${legacy}`
    expect((await service.post('/api/auth/login', ADA)).status).toBe(200)
    const [row] = await sql`select password_hash from users`
    expect(row?.['password_hash']).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    expect((await service.post('/api/auth/login', COMPOSED)).status).toBe(200)
    for (const corrupt of ['', 'garbage', String(row?.['password_hash']).slice(0, -1), `${legacy}x`]) {
      await sql`update users set password_hash = ${corrupt}`
      expect((await service.post('/api/auth/login', ADA)).status).toBe(401)
    }
    await sql.end({ timeout: 5 })
  },
)
