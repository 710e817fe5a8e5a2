import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { administer, freshDatabaseUrl } from '../support/database'
import { type Answer, overFetch, play } from '../support/scenario/play'
import { SCENARIO } from '../support/scenario'
import { ROOT, started } from '../support/service'
import { LISTENS, START } from './surroundings'

setDefaultTimeout(60_000)

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const cpu = process.arch === 'arm64' ? 'arm64' : 'x64'

/** How each runs a script. */
const RUNTIMES = {
  bun: [process.execPath, '--no-env-file'],
  deno: [
    pathOf(`node_modules/@deno/linux-${cpu}-glibc/deno`),
    'run',
    '--allow-all',
    '--no-config',
    '--no-lock',
    '--node-modules-dir=manual',
    '--cached-only',
    '--quiet',
  ],
  node: [pathOf(`node_modules/node-linux-${cpu}/bin/node`)],
} as const
type Runtime = keyof typeof RUNTIMES

const stack = new AsyncDisposableStack()
let folder: string
const answers = new Map<Runtime, Promise<readonly Answer[]>>()

/** The app and its servers without TypeScript, beside the packages whose files they read. */
async function bundled(): Promise<string> {
  const cache = join(ROOT, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const outdir = await mkdtemp(join(cache, 'runtimes-'))
  stack.defer(() => rm(outdir, { recursive: true, force: true }))
  const entrypoints = Object.keys(RUNTIMES).map((runtime) => pathOf(`serve.${runtime}.ts`))
  await Bun.build({ entrypoints, outdir, target: 'node', splitting: true, naming: '[name].mjs' })
  return outdir
}

/** The UUIDs that the database draws become the same in every run, in defaults and in statements. */
async function countUuids(url: string) {
  const sql = administer(url)
  await sql.unsafe(`
    create schema counted;
    create sequence counted.uuids;
    create function counted.gen_random_uuid() returns uuid language sql
      as $$ select md5(nextval('counted.uuids')::text)::uuid $$;
    do $$ begin
      execute format('alter database %I set search_path = counted, pg_catalog, public', current_database());
    end $$`)
  const drawn = await sql`
    select table_name, column_name from information_schema.columns where column_default = 'gen_random_uuid()'`
  for (const { table_name: table, column_name: column } of drawn) {
    await sql`alter table ${sql(table)} alter column ${sql(column)} set default counted.gen_random_uuid()`
  }
  await sql.end({ timeout: 5 })
}

test('the other runtimes are installed', () => {
  const missing = Object.entries(RUNTIMES).filter(([, [program]]) => !existsSync(program))
  // `bun install --cwd tests/runtimes` brings them, as `bun run test` does.
  expect(missing.map(([name]) => name)).toEqual([])
})

const run = (runtime: Runtime, databaseUrl: string, env: Readonly<Record<string, string>> = {}) =>
  Bun.spawn({
    cmd: [...RUNTIMES[runtime], join(folder, `serve.${runtime}.mjs`), databaseUrl],
    env: {
      TZ: 'America/Sao_Paulo',
      HOME: '/nonexistent',
      DENO_DIR: join(folder, 'deno'),
      NO_COLOR: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Plays the scenario to the app on a runtime and a database of its own. */
async function answersOf(runtime: Runtime): Promise<readonly Answer[]> {
  await using database = await freshDatabaseUrl()
  await countUuids(database.url)
  const child = run(runtime, database.url)
  const said = { stdout: '', stderr: '' }
  const listen = async (name: keyof typeof said) => {
    for await (const chunk of child[name].pipeThrough(new TextDecoderStream())) said[name] += chunk
  }
  const listening = Promise.all([listen('stdout'), listen('stderr')])
  try {
    await started(
      child,
      async () => said.stdout.includes('\n'),
      () => said.stderr,
    )
    const port = Number(said.stdout.slice(LISTENS.length).split('\n')[0])
    let nowMs = Date.parse(START)
    return await play({
      transport: overFetch(`http://127.0.0.1:${port}`),
      now: () => new Date((nowMs += 1000)),
    })
  } catch (error) {
    throw new Error(`${runtime}: ${said.stderr}${said.stdout.slice(-2000)}`, { cause: error })
  } finally {
    child.kill('SIGKILL')
    await listening
  }
}

beforeAll(async () => {
  folder = await bundled()
  for (const runtime of ['bun', 'deno', 'node'] as const) {
    const running = answersOf(runtime)
    running.catch(() => {})
    answers.set(runtime, running)
  }
})
afterAll(() => stack.disposeAsync())

/** What servers add by themselves. */
const OF_THE_SERVER = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

const comparable = ({ step, status, headers, body }: Answer) => ({
  step: `${step.as}: ${step.send}`,
  status,
  headers: [...headers]
    .filter(([name]) => !OF_THE_SERVER.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted(),
  body: step.isItsOwn ? '' : body,
})

test('the scenario has the breadth of the service', () => {
  expect(SCENARIO.length).toBeGreaterThan(60)
})

test.each(['deno', 'node'] as const)('the app on %s answers byte for byte as on bun', async (runtime) => {
  const [expected, found] = await Promise.all([answers.get('bun'), answers.get(runtime)])
  expect(found).toHaveLength(SCENARIO.length)
  expect(found?.map(comparable)).toEqual(expected?.map(comparable))
})

test.each(['deno', 'node'] as const)('%s refuses HASHER=native with a sentence', async (runtime) => {
  const child = run(runtime, 'postgres://nobody@127.0.0.1:9/none', { HASHER: 'native' })
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect(await child.exited).not.toBe(0)
  expect(stdout).toBe('')
  expect(stderr).toContain('HASHER=native needs Bun, whose own password hashes it uses: set HASHER=wasm')
})
