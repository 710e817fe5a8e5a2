import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  auditLog,
  calendars,
  mfaTokens,
  sessions,
  settings,
  systemConfig,
  users,
} from '../../../../src/db/schema'
import { sha256Hex } from '../../../../src/lib/text'
import { watchedHasher } from '../../../support/fakes'
import { setCookieOf, startHarness } from '../../../support/harness'
import { raceOf, statusesOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const REGISTER = '/api/auth/register'
const ADA = {
  username: 'Ada',
  password: 'correct horse battery',
  email: 'ada@example.com',
  date_of_birth: '1990-02-28',
}
const CLOSED = { status: 403, body: { detail: 'Registration is closed' } }
const FAILED = { status: 400, body: { detail: 'Registration could not be completed' } }

const h = useHarness({ per: 'test' })
beforeEach(() => {
  h.peer.address = '127.0.0.1'
})

const register = (body: object = ADA) => h.request('POST', REGISTER, { body })
const configure = (flags: Partial<typeof systemConfig.$inferInsert>) =>
  h.db.insert(systemConfig).values({ ...flags, updatedAt: h.clock.now() })
const open = () => configure({ allowRegistration: true })
const rowOf = async (username: string) =>
  (await h.db.select().from(users).where(eq(users.username, username)))[0]

describe('POST /api/auth/register', () => {
  test('is closed without a configuration, and where the configuration says so', async () => {
    expect(await register()).toMatchObject(CLOSED)
    await configure({ allowRegistration: false })
    expect(await register()).toMatchObject(CLOSED)
    expect(await h.db.$count(users)).toBe(0)
  })

  test('makes a standard user with settings and two calendars, and signs them in', async () => {
    await open()
    const answered = await register({ ...ADA, preferred_name: 'Countess' })
    expect([answered.status, answered.body]).toEqual([
      200,
      { message: 'Registration complete', authenticated: true },
    ])
    const user = await rowOf('Ada')
    expect(user).toMatchObject({
      role: 'standard',
      isActive: true,
      email: 'ada@example.com',
      dateOfBirth: '1990-02-28',
      networkName: 'ada',
      mustChangePassword: false,
      mfaEnforcePending: false,
      passwordlessEnabled: false,
    })
    expect(user?.lastPasswordChangeAt).toEqual(h.clock.now())
    expect(await h.db.select().from(settings)).toMatchObject([
      { userId: user?.id, preferredName: 'Countess' },
    ])
    expect(await h.db.$count(calendars)).toBe(2)
    expect(await h.db.select().from(sessions)).toMatchObject([
      { userId: user?.id, authMethod: 'registration' },
    ])
    expect(await h.db.select().from(auditLog)).toMatchObject([
      { action: 'auth.registration', actorId: user?.id, ip: '127.0.0.1', detail: null },
    ])
    const status = await h.request('GET', '/api/auth/status', {
      cookie: setCookieOf(answered.headers)?.value ?? '',
    })
    expect(status.body).toMatchObject({ authenticated: true, username: 'Ada', role: 'standard' })
  })

  test('assigns its fields explicitly, never what else the body holds', async () => {
    await open()
    await register({
      ...ADA,
      role: 'admin',
      is_active: false,
      mfa_required: true,
      id: 77,
      networkName: 'root',
    })
    expect(await rowOf('Ada')).toMatchObject({
      role: 'standard',
      isActive: true,
      mfaRequired: false,
      networkName: 'ada',
    })
  })

  test('asks for a second factor first where the configuration says so, and opens no session', async () => {
    await configure({ allowRegistration: true, enforceMfaNewUsers: true })
    const { status, body, headers } = await register()
    expect([status, body]).toEqual([
      200,
      {
        message: 'Registration complete',
        authenticated: false,
        mfa_setup_required: true,
        mfa_token: expect.stringMatching(/^[\w-]{43}$/),
        expires_in: 900,
      },
    ])
    expect(headers.getSetCookie()).toEqual([])
    expect(await h.db.$count(sessions)).toBe(0)
    expect(await rowOf('Ada')).toMatchObject({ mfaRequired: true, mfaEnforcePending: true })
    expect(await h.db.select().from(mfaTokens)).toMatchObject([
      { purpose: 'enforced_setup', tokenHash: await sha256Hex(body.mfa_token) },
    ])
  })

  test.each([
    { why: 'username', taken: { username: 'aDA' } },
    { why: 'e-mail', taken: { email: 'ADA@Example.com' } },
    { why: 'network name', taken: { networkName: 'countess' } },
  ])('does not say that a $why is taken', async ({ taken }) => {
    await open()
    await h.user(taken)
    const before = { users: await h.db.$count(users), audit: await h.db.$count(auditLog) }
    const refused = await register({ ...ADA, network_name: 'Countess' })
    expect(refused).toMatchObject(FAILED)
    expect(Object.keys(refused.body)).toEqual(['detail'])
    expect({ users: await h.db.$count(users), audit: await h.db.$count(auditLog) }).toEqual(before)
  })

  test('hashes before it looks whether anything is taken', async () => {
    const { hasher, hashed } = watchedHasher()
    await using spied = await startHarness({ deps: { hasher } })
    await spied.db.insert(systemConfig).values({ allowRegistration: true, updatedAt: spied.clock.now() })
    await spied.user({ username: 'Ada' })
    expect(await spied.request('POST', REGISTER, { body: ADA })).toMatchObject(FAILED)
    expect(hashed).toEqual([ADA.password])
  })

  test('gives the next free handle where the username is taken as one', async () => {
    await open()
    await h.user({ username: 'someone', networkName: 'ada' })
    await h.user({ username: 'another', networkName: 'ada2' })
    await register()
    expect(await rowOf('Ada')).toMatchObject({ networkName: 'ada3' })
  })

  test('keeps a handle with a suffix within 32 characters', async () => {
    await open()
    const username = 'a'.repeat(32)
    await h.user({ username: 'someone', networkName: username })
    await register({ ...ADA, username })
    expect(await rowOf(username)).toMatchObject({ networkName: `${'a'.repeat(31)}2` })
  })

  test('Of 20 registrations at once with one username exactly one succeeds', async () => {
    await open()
    const answers = await raceOf(20, (i) => register({ ...ADA, email: `ada${i}@example.com` }))
    expect(statusesOf(answers)).toEqual([200, ...Array(19).fill(400)])
    expect([await h.db.$count(users), await h.db.$count(settings)]).toEqual([1, 1])
  })

  test('Each of 20 registrations at once that would have the same handle gets its own', async () => {
    await open()
    const names = Array.from({ length: 20 }, (_, i) => `Ada-${i}x`)
    const answers = await Promise.all(
      names.map((username, i) => register({ ...ADA, username, email: `ada${i}@example.com` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const handles = (await h.db.select().from(users)).map(({ networkName }) => networkName)
    expect(new Set(handles).size).toBe(20)
  })

  test.each([
    { why: 'no username', body: { ...ADA, username: undefined }, detail: 'username: is required' },
    { why: 'no password', body: { ...ADA, password: undefined }, detail: 'password: is required' },
    { why: 'no e-mail', body: { ...ADA, email: undefined }, detail: 'email: is required' },
    { why: 'null as e-mail', body: { ...ADA, email: null }, detail: 'email: must be a string' },
    { why: 'no birth', body: { ...ADA, date_of_birth: undefined }, detail: 'date_of_birth: is required' },
    {
      why: 'a birth in the future',
      body: { ...ADA, date_of_birth: '2026-03-05' },
      detail: 'date_of_birth: must not be in the future',
    },
    {
      why: 'a common password',
      body: { ...ADA, password: 'qwerty123456' },
      detail: 'password: is too common',
    },
    {
      why: 'everything wrong',
      body: { username: 'a', password: 5, email: 'x', date_of_birth: '2026' },
      detail:
        'username: must be at least 3 characters; password: must be a string; email: must be an email address',
    },
  ])('refuses $why', async ({ body, detail }) => {
    await open()
    const refused = await register(body)
    expect([refused.status, refused.body.detail]).toEqual([422, detail])
    expect(await h.db.$count(users)).toBe(0)
  })
})
