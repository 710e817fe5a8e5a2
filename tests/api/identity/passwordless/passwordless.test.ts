import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { notifications, passkeys, systemConfig, users } from '../../../../src/db/schema'
import { actionsOf, login, userOf } from '../../../support/accounts'
import type { Authenticator, Lies } from '../../../support/authenticator'
import { type Actor, PASSWORD } from '../../../support/harness'
import { begin, complete, PASSKEYS, register } from '../../../support/passkeys'
import { race, raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ env: { AUTH_RATE_LIMIT: 'off' } })

const allow = async (isAllowed: boolean) => {
  const flags = { allowPasswordless: isAllowed, updatedAt: h.clock.now() }
  await h.db.insert(systemConfig).values(flags).onConflictDoUpdate({ target: systemConfig.id, set: flags })
}
beforeEach(() => allow(true))

const enable = (actor: Actor, password = PASSWORD) =>
  actor.request('PUT', `${PASSKEYS}/passwordless/enable`, { body: { password } })
const disable = (actor: Actor, credential: unknown) =>
  actor.request('PUT', `${PASSKEYS}/passwordless/disable`, { body: { credential } })
/** What the audit log says that a user did with the passkeys that they had registered. */
const actsOf = async (userId: number) =>
  (await actionsOf(h, userId)).filter((action) => action !== 'auth.passkey_registered')

/** A user with `count` passkeys. */
async function withPasskeys(count: number) {
  const ada = await h.signedIn()
  const made = []
  for (let i = 0; i < count; i++) made.push(await register(ada))
  return { ada, made }
}

async function passwordless() {
  const { ada, made } = await withPasskeys(2)
  if ((await enable(ada)).status !== 200) throw new Error('cannot go passwordless')
  const [first, second] = made
  if (!first || !second) throw new Error('no passkeys')
  return { ada, authenticator: first.authenticator, passkey: first.passkey, second }
}

const assertion = async (ada: Actor, authenticator: Authenticator, lies: Lies = {}) =>
  authenticator.get(await begin(ada, 'passwordless/disable'), lies)

describe('PUT /api/auth/passkeys/passwordless/enable', () => {
  test('turns sign-in by password off, and changes nothing else', async () => {
    const { ada } = await withPasskeys(2)
    const other = await h.session(ada.row.id)
    const before = await userOf(h, ada.row.id)
    const answered = await enable(ada)
    expect([answered.status, answered.body]).toEqual([
      200,
      { message: 'Passwordless sign-in enabled', passwordless_enabled: true },
    ])
    expect(await userOf(h, ada.row.id)).toEqual({ ...before, passwordlessEnabled: true })
    expect(await actsOf(ada.row.id)).toEqual(['auth.passwordless_enabled'])
    const refused = await login(h, ada.row.username)
    const detail = 'Password sign-in is disabled for this account. Use a passkey.'
    expect([refused.status, refused.body]).toEqual([403, { detail }])
    const status = await h.request('GET', '/api/auth/status', { cookie: other.token })
    expect(status.body).toMatchObject({ authenticated: true, passwordless_enabled: true })
  })

  test('refuses in the order of account, password, permission, state and passkeys', async () => {
    const { ada } = await withPasskeys(1)
    await allow(false)
    const lockedUntil = new Date(h.clock.now().getTime() + 60_000)
    await h.db.update(users).set({ lockedUntil, passwordlessEnabled: true }).where(eq(users.id, ada.row.id))
    const steps = [
      {
        status: 423,
        detail: 'Account locked. Try again in 2 minutes.',
        password: 'wrong',
        after: { lockedUntil: null },
      },
      { status: 401, detail: 'Incorrect password', password: 'wrong', after: {} },
      { status: 403, detail: 'Passwordless sign-in is not allowed', after: {} },
      {
        status: 409,
        detail: 'Passwordless sign-in is already enabled',
        after: { passwordlessEnabled: false },
      },
      { status: 409, detail: 'At least 2 passkeys are required', after: {} },
    ]
    for (const [i, { status, detail, password, after }] of steps.entries()) {
      const answered = await enable(ada, password)
      expect([answered.status, answered.body]).toEqual([status, { detail }])
      if (i === 2) await allow(true)
      if (Object.keys(after).length > 0) await h.db.update(users).set(after).where(eq(users.id, ada.row.id))
    }
    expect((await userOf(h, ada.row.id)).passwordlessEnabled).toBe(false)
    expect(await actsOf(ada.row.id)).toEqual([])
  })

  test('needs two passkeys', async () => {
    const ada = await h.signedIn()
    for (const status of [409, 409, 200]) {
      expect((await enable(ada)).status).toBe(status)
      await register(ada)
    }
  })

  test('is refused where nobody has configured anything', async () => {
    await h.db.delete(systemConfig)
    const { ada } = await withPasskeys(2)
    expect((await enable(ada)).status).toBe(403)
  })

  test('counts wrong passwords, and a right one that is refused resets the count', async () => {
    const { ada } = await withPasskeys(1)
    for (let i = 0; i < 3; i++) expect((await enable(ada, 'wrong')).status).toBe(401)
    expect((await userOf(h, ada.row.id)).failedLoginCount).toBe(3)
    expect((await enable(ada)).status).toBe(409)
    expect((await userOf(h, ada.row.id)).failedLoginCount).toBe(0)
  })

  test('never leaves a user without a password and with one passkey, whatever is deleted at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const { ada, made } = await withPasskeys(2)
      const [enabled, ...deleted] = await Promise.all([
        enable(ada),
        ...made.map(({ passkey }) => ada.request('DELETE', `${PASSKEYS}/${passkey.id}`)),
      ])
      const rows = await h.db.select().from(passkeys).where(eq(passkeys.userId, ada.row.id))
      const isEnabled = (await userOf(h, ada.row.id)).passwordlessEnabled
      expect(isEnabled).toBe(enabled.status === 200)
      expect(rows.length).toBe(2 - deleted.filter(({ status }) => status === 204).length)
      if (isEnabled) expect(rows.length).toBe(2)
    }
  }, 60_000)
})

describe('POST /api/auth/passkeys/passwordless/disable/begin', () => {
  test('asks for one of the caller’s passkeys', async () => {
    const { ada, authenticator, second } = await passwordless()
    expect(await begin(ada, 'passwordless/disable')).toEqual({
      rpId: 'localhost',
      challenge: expect.any(String),
      timeout: 300_000,
      userVerification: 'required',
      allowCredentials: [authenticator, second.authenticator].map(({ credentialId: id }) => ({
        id,
        type: 'public-key',
        transports: ['internal'],
      })),
    })
  })

  test('is refused where there is nothing to disable', async () => {
    const { ada } = await withPasskeys(2)
    const answered = await ada.request('POST', `${PASSKEYS}/passwordless/disable/begin`)
    expect([answered.status, answered.body]).toEqual([409, { detail: 'Passwordless sign-in is not enabled' }])
  })
})

describe('PUT /api/auth/passkeys/passwordless/disable', () => {
  test('brings the password back and notes the use of the passkey', async () => {
    const { ada, authenticator, passkey } = await passwordless()
    h.clock.advance({ minutes: 1 })
    const answered = await disable(ada, await assertion(ada, authenticator))
    expect([answered.status, answered.body]).toEqual([
      200,
      { message: 'Passwordless sign-in disabled', passwordless_enabled: false },
    ])
    expect((await actsOf(ada.row.id)).at(-1)).toBe('auth.passwordless_disabled')
    const [used] = await h.db.select().from(passkeys).where(eq(passkeys.id, passkey.id))
    expect([used?.signCount, used?.lastUsedAt]).toEqual([1, h.clock.now()])
    const status = await ada.request('GET', '/api/auth/status')
    expect(status.body).toMatchObject({ passwordless_enabled: false })
    expect((await login(h, ada.row.username)).status).toBe(200)
    expect((await disable(ada, await authenticator.get({ challenge: 'AAAA' }))).body).toEqual({
      detail: 'Passwordless sign-in is not enabled',
    })
  })

  test('is refused without an honest assertion for it, by a passkey of the caller’s, made for them', async () => {
    const { ada, authenticator } = await passwordless()
    const { ada: eve, authenticator: hers } = await passwordless()
    const old = await begin(ada, 'passwordless/disable')
    h.clock.advance({ minutes: 5 })
    const used = await assertion(ada, authenticator, { userVerified: false })
    const attempts = [
      used,
      used,
      await authenticator.get(old),
      await assertion(ada, authenticator, { userHandle: null }),
      await assertion(ada, authenticator, { crossOrigin: true }),
      await assertion(ada, authenticator, { origin: 'http://evil.example' }),
      await assertion(ada, hers),
      await assertion(eve, hers),
      await assertion(eve, authenticator),
      await authenticator.get(await begin(ada)),
      await authenticator.get(await begin(h)),
      await authenticator.get(await begin(ada, 'register')),
    ]
    for (const [i, credential] of attempts.entries()) {
      const answered = await disable(ada, credential)
      expect([i, answered.status, answered.body]).toEqual([
        i,
        401,
        { detail: 'Passkey authentication failed' },
      ])
    }
    expect(await userOf(h, ada.row.id)).toMatchObject({ passwordlessEnabled: true })
    expect(await userOf(h, eve.row.id)).toMatchObject({ passwordlessEnabled: true })
    expect((await login(h, ada.row.username)).status).toBe(403)
  })

  test('is refused, and told to the owner, where the sign count does not go on', async () => {
    const { ada, authenticator } = await passwordless()
    await complete(h, { credential: await authenticator.get(await begin(h), { signCount: 7 }) })
    const answered = await disable(ada, await assertion(ada, authenticator, { signCount: 7 }))
    expect(answered.status).toBe(401)
    expect((await userOf(h, ada.row.id)).passwordlessEnabled).toBe(true)
    expect((await actsOf(ada.row.id)).at(-1)).toBe('auth.passkey_counter_regressed')
    const told = await h.db.select().from(notifications).where(eq(notifications.userId, ada.row.id))
    expect(told.filter(({ title }) => title === 'A passkey may have been copied')).toMatchObject([
      { type: 'security' },
    ])
  })

  test('is refused for a malformed credential', async () => {
    const { ada, authenticator } = await passwordless()
    const credential = await assertion(ada, authenticator)
    expect((await disable(ada, { ...credential, id: '*' })).status).toBe(422)
    expect((await disable(ada, { ...credential, rawId: 'AA' })).status).toBe(401)
  })

  test('takes a challenge once, however many requests show it at once', async () => {
    for (let round = 0; round < 20; round++) {
      const { ada, authenticator } = await passwordless()
      const credential = await assertion(ada, authenticator)
      const answers = await raceOf(50, () => disable(ada, credential))
      expect(answers.filter(({ status }) => status === 200).length).toBe(1)
      for (const { status } of answers) expect([200, 401, 409]).toContain(status)
      const actions = await actsOf(ada.row.id)
      expect(actions.filter((action) => action === 'auth.passwordless_disabled').length).toBe(1)
    }
  }, 60_000)

  test('happens once where two passkeys ask for it at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const { ada, authenticator, second } = await passwordless()
      const credentials = [await assertion(ada, authenticator), await assertion(ada, second.authenticator)]
      const answers = await race(
        credentials.map((credential) => () => disable(ada, credential)),
        0,
      )
      const statuses = answers.map(({ status }) => status)
      expect([statuses.includes(200), statuses.includes(409)]).toEqual([true, true])
      const actions = await actsOf(ada.row.id)
      expect(actions).toEqual(['auth.passwordless_enabled', 'auth.passwordless_disabled'])
    }
  })
})
