import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import {
  auditLog,
  backupCodes,
  calendarFeeds,
  calendars,
  sessions,
  totpCredentials,
  users,
} from '../../src/db/schema'
import { addMinutes } from '../../src/lib/time/time'
import { freshDatabaseUrl } from '../support/database'
import { type Harness, startHarness } from '../support/harness'
import { commandPath, freePort, ROOT, spawnProgram, startService } from '../support/service'
import { dataFolder } from './data-folder'

setDefaultTimeout(60_000)

const KEYS = 'k1:faults-faults-faults-faults-faults'
const COMMANDS = ['reset-password', 'unlock', 'activate', 'disable-mfa', 'disable-passwordless']
const ADA = { username: 'ada', password: 'correct horse battery' }

const run = (env: Record<string, string>, ...args: string[]) =>
  spawnProgram({ env, args: [commandPath('admin'), ...args] }).finished()

describe('bun run admin, on the database that DATABASE_URL names,', () => {
  let h: Harness
  beforeAll(async () => void (h = await startHarness()))
  afterAll(() => h[Symbol.asyncDispose]())

  const admin = (...args: string[]) => run({ DATABASE_URL: h.url, SECRET_KEYS: KEYS }, ...args)
  const rowOf = async (id: number) => (await h.db.select().from(users).where(eq(users.id, id)))[0]
  const revoked = async (userId: number) =>
    (await h.db.select().from(sessions).where(eq(sessions.userId, userId))).map((session) => session.revoked)
  const audited = async (userId: number) =>
    (await h.db.select().from(auditLog)).filter(({ detail }) => detail?.['user_id'] === userId)
  const expectAudited = async (action: string, { id, username }: { id: number; username: string }) =>
    expect(await audited(id)).toEqual([
      {
        id: expect.any(Number),
        action,
        actorId: null,
        detail: { user_id: id, username },
        ip: 'unknown',
        createdAt: expect.any(Date),
      },
    ])

  test('reset-password prints the new password alone on the last line, and keeps it nowhere', async () => {
    const ada = await h.signedIn({
      username: 'Ada',
      role: 'admin',
      passwordlessEnabled: true,
      failedLoginCount: 10,
    })
    const [calendar] = await h.db.select().from(calendars).where(eq(calendars.userId, ada.row.id))
    const calendarId = calendar?.id ?? 0
    await h.db.insert(calendarFeeds).values({ calendarId, tokenHash: 'feed', createdAt: h.clock.now() })
    const { exitCode, stdout, stderr } = await admin('reset-password', 'aDA')
    expect([exitCode, stderr]).toEqual([0, ''])
    const lines = stdout.split('\n')
    expect([lines.length, lines[2]]).toEqual([3, ''])
    expect(lines[0]).toMatch(/^Until \S+T\S+, aDA can sign in with this and choose a new one:$/)
    const password = lines[1] ?? ''
    expect(password).toMatch(/^[a-km-np-z2-9]{16}$/)
    const row = await rowOf(ada.row.id)
    expect(row).toMatchObject({ mustChangePassword: true, passwordlessEnabled: false, failedLoginCount: 0 })
    expect(await Bun.password.verify(password, row?.passwordHash ?? '')).toBe(true)
    const hoursLeft = ((row?.temporaryPasswordExpiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000
    expect(hoursLeft).toBeGreaterThan(71.9)
    expect(hoursLeft).toBeLessThanOrEqual(72)
    expect(await revoked(ada.row.id)).toEqual([true])
    expect(await h.db.$count(calendarFeeds)).toBe(0)
    const ended = await h.db.select().from(auditLog).where(eq(auditLog.action, 'calendar.feed_deleted'))
    expect(ended).toMatchObject([{ actorId: null, detail: { calendar_id: calendarId } }])
    await expectAudited('admin.user_password_reset', ada.row)
  })

  test('unlock ends both locks', async () => {
    const lock = addMinutes(new Date(), 30)
    const { id, username } = await h.user({ lockedUntil: lock, mfaLockedUntil: lock, failedMfaCount: 10 })
    const { exitCode, stdout, stderr } = await admin('unlock', username)
    expect([exitCode, stdout, stderr]).toEqual([0, `${username} is not locked any more.\n`, ''])
    expect(await rowOf(id)).toMatchObject({ lockedUntil: null, mfaLockedUntil: null, failedMfaCount: 0 })
    await expectAudited('admin.user_unlocked', { id, username })
  })

  test('activate enables a disabled account', async () => {
    const { id, username } = await h.user({ isActive: false })
    const { exitCode, stdout, stderr } = await admin('activate', username)
    expect([exitCode, stdout, stderr]).toEqual([0, `${username} is active.\n`, ''])
    expect(await rowOf(id)).toMatchObject({ isActive: true })
    await expectAudited('admin.user_activated', { id, username })
  })

  test('disable-mfa takes the second factor away', async () => {
    const { row } = await h.signedIn({ totpEnabled: true })
    const at = { userId: row.id, createdAt: h.clock.now() }
    await h.db.insert(totpCredentials).values({ ...at, secret: 'sealed', confirmedAt: h.clock.now() })
    await h.db.insert(backupCodes).values({ ...at, codeHash: 'a' })
    const { exitCode, stdout, stderr } = await admin('disable-mfa', row.username)
    expect([exitCode, stdout, stderr]).toEqual([0, `${row.username} has no second factor any more.\n`, ''])
    expect(await rowOf(row.id)).toMatchObject({ totpEnabled: false })
    expect([await h.db.$count(totpCredentials), await h.db.$count(backupCodes)]).toEqual([0, 0])
    expect(await revoked(row.id)).toEqual([true])
    await expectAudited('admin.user_mfa_disabled', row)
  })

  test('disable-passwordless lets the password in again', async () => {
    const { row } = await h.signedIn({ passwordlessEnabled: true })
    const { exitCode, stdout, stderr } = await admin('disable-passwordless', row.username)
    expect([exitCode, stdout, stderr]).toEqual([0, `${row.username} can sign in with a password.\n`, ''])
    expect(await rowOf(row.id)).toMatchObject({ passwordlessEnabled: false })
    expect(await revoked(row.id)).toEqual([true])
    await expectAudited('admin.user_passwordless_disabled', row)
  })

  test('says in one sentence that there is no such user, and changes nothing', async () => {
    const before = await h.db.$count(auditLog)
    for (const command of COMMANDS) {
      expect(await admin(command, 'nobody')).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: 'There is no user nobody.\n',
      })
    }
    expect(await h.db.$count(auditLog)).toBe(before)
  })

  test('is a script of the package', async () => {
    const { username } = await h.user()
    const script = Bun.spawn([process.execPath, 'run', '--silent', 'admin', 'unlock', username], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: h.url, SECRET_KEYS: KEYS },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    expect(await new Response(script.stdout).text()).toBe(`${username} is not locked any more.\n`)
    expect(await script.exited).toBe(0)
  })
})

describe('bun run admin', () => {
  const USAGE = /^Usage: bun run admin <command> <username>$/m
  const expectUsage = (text: string) => {
    expect(text).toMatch(USAGE)
    for (const command of COMMANDS) expect(text).toMatch(new RegExp(`^  ${command} +\\w`, 'm'))
  }

  test('explains itself where it is asked to', async () => {
    for (const args of [['help'], ['--help'], ['-h'], ['unlock', '--help']]) {
      const { exitCode, stdout, stderr } = await run({}, ...args)
      expect([exitCode, stderr]).toEqual([0, ''])
      expect(stdout).toStartWith('Usage: ')
      expectUsage(stdout)
    }
  })

  test('fails without a command, and says how it is used', async () => {
    const { exitCode, stdout, stderr } = await run({})
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toStartWith('Usage: ')
    expectUsage(stderr)
  })

  test('fails with a command that it does not know, says how it is used, and prints nothing that a terminal obeys', async () => {
    for (const command of ['delete', 'toString', '__proto__', '\u{1b}[2Jx']) {
      const { exitCode, stdout, stderr } = await run({}, command, 'ada')
      const named = command.replace('\u{1b}', '')
      expect([exitCode, stdout]).toEqual([1, ''])
      expect(stderr).toStartWith(`There is no command ${named}.\n\nUsage: `)
      expect(stderr).not.toContain('\u{1b}')
      expectUsage(stderr)
    }
  })

  test('wants exactly one user', async () => {
    for (const args of [['unlock'], ['unlock', 'ada', 'bob']]) {
      const { exitCode, stdout, stderr } = await run({}, ...args)
      expect([exitCode, stdout]).toEqual([1, ''])
      expect(stderr).toBe('Name one user: bun run admin unlock <username>\n')
    }
  })

  test('says in one line that the database is out of reach, without its password', async () => {
    const url = `postgres://organiser:not-to-be-seen@127.0.0.1:${await freePort()}/organiser`
    const answer = await run({ DATABASE_URL: url, SECRET_KEYS: KEYS }, 'reset-password', 'ada')
    expect([answer.exitCode, answer.stdout]).toEqual([1, ''])
    expect(answer.stderr).toMatch(/^The database cannot be used: .+\.\n$/)
    expect(answer.stderr).not.toContain('not-to-be-seen')
  })

  test('says what is wrong with the configuration', async () => {
    const answer = await run({ DATABASE_URL: 'postgres://localhost/organiser' }, 'unlock', 'ada')
    expect([answer.exitCode, answer.stdout]).toEqual([1, ''])
    expect(answer.stderr).toContain('SECRET_KEYS is required with DATABASE_URL')
  })

  test('works on no database that is not migrated', async () => {
    await using empty = await freshDatabaseUrl({ migrated: false })
    const answer = await run({ DATABASE_URL: empty.url, SECRET_KEYS: KEYS }, 'unlock', 'ada')
    expect(answer).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'The database is not up to date: start the service once.\n',
    })
  })

  test('makes no embedded database where there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'organiser-admin-'))
    try {
      const dataDir = join(folder, '.data')
      const answer = await run({ DATA_DIR: dataDir }, 'unlock', 'ada')
      expect([answer.exitCode, answer.stdout]).toEqual([1, ''])
      expect(answer.stderr).toBe(
        `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL as for the service.\n`,
      )
      expect(await readdir(folder)).toEqual([])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

test('bun run admin works on the embedded database, while the service runs and while it is stopped', async () => {
  await using folder = await dataFolder()
  const env = { DATA_DIR: folder.path, LOGIN_FAILURE_FLOOR_MS: '0' }
  const passwordOf = ({ stdout }: { stdout: string }) => stdout.trimEnd().split('\n').at(-1) ?? ''
  await using service = await startService({ env })
  expect((await service.post('/api/auth/setup', ADA)).status).toBe(200)
  const server = await folder.server()

  const running = await run(env, 'reset-password', 'ada')
  expect([running.exitCode, running.stderr]).toEqual([0, ''])
  expect(await folder.server()).toEqual(server)
  expect((await service.post('/api/auth/login', ADA)).status).toBe(401)
  const login = await service.post('/api/auth/login', { ...ADA, password: passwordOf(running) })
  expect(await login.json()).toEqual({ authenticated: true, must_change_password: true })

  expect(await service.stop()).toBe(0)
  expect(await folder.server()).toBeUndefined()
  const stopped = await run(env, 'reset-password', 'ada')
  expect([stopped.exitCode, stopped.stderr]).toEqual([0, ''])
  expect(await folder.server()).toBeUndefined()
  const failed = await run(env, 'unlock', 'nobody')
  expect([failed.exitCode, failed.stderr]).toEqual([1, 'There is no user nobody.\n'])
  expect(await folder.server()).toBeUndefined()

  await using again = await startService({ env })
  expect((await again.post('/api/auth/login', { ...ADA, password: passwordOf(running) })).status).toBe(401)
  expect((await again.post('/api/auth/login', { ...ADA, password: passwordOf(stopped) })).status).toBe(200)
})
