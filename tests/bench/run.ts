import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HashEngineName } from '../../src/adapters/password-hash.engines'
import { freshDatabaseUrl, stopTestServer } from '../support/database'
import { freePort, ROOT, until } from '../support/service'
import { SECRET, type seedUsers } from './accounts'
import { measureDav } from './dav'
import { DASHBOARD } from './dashboard'
import { ENDPOINTS, fixed, median, nameOf, seed, table } from './endpoints'
import { measureExpansion } from './events'
import { measureGrowth } from './growth'
import { measureHashing } from './hashing'
import { measureLarge, seedNamed } from './large'
import { measureLive } from './live'
import { type Asked, record } from './recording'
import { measureStorms, type Storm } from './storm'
import { measureSync } from './sync'
import { measureUndo } from './undo'
import { measureWeb } from './web'
import { type Load, wrk } from './wrk'

/**
 * `bun run bench`: the service beside a reference on the same database, loaded in turn in one run, and what it costs to
 * start and to keep. Writes its table into `tests/bench/README.md`. Figures are for comparing within one run, never across machines.
 */
const ROUNDS = 3
const DASHBOARD_ROUNDS = 5
const SECONDS = 3
const POOL = 10

async function startProgram(args: readonly string[], env: Record<string, string>, probe: string) {
  const startedAt = performance.now()
  const child = Bun.spawn([process.execPath, '--no-env-file', ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await until(async () => (await fetch(probe).catch(() => undefined))?.ok)
  return {
    pid: child.pid,
    readyMs: performance.now() - startedAt,
    rssMiB: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

async function startService(url: string, hasher: HashEngineName = 'wasm') {
  const port = String(await freePort())
  const env = {
    PORT: port,
    DATABASE_URL: url,
    SECRET_KEYS: SECRET,
    DATABASE_POOL: String(POOL),
    METRICS_TOKEN: 'bench',
    LOGIN_FAILURE_FLOOR_MS: '0',
    HASHER: hasher,
  }
  const base = `http://127.0.0.1:${port}`
  return { base, program: await startProgram(['src/main.ts'], env, `${base}/health/ready`) }
}

/** Knows what the service asks the database, endpoint by endpoint. */
async function startReference(url: string, endpoint: Asked) {
  const folder = await mkdtemp(join(tmpdir(), 'organiser-bench-'))
  const file = join(folder, 'recorded.json')
  await writeFile(file, JSON.stringify(await record(url, [endpoint])))
  const port = String(await freePort())
  const base = `http://127.0.0.1:${port}`
  const program = await startProgram(['tests/bench/reference.ts', port, url, String(POOL), file], {}, base)
  await rm(folder, { recursive: true })
  return { base, program }
}

/** Both in turn, round after round, so that whatever else the machine does hits both. */
async function compare(bases: { service: string; reference: string }, load: (base: string) => Promise<Load>) {
  const rounds: Array<{ service: Load; reference: Load }> = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ service: await load(bases.service), reference: await load(bases.reference) })
  }
  const of = (side: 'service' | 'reference', figure: keyof Load) =>
    median(rounds.map((round) => round[side][figure]))
  const ratio = median(
    rounds.map((round) => round.service.requestsPerSecond / round.reference.requestsPerSecond),
  )
  return { of, ratio }
}

/** The rate at which the dashboard of an account with much in it is read, times that of one with little. */
async function measureDashboard(base: string, [light, heavy]: readonly [string, string]): Promise<number> {
  const rate = async (cookie: string) =>
    (await wrk({ url: `${base}${DASHBOARD}`, connections: 8, seconds: SECONDS, cookie })).requestsPerSecond
  const ratios: number[] = []
  for (let round = 0; round < DASHBOARD_ROUNDS; round++)
    ratios.push((await rate(heavy)) / (await rate(light)))
  return median(ratios)
}

async function measureStart(url: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 5; i++) {
    const { program } = await startService(url)
    times.push(program.readyMs)
    await program[Symbol.asyncDispose]()
  }
  return median(times)
}

/** The endpoints whose path begins with `prefix`, and the reference beside each. */
async function compareEndpoints(
  url: string,
  base: string,
  users: Awaited<ReturnType<typeof seedUsers>>,
  prefix = '',
) {
  const compared = []
  for (const { as, at, ...asked } of ENDPOINTS.filter(({ path }) => path.startsWith(prefix))) {
    const { cookie } = users[as] ?? users[0]
    const reference = await startReference(url, {
      ...asked,
      method: asked.body ? 'POST' : 'GET',
      cookie,
    })
    for (const connections of at) {
      const load = (from: string) =>
        wrk({ url: `${from}${asked.path}`, connections, seconds: SECONDS, cookie, body: asked.body })
      const found = await compare({ service: base, reference: reference.base }, load)
      const name = nameOf({ as, at, ...asked })
      const [rate, bound] = [
        found.of('service', 'requestsPerSecond'),
        found.of('reference', 'requestsPerSecond'),
      ]
      console.log(
        `${name} at ${connections}: ${fixed(rate)}/s of ${fixed(bound)}/s, ${fixed(found.ratio, 2)}; ${fixed(found.of('service', 'errors'))} errors`,
      )
      compared.push({ name, connections, ...found })
    }
    await reference.program[Symbol.asyncDispose]()
  }
  return compared
}

async function measure(): Promise<string> {
  await using database = await freshDatabaseUrl()
  const users = await seed(database.url)
  const [session, light, heavy] = users
  const startMs = await measureStart(database.url)
  const { base, program } = await startService(database.url)
  const restMiB = await program.rssMiB()
  const compared = await compareEndpoints(database.url, base, users)
  const loadedMiB = await program.rssMiB()
  const crowded = await measureDashboard(base, [light.cookie, heavy.cookie])
  const grown = await measureGrowth(database.url, base, [users[5] ?? session, users[6] ?? session])
  await program[Symbol.asyncDispose]()
  const storms = await measureStorms((hasher) => startService(database.url, hasher), session.cookie, ROUNDS)
  const stormed = (figure: keyof Storm, digits: number) =>
    [storms.wasm, storms.native].map((all) => fixed(median(all.map((one) => one[figure])), digits))
  const hashing = await measureHashing(60)
  const expansion = measureExpansion()
  return [
    `On ${availableParallelism()} cores, shared by the load, the service and PostgreSQL; medians of ${ROUNDS} rounds in turn.`,
    table(
      [
        'Endpoint',
        'Connections',
        'Service req/s',
        'Reference req/s',
        'Ratio',
        'p50 ms',
        'p99 ms',
        'Reference p99 ms',
      ],
      compared.map(({ name, connections, of, ratio }) => [
        `\`${name}\``,
        String(connections),
        fixed(of('service', 'requestsPerSecond')),
        fixed(of('reference', 'requestsPerSecond')),
        fixed(ratio, 2),
        fixed(of('service', 'p50Ms'), 2),
        fixed(of('service', 'p99Ms'), 2),
        fixed(of('reference', 'p99Ms'), 2),
      ]),
    ),
    table(
      ['Sign-in storm', '`HASHER=wasm`', '`HASHER=native`'],
      [
        ['sign-ins per second', ...stormed('signIns', 1)],
        ['p99 of reads without it, ms', ...stormed('calmP99', 2)],
        ['p99 of reads meanwhile, ms', ...stormed('stormyP99', 2)],
        ['p99 meanwhile, times that without', ...stormed('factor', 1)],
        ['reads per second without it', ...stormed('calmRate', 0)],
        ['reads per second meanwhile', ...stormed('stormyRate', 0)],
        ['longest stall of the event loop, ms', ...stormed('stallMs', 1)],
      ],
    ),
    table(
      ['Hashing (Argon2id, 19 MiB, t=2)', 'Hashes/s', 'Longest stall of the request thread, ms'],
      hashing.map(({ variant, hashesPerSecond, maxStallMs: stall }) => [
        variant,
        fixed(hashesPerSecond, 1),
        fixed(stall, 1),
      ]),
    ),
    table(
      ['Recurrence', ''],
      [['one month of a daily series from 1970, times one from last month', fixed(expansion, 2)]],
    ),
    table(
      ['Dashboard', ''],
      [['rate with 5 000 todos, 2 000 events and 500 tasks, times that with ten of each', fixed(crowded, 2)]],
    ),
    table(
      ['Growth', 'Rate, times that before'],
      Object.entries(grown).map(([what, ratio]) => [what, fixed(ratio, 2)]),
    ),
    table(
      ['Footprint', ''],
      [
        ['memory at rest, MiB', fixed(restMiB)],
        ['memory after the load, MiB', fixed(loadedMiB)],
        ['from process start to ready, ms', fixed(startMs)],
      ],
    ),
  ].join('\n\n')
}

/** One endpoint alone, without writing anything: for who works on it. */
async function measureOnly(prefix: string): Promise<void> {
  await using database = await freshDatabaseUrl()
  const users = await seed(database.url)
  const { base, program } = await startService(database.url)
  await compareEndpoints(database.url, base, users, prefix)
  await program[Symbol.asyncDispose]()
}

/** CalDAV beside Radicale. A whole run is written; a part alone is shown. */
async function showDav(part: string | undefined): Promise<void> {
  const figures = await measureDav(startService, part)
  console.log(figures)
  if (part === undefined) await writeIntoReadme(figures, 'dav')
}

/** A large database beside a small one. A whole run is written; a part alone is shown. */
async function showLarge(part: string | undefined): Promise<void> {
  const figures = await measureLarge(startService, part)
  console.log(figures)
  if (part === undefined) await writeIntoReadme(figures, 'large')
}

/** Puts the figures between the comments of that name. */
async function writeIntoReadme(figures: string, name: string): Promise<void> {
  const path = `${ROOT}tests/bench/README.md`
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const readme = await readFile(path, 'utf8')
  const [before, after] = [readme.split(start)[0], readme.split(end)[1]]
  if (before === undefined || after === undefined)
    throw new Error('tests/bench/README.md has no place for the figures')
  await writeFile(path, `${before}${start}\n\n${figures}\n\n${end}${after}`)
  Bun.spawnSync([process.execPath, 'x', 'prettier', '--write', path])
}

try {
  if (!Bun.which('wrk')) throw new Error('wrk is missing: install it with your package manager')
  const [, , prefix, part] = process.argv
  if (prefix === undefined) {
    const figures = await measure()
    console.log(figures)
    await writeIntoReadme(figures, 'bench')
  } else if (prefix === 'sync') await measureSync(startService)
  else if (prefix === 'live') await measureLive(startService)
  else if (prefix === 'undo') await measureUndo(startService)
  else if (prefix === 'web') await measureWeb(startService)
  else if (prefix === 'dav') await showDav(part)
  else if (prefix === 'large') await showLarge(part)
  else if (prefix === 'seed') await seedNamed(part)
  else await measureOnly(prefix)
} finally {
  await stopTestServer()
}
