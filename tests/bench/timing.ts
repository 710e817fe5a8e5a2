import { bcrypt } from 'hash-wasm'
import { hashPassword } from '../../src/adapters/password-hash'
import { hashEngine } from '../../src/adapters/password-hash.engines'
import { connect } from '../../src/db/client'
import { users } from '../../src/db/schema'
import { freshDatabaseUrl, stopTestServer } from '../support/database'
import { startService } from '../support/service'

/**
 * `bun tests/bench/timing.ts [samples]`: how long a refused sign-in takes for an unknown user, a wrong password, a disabled
 * account and a legacy bcrypt hash, interleaved. What is wrong must not show in the time.
 */
const SAMPLES = Number(process.argv[2] ?? 200)
/** Sign-ins at once: few enough that nobody waits for a free hasher. */
const PARALLEL = 4
const PASSWORD = 'correct horse battery'

const salt = () => crypto.getRandomValues(new Uint8Array(16))
const KINDS = ['unknown user', 'wrong password', 'disabled account', 'legacy bcrypt'] as const
type Kind = (typeof KINDS)[number]

/** Each sample has a user of its own, as ten wrong passwords lock one. */
async function seed(url: string) {
  const { db, close } = connect(url, { pool: 1 })
  const argon2 = await hashPassword(hashEngine('wasm'), PASSWORD, salt())
  const legacy = await bcrypt({ password: PASSWORD, salt: salt(), costFactor: 10, outputType: 'encoded' })
  const stamps = { createdAt: new Date(), updatedAt: new Date() }
  const user = (name: string, columns: { passwordHash: string; isActive?: boolean }) => ({
    username: name,
    networkName: name,
    role: 'standard' as const,
    ...stamps,
    ...columns,
  })
  await db
    .insert(users)
    .values(
      Array.from({ length: SAMPLES }, (_, i) => [
        user(`wrong-${i}x`, { passwordHash: argon2 }),
        user(`disabled-${i}x`, { passwordHash: argon2, isActive: false }),
        user(`legacy-${i}x`, { passwordHash: legacy }),
      ]).flat(),
    )
  await close()
}

const credentials = (kind: Kind, i: number) => {
  if (kind === 'unknown user') return { username: `nobody-${i}x`, password: PASSWORD }
  if (kind === 'wrong password') return { username: `wrong-${i}x`, password: 'wrong' }
  if (kind === 'disabled account') return { username: `disabled-${i}x`, password: PASSWORD }
  return { username: `legacy-${i}x`, password: 'wrong' }
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

try {
  await using database = await freshDatabaseUrl()
  await seed(database.url)
  await using service = await startService({
    env: { DATABASE_URL: database.url, SECRET_KEYS: 'bench:bench-bench-bench-bench-bench-bench' },
  })
  const times = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]))
  for (let i = 0; i < SAMPLES; i += PARALLEL / KINDS.length) {
    await Promise.all(
      KINDS.map(async (kind) => {
        const startedAt = performance.now()
        await (await service.post('/api/auth/login', credentials(kind, i))).text()
        times.get(kind)?.push(performance.now() - startedAt)
      }),
    )
  }
  const medians = KINDS.map((kind) => ({ kind, ms: median(times.get(kind) ?? []) }))
  const [low, high] = [Math.min(...medians.map(({ ms }) => ms)), Math.max(...medians.map(({ ms }) => ms))]
  for (const { kind, ms } of medians) console.log(kind.padEnd(18), ms.toFixed(1), 'ms')
  console.log(`spread ${((high / low - 1) * 100).toFixed(2)} % over ${SAMPLES} samples each`)
} finally {
  await stopTestServer()
}
