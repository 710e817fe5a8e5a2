import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabaseUrl } from '../support/database'
import { commandPath, spawnProgram, startService } from '../support/service'
import { dataFolder } from './data-folder'

setDefaultTimeout(60_000)

const KEYS = 'k1:faults-faults-faults-faults-faults'
const ADA = { username: 'ada', password: 'correct horse battery' }

const run = (command: 'backup' | 'restore', env: Record<string, string>, ...args: string[]) =>
  spawnProgram({ env, args: [commandPath(command), ...args] }).finished()
const on = (url: string) => ({ DATABASE_URL: url, SECRET_KEYS: KEYS })

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'organiser-backup-test-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

describe.each(['backup', 'restore'] as const)('bun run %s', (command) => {
  test('explains itself, and wants exactly one file', async () => {
    const help = await run(command, {}, '--help')
    expect([help.exitCode, help.stderr]).toEqual([0, ''])
    expect(help.stdout).toStartWith(`Usage: bun run ${command} <file>\n`)
    for (const args of [[], ['a', 'b'], ['--force'], ['']]) {
      const answer = await run(command, {}, ...args)
      expect(answer).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `Name one file: bun run ${command} <file>\n`,
      })
    }
  })
})

test('bun run backup says that there is nothing to save, and makes no database', async () => {
  const dataDir = join(folder, '.data')
  const missing = await run('backup', { DATA_DIR: dataDir }, join(folder, 'backup.gz'))
  expect(missing.stderr).toStartWith(`There is no database in ${dataDir}: `)
  expect(await readdir(folder)).toEqual([])
  await using empty = await freshDatabaseUrl({ migrated: false })
  const nothing = await run('backup', on(empty.url), join(folder, 'backup.gz'))
  expect(nothing).toEqual({ exitCode: 1, stdout: '', stderr: 'There is nothing to back up yet.\n' })
  expect(await readdir(folder)).toEqual([])
})

test('the embedded service is saved while it runs and while it is stopped, and lives on elsewhere with its key', async () => {
  await using data = await dataFolder()
  await using elsewhere = await dataFolder()
  const [env, other] = [data, elsewhere].map(({ path }) => ({ DATA_DIR: path, LOGIN_FAILURE_FLOOR_MS: '0' }))
  await using service = await startService({ env: env ?? {} })
  const setup = await service.post('/api/auth/setup', ADA)
  const cookie = setup.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect((await service.post('/api/todos', { title: 'One' }, { cookie })).status).toBe(201)
  const [running, stopped] = [join(folder, 'running.gz'), join(folder, 'stopped.gz')]
  expect(await run('backup', env ?? {}, running)).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await service.stop()).toBe(0)
  expect(await run('backup', env ?? {}, stopped)).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await data.server()).toBeUndefined()

  expect(await run('restore', other ?? {}, running)).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await elsewhere.server()).toBeUndefined()
  const key = join(elsewhere.path, 'secret-key')
  expect((await stat(key)).mode & 0o777).toBe(0o600)
  expect(await Bun.file(key).text()).toBe(await Bun.file(join(data.path, 'secret-key')).text())
  await using again = await startService({ env: other ?? {} })
  expect((await again.post('/api/auth/login', ADA)).status).toBe(200)
  const next = await again.post('/api/todos', { title: 'Two' }, { cookie })
  expect([next.status, (await next.json()).id]).toEqual([201, 2])
  expect(await again.stop()).toBe(0)
  const twice = await run('restore', other ?? {}, stopped)
  expect([twice.exitCode, twice.stderr]).toEqual([
    1,
    'The database is not empty: name one that is, as a restore replaces nothing.\n',
  ])

  await using keyed = await dataFolder()
  await Bun.write(join(keyed.path, 'secret-key'), 'another key of another service, long enough')
  const foreign = await run('restore', { DATA_DIR: keyed.path }, stopped)
  expect([foreign.exitCode, foreign.stdout]).toEqual([1, ''])
  expect(foreign.stderr).toMatch(/^The key in \S+ is not that of the backup: .+\n$/)
  await using server = await freshDatabaseUrl({ migrated: false })
  const unnamed = await run('restore', on(server.url), stopped)
  expect(unnamed.stderr).toStartWith('The backup holds the key of an embedded service, ')
  const secret = await Bun.file(key).text()
  const named = await run('restore', { ...on(server.url), SECRET_KEYS: `embedded:${secret}` }, stopped)
  expect(named).toMatchObject({ exitCode: 0, stderr: '' })
})
