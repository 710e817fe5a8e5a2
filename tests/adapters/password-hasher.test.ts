import { afterAll, describe, expect, test } from 'bun:test'
import { bcrypt } from 'hash-wasm'
import { readdirSync, readFileSync } from 'node:fs'
import { createPasswordHasher } from '../../src/adapters/password-hasher'
import { systemRandom } from '../../src/adapters/random'
import { HasherBusyError } from '../../src/lib/ports/passwords'
import { until } from '../support/service'

const MODULE = new URL('../../src/adapters/password-hasher.ts', import.meta.url).pathname
const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22,43}\$[A-Za-z0-9+/]{43}$/

/** The living child processes of `parent`; a zombie is dead. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.parent === parent)
}

function statOf(pid: number): { parent: number } | undefined {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return state === 'Z' || state === 'X' ? undefined : { parent: Number(parent) }
  } catch {
    return undefined
  }
}

const failureOf = (promise: Promise<unknown> | undefined): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  )

/** A hasher, and the processes that it started. */
function newHasher(options: Parameters<typeof createPasswordHasher>[0]) {
  const before = new Set(childrenOf(process.pid))
  const workers = () => childrenOf(process.pid).filter((pid) => !before.has(pid))
  return { hasher: createPasswordHasher(options), workers }
}

describe.each(['wasm', 'native'] as const)('the pool with HASHER=%s', (engine) => {
  const { hasher, workers } = newHasher({ engine, workers: 2, maxWaitMs: Infinity })
  afterAll(() => hasher.close())

  test('starts no process before there is work', () => {
    expect(workers()).toEqual([])
  })

  test('hashes and verifies, the strangest password included', async () => {
    for (const password of ['secret', 'cafe\u0301', 'a\0b', '\ud800', '🦊'.repeat(500)]) {
      const hash = await hasher.hash(password)
      expect(hash).toMatch(CURRENT)
      expect(await hasher.verify(password, hash)).toEqual({ ok: true })
      expect(await hasher.verify('wrong', hash)).toEqual({ ok: false })
    }
  })

  test('hands over the hash that should replace an old one', async () => {
    const { ok, upgradedHash } = await hasher.verify(
      'secret',
      await bcrypt({ password: 'secret', salt: systemRandom.bytes(16), costFactor: 4 }),
    )
    expect(ok).toBe(true)
    expect(upgradedHash).toMatch(CURRENT)
  })

  test('refuses to hash an empty password and finds it wrong', async () => {
    expect(await failureOf(hasher.hash(''))).toBeInstanceOf(RangeError)
    expect(await hasher.verify('', await hasher.hash('secret'))).toEqual({ ok: false })
  })

  test('runs as many hashes at once as it has workers, and no more', async () => {
    const seen = new Set<number>()
    const look = () => workers().forEach((pid) => seen.add(pid))
    await Promise.all(Array.from({ length: 12 }, () => hasher.hash('secret').then(look)))
    expect(seen.size).toBe(2)
  })

  test('leaves the request thread free meanwhile', async () => {
    let turns = 0
    let hashing = true
    const turn = () => {
      turns += 1
      if (hashing) setTimeout(turn, 1)
    }
    turn()
    await Promise.all(Array.from({ length: 16 }, () => hasher.hash('secret')))
    hashing = false
    // A thread that hashes turns once or twice per hash.
    expect(turns).toBeGreaterThan(2 * 16)
  })

  test('gives its workers no environment', async () => {
    process.env.HASHER_TEST_SECRET = 'do-not-inherit'
    await hasher.hash('secret')
    for (const pid of workers()) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
      expect(
        environment.map((entry) => entry.split('=')[0]).filter((name) => !name?.startsWith('NODE_')),
      ).toEqual([])
    }
  })

  test('keeps its workers through the signals that ask the service to stop', async () => {
    await hasher.hash('secret')
    const before = workers()
    for (const pid of before) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal)
    await Promise.all(Array.from({ length: 4 }, () => hasher.hash('secret')))
    expect(workers()).toEqual(before)
  })

  test('loses no job when every worker is killed, and replaces the workers', async () => {
    const jobs = Promise.all(Array.from({ length: 8 }, () => hasher.hash('secret')))
    const killed = await until(() => workers().length === 2 && workers())
    for (const pid of killed) process.kill(pid, 'SIGKILL')
    for (const hash of await jobs) expect(hash).toMatch(CURRENT)
    expect(workers().some((pid) => killed.includes(pid))).toBe(false)
  })

  test('works on after its idle workers are killed', async () => {
    await hasher.hash('secret')
    for (const pid of workers()) process.kill(pid, 'SIGKILL')
    expect(await hasher.hash('secret')).toMatch(CURRENT)
  })
})

test('a job whose worker dies on it twice fails, and the next one succeeds', async () => {
  const { hasher, workers } = newHasher({ workers: 1 })
  const failed = failureOf(hasher.hash('secret'))
  const first = await until(() => workers()[0])
  process.kill(first, 'SIGKILL')
  const second = await until(() => workers().find((pid) => pid !== first))
  process.kill(second, 'SIGKILL')
  expect(await failed).toBeInstanceOf(Error)
  expect(await hasher.hash('secret')).toMatch(CURRENT)
  await hasher.close()
})

test('a worker that hangs is replaced and its job done by another', async () => {
  const { hasher, workers } = newHasher({ workers: 1, jobTimeoutMs: 2_000 })
  await hasher.hash('secret')
  const [hanging = 0] = workers()
  process.kill(hanging, 'SIGSTOP')
  expect(await hasher.hash('secret')).toMatch(CURRENT)
  // Killed is not yet gone: the system takes its time to say so.
  await until(() => !workers().includes(hanging))
  await hasher.close()
}, 30_000)

test.each(['wasm', 'native'] as const)(
  'with HASHER=%s work that would wait too long is refused at once, and what was accepted is done',
  async (engine) => {
    const { hasher, workers } = newHasher({ engine, workers: 1, maxWaitMs: 200 })
    let done = 0
    const jobs = Array.from({ length: 40 }, () => hasher.hash('secret').then(() => (done += 1)))
    const outcomes = Promise.allSettled(jobs)
    expect(await failureOf(jobs.at(-1))).toBeInstanceOf(HasherBusyError)
    expect(await failureOf(hasher.verify('secret', 'garbage'))).toBeInstanceOf(HasherBusyError)
    expect(done).toBe(0)
    const refused = (await outcomes).filter(({ status }) => status === 'rejected')
    expect(done).toBe(40 - refused.length)
    expect(done).toBeGreaterThan(1)
    expect(await hasher.hash('secret')).toMatch(CURRENT)
    expect(workers()).toHaveLength(1)
    await hasher.close()
  },
)

test('the wait is judged by how long jobs have lately taken', async () => {
  let now = 0
  const clock = {
    now: () => new Date(0),
    monotonic: () => (now += 100_000),
    sleep: async () => {},
    nextTurn: async () => {},
  }
  const hasher = createPasswordHasher({ workers: 1, clock })
  const burst = () => Promise.allSettled(Array.from({ length: 10 }, () => hasher.hash('secret')))
  const accepted = async () => (await burst()).filter(({ status }) => status === 'fulfilled').length
  expect(await accepted()).toBe(10)
  expect(await accepted()).toBe(2)
  await hasher.close()
})

test('a pool without workers is refused', () => {
  for (const workers of [0, -1, 1.5, NaN]) expect(() => createPasswordHasher({ workers })).toThrow(RangeError)
})

test('closing rejects what is unfinished and everything after, and ends every worker', async () => {
  const { hasher, workers } = newHasher({ workers: 2 })
  const outcomes = Promise.allSettled(Array.from({ length: 5 }, () => hasher.hash('secret')))
  await until(() => workers().length === 2)
  await hasher.close()
  expect((await outcomes).map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
  expect(workers()).toEqual([])
  expect(await failureOf(hasher.hash('secret'))).toBeInstanceOf(Error)
  await hasher.close()
})

/** A process that runs `body` with `createPasswordHasher` at hand. */
const startService = (body: string) =>
  Bun.spawn([process.execPath, '-e', `const { createPasswordHasher } = await import('${MODULE}');${body}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })

describe('a service that uses the pool', () => {
  test('exits by itself once the pool is closed', async () => {
    const service = startService(`const hasher = createPasswordHasher({ workers: 2 })
      await Promise.all([hasher.hash('a'), hasher.hash('b')])
      await hasher.close()`)
    expect(await service.exited).toBe(0)
    expect(await new Response(service.stderr).text()).toBe('')
  })

  test.each(['idle', 'busy', 'starting'])('takes its %s workers with it when it is killed', async (state) => {
    const service = startService(`const hasher = createPasswordHasher({ workers: 2, maxWaitMs: Infinity })
      const work = (n) => Promise.all(Array.from({ length: n }, () => hasher.hash('secret')))
      ${state === 'starting' ? '' : 'await work(4)'}
      ${state === 'idle' ? '' : 'void work(1_000)'}
      console.log('ready')
      setInterval(() => {}, 1_000)`)
    await service.stdout.getReader().read()
    const workers = await until(() => childrenOf(service.pid).length === 2 && childrenOf(service.pid))
    service.kill('SIGKILL')
    await service.exited
    await until(() => workers.every((pid) => !statOf(pid)))
    expect(await new Response(service.stderr).text()).toBe('')
  })
})
