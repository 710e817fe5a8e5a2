import { beforeEach, describe, expect, test } from 'bun:test'
import { auditLog, calendars, sessions, settings, systemConfig, users } from '../../../../src/db/schema'
import { setCookieOf } from '../../../support/harness'
import { raceOf, statusesOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const SETUP = '/api/auth/setup'
const ADA = { username: 'Ada', password: 'correct horse battery' }
const TAKEN = { status: 400, body: { detail: 'Setup has already been completed' } }

const h = useHarness({ per: 'test' })
beforeEach(() => {
  h.peer.address = '127.0.0.1'
})

const setUp = (body: object = ADA, headers: Record<string, string> = {}) =>
  h.request('POST', SETUP, { body, headers })

describe('POST /api/auth/setup', () => {
  test('makes an administrator with settings, two calendars and a configuration that allows nothing', async () => {
    const { status, body } = await setUp()
    expect([status, body]).toEqual([200, { message: 'Setup complete', authenticated: true }])

    const [user] = await h.db.select().from(users)
    expect(user).toMatchObject({
      username: 'Ada',
      networkName: 'ada',
      role: 'admin',
      isActive: true,
      failedLoginCount: 0,
      mustChangePassword: false,
      mfaEnforcePending: false,
      passwordlessEnabled: false,
      email: null,
      dateOfBirth: null,
    })
    expect(user?.lastPasswordChangeAt).toEqual(h.clock.now())
    expect(await h.db.select().from(settings)).toMatchObject([
      {
        userId: user?.id,
        preferredName: null,
        firstDayOfWeek: 0,
        timeZone: null,
        acceptConnections: false,
        ntfyEvents: true,
      },
    ])
    const own = { userId: user?.id, isVisible: true }
    expect(await h.db.select().from(calendars).orderBy(calendars.id)).toMatchObject([
      { ...own, name: 'Personal', color: '#3b82f6', isDefault: true, isSystem: false },
      { ...own, name: 'Birthdays', color: '#f59e0b', isDefault: false, isSystem: true },
    ])
    expect(await h.db.select().from(systemConfig)).toMatchObject([
      { id: 1, allowRegistration: false, enforceMfaNewUsers: false, allowPasswordless: false },
    ])
  })

  test('signs the administrator in and audits it', async () => {
    const { headers } = await setUp(ADA, { 'user-agent': 'Tests/1' })
    const cookie = setCookieOf(headers)
    expect(cookie?.attributes).toEqual(['Max-Age=604800', 'Path=/', 'HttpOnly', 'SameSite=Lax'])
    const status = await h.request('GET', '/api/auth/status', { cookie: cookie?.value ?? '' })
    expect(status.body).toMatchObject({
      authenticated: true,
      username: 'Ada',
      role: 'admin',
      setup_required: false,
    })
    expect(await h.db.select().from(sessions)).toMatchObject([
      { authMethod: 'setup', ipAddress: '127.0.0.1', userAgent: 'Tests/1', revoked: false, isLocked: false },
    ])
    expect(await h.db.select().from(auditLog)).toMatchObject([
      { action: 'auth.setup_complete', actorId: 1, detail: null, ip: '127.0.0.1' },
    ])
  })

  test('takes what else belongs to the account', async () => {
    await setUp({
      ...ADA,
      email: ' Ada@Example.com ',
      date_of_birth: '1990-02-28',
      network_name: 'Countess.Ada',
      preferred_name: '  Ada  ',
    })
    expect(await h.db.select().from(users)).toMatchObject([
      { email: 'Ada@Example.com', dateOfBirth: '1990-02-28', networkName: 'countess.ada' },
    ])
    expect(await h.db.select().from(settings)).toMatchObject([{ preferredName: 'Ada' }])
  })

  test('never assigns a field that it does not name', async () => {
    await setUp({ ...ADA, id: 99, role: 'standard', is_active: false, passwordHash: 'x', totp_enabled: true })
    expect(await h.db.select().from(users)).toMatchObject([
      {
        id: 1,
        role: 'admin',
        isActive: true,
        passwordHash: 'fake:correct horse battery',
        totpEnabled: false,
      },
    ])
  })

  test('Set-up works once', async () => {
    await setUp()
    expect(await setUp({ ...ADA, username: 'eve' })).toMatchObject(TAKEN)
    expect(await h.db.$count(users)).toBe(1)
  })

  test('is over as soon as there is any user, inactive ones included', async () => {
    await h.user({ isActive: false })
    expect(await setUp()).toMatchObject(TAKEN)
  })

  test('Of 50 set-ups at once exactly one succeeds', async () => {
    const answers = await raceOf(50, (i) => setUp({ ...ADA, username: `admin${i}` }))
    const statuses = statusesOf(answers)
    expect(statuses).toEqual([200, ...Array(49).fill(400)])
    const rows = [users, settings, sessions, systemConfig, auditLog].map((table) => h.db.$count(table))
    expect(await Promise.all(rows)).toEqual([1, 1, 1, 1, 1])
    expect(await h.db.$count(calendars)).toBe(2)
  })

  const weak = (message: string) => ({
    detail: `password: ${message}`,
    errors: [{ field: 'body.password', message }],
  })

  test.each([
    {
      why: 'a short password',
      body: { ...ADA, password: 'x'.repeat(11) },
      answer: weak('must be at least 12 characters'),
    },
    {
      why: 'a long password',
      body: { ...ADA, password: 'x'.repeat(129) },
      answer: weak('must be at most 128 characters'),
    },
    { why: 'a common password', body: { ...ADA, password: 'Qwerty123456' }, answer: weak('is too common') },
    {
      why: 'the username in the password',
      body: { ...ADA, password: 'I am ADA, really' },
      answer: weak('must not contain the username'),
    },
    {
      why: 'a birth in the future',
      body: { ...ADA, date_of_birth: '2026-03-05' },
      answer: { detail: 'date_of_birth: must not be in the future' },
    },
    {
      why: 'a birth before 1900',
      body: { ...ADA, date_of_birth: '1899-12-31' },
      answer: { detail: 'date_of_birth: must be a day as YYYY-MM-DD' },
    },
    {
      why: 'a day that does not exist',
      body: { ...ADA, date_of_birth: '2023-02-29' },
      answer: { detail: 'date_of_birth: must be a day as YYYY-MM-DD' },
    },
    {
      why: 'no e-mail address',
      body: { ...ADA, email: 'ada' },
      answer: { detail: 'email: must be an email address' },
    },
    {
      why: 'an e-mail of 255 characters',
      body: { ...ADA, email: `${'a'.repeat(243)}@example.com` },
      answer: { detail: 'email: must be at most 254 characters' },
    },
    {
      why: 'a username of two characters',
      body: { ...ADA, username: ' ab ' },
      answer: { detail: 'username: must be at least 3 characters' },
    },
    {
      why: 'a username of 33 characters',
      body: { ...ADA, username: 'a'.repeat(33) },
      answer: { detail: 'username: must be at most 32 characters' },
    },
  ])('refuses $why and stores nothing', async ({ body, answer }) => {
    const refused = await setUp(body)
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject(answer)
    expect([await h.db.$count(users), await h.db.$count(auditLog)]).toEqual([0, 0])
  })

  test.each(['.ada', 'ada-', 'a da', 'ada!', 'äda', 'ada\u0000', '_ada'])(
    'refuses the username %j',
    async (username) => {
      expect((await setUp({ ...ADA, username })).status).toBe(422)
    },
  )

  test.each(['abc', 'A.b_c-9', 'a'.repeat(32), ' ada '])('takes the username %j', async (username) => {
    expect((await setUp({ ...ADA, username })).status).toBe(200)
  })

  test('takes a birth today as the server’s zone has it', async () => {
    h.clock.advance({ hours: 14 }) // 23:30 in UTC, already tomorrow in Berlin
    expect((await setUp({ ...ADA, date_of_birth: '2026-03-05' })).status).toBe(200)
  })
})
