import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { passkeys } from '../../../src/db/schema'
import { type Actor, type Harness, PASSWORD, setCookieOf } from '../../support/harness'
import { begin, complete, PASSKEYS, register, signIn } from '../../support/passkeys'
import { auditOf, configure, login, sessionRow, sessionsOf, startUnlimited, userRow } from './acting'

let h: Harness
beforeAll(async () => {
  h = await startUnlimited()
  await configure(h, { allow_passwordless: true })
})
afterAll(() => h[Symbol.asyncDispose]())

const lastAction = async (id: number) => (await auditOf(h, id)).at(-1)?.action
const enable = (actor: Actor, password = PASSWORD) =>
  actor.request('PUT', `${PASSKEYS}/passwordless/enable`, { body: { password } })
const disable = (actor: Actor, credential: object) =>
  actor.request('PUT', `${PASSKEYS}/passwordless/disable`, { body: { credential } })
const remove = (actor: Actor, { id }: { id: number }) => actor.request('DELETE', `${PASSKEYS}/${id}`)
const signCountOf = async (id: number) =>
  (await h.db.select().from(passkeys).where(eq(passkeys.id, id)))[0]?.signCount

async function passwordless() {
  const ada = await h.signedIn()
  const [first, second] = [await register(ada), await register(ada)]
  expect((await enable(ada)).status).toBe(200)
  return { ada, first, second }
}

describe('3.1 States and transitions: passkeys', () => {
  test('no session + passkey sign-in, credentials accepted, no MFA step pending → session active, cookie issued', async () => {
    const ada = await h.signedIn()
    const { authenticator } = await register(ada)
    const { body, headers } = await signIn(h, authenticator)
    expect(body).toEqual({ authenticated: true })
    const cookie = setCookieOf(headers)?.value ?? ''
    expect((await h.request('GET', '/api/auth/status', { cookie })).body.username).toBe(ada.row.username)
  })

  test('session locked + passkey login complete with unlock flag, passkey assertion valid → session active, no new session is created', async () => {
    const ada = await h.signedIn()
    const { authenticator } = await register(ada)
    await ada.request('POST', '/api/auth/lock')
    const unlock = async (lies = {}) =>
      complete(ada, { credential: await authenticator.get(await begin(ada), lies), unlock: true })
    expect((await unlock({ userVerified: false })).status).toBe(401)
    expect(await sessionRow(h, ada.sid)).toMatchObject({ isLocked: true })
    const answered = await unlock()
    expect([answered.status, answered.headers.getSetCookie()]).toEqual([200, []])
    expect(await sessionsOf(h, ada.row.id)).toMatchObject([{ id: ada.sid, isLocked: false, revoked: false }])
    expect((await ada.request('GET', '/api/settings')).status).toBe(200)
  })

  test('user, passwordless off + PUT passwordless/enable, password valid, allow_passwordless true, at least 2 passkeys → passwordless on', async () => {
    const ada = await h.signedIn()
    await register(ada)
    const refused = [await enable(ada)]
    await register(ada)
    refused.push(await enable(ada, 'wrong'))
    await configure(h, { allow_passwordless: false })
    refused.push(await enable(ada))
    await configure(h, { allow_passwordless: true })
    expect(refused.map(({ status }) => status)).toEqual([409, 401, 403])
    expect(await userRow(h, ada.row.id)).toMatchObject({ passwordlessEnabled: false })
    expect((await enable(ada)).status).toBe(200)
    expect(await userRow(h, ada.row.id)).toMatchObject({ passwordlessEnabled: true })
  })

  test('user, passwordless on + PUT passwordless/disable, passkey assertion valid → passwordless off, sign count updated', async () => {
    const { ada, first } = await passwordless()
    const assertion = async (lies = {}) =>
      first.authenticator.get(await begin(ada, 'passwordless/disable'), lies)
    expect((await disable(ada, await assertion({ origin: 'https://elsewhere.example' }))).status).toBe(401)
    expect(await userRow(h, ada.row.id)).toMatchObject({ passwordlessEnabled: true })
    const before = await signCountOf(first.passkey.id)
    expect((await disable(ada, await assertion({ signCount: 7 }))).status).toBe(200)
    expect(await userRow(h, ada.row.id)).toMatchObject({ passwordlessEnabled: false })
    expect([before, await signCountOf(first.passkey.id)]).toEqual([0, 7])
    expect((await login(h, ada.row.username)).status).toBe(200)
  })
})

describe('4.8 Passkey and passwordless endpoints', () => {
  test('/api/auth/passkeys/login/begin and /complete: without the unlock flag a session is created, also where there is one', async () => {
    const ada = await h.signedIn()
    const { authenticator } = await register(ada)
    expect((await signIn(ada, authenticator)).body).toEqual({ authenticated: true })
    expect(await sessionsOf(h, ada.row.id)).toHaveLength(2)
  })

  test('PUT /passwordless/enable: verifies the password, requires allow_passwordless, requires at least 2 passkeys, sets the flag', async () => {
    const { ada } = await passwordless()
    expect((await ada.request('GET', '/api/auth/status')).body.passwordless_enabled).toBe(true)
    expect(await lastAction(ada.row.id)).toBe('auth.passwordless_enabled')
  })

  test('POST /passwordless/disable/begin: returns a challenge bound to the user for a passkey authentication ceremony', async () => {
    const [{ ada, first }, other] = [await passwordless(), await passwordless()]
    const options = await begin(ada, 'passwordless/disable')
    expect(options.allowCredentials).toHaveLength(2)
    expect((await disable(other.ada, await other.first.authenticator.get(options))).status).toBe(401)
    const own = await first.authenticator.get(await begin(ada, 'passwordless/disable'))
    expect((await disable(ada, own)).status).toBe(200)
  })

  test('PUT /passwordless/disable: verifies the assertion, clears the flag, updates the sign count', async () => {
    const { ada, second } = await passwordless()
    const forged = await register(await h.signedIn())
    const options = await begin(ada, 'passwordless/disable')
    expect((await disable(ada, await forged.authenticator.get(options))).status).toBe(401)
    const credential = await second.authenticator.get(await begin(ada, 'passwordless/disable'))
    expect((await disable(ada, credential)).status).toBe(200)
    expect((await ada.request('GET', '/api/auth/status')).body.passwordless_enabled).toBe(false)
    expect(await signCountOf(second.passkey.id)).toBe(1)
    expect(await lastAction(ada.row.id)).toBe('auth.passwordless_disabled')
  })
})

describe('5.4 Lockout, hashing, timing', () => {
  test('session-lock exemption: the passkey login begin and complete endpoints', async () => {
    const ada = await h.signedIn()
    const { authenticator } = await register(ada)
    await ada.request('POST', '/api/auth/lock')
    expect((await ada.request('POST', `${PASSKEYS}/register/begin`)).status).toBe(423)
    expect((await signIn(ada, authenticator)).status).toBe(200)
  })
})

test('7 Errors: 409 dropping a passwordless user below 2 passkeys', async () => {
  const { ada, first } = await passwordless()
  const refused = await remove(ada, first.passkey)
  expect([refused.status, refused.body]).toEqual([
    409,
    { detail: 'At least 2 passkeys are required while passwordless sign-in is enabled' },
  ])
  expect(await signCountOf(first.passkey.id)).toBe(0)
})

describe('8 Limits: minimum passkeys for passwordless: 2', () => {
  test('enable', async () => {
    const ada = await h.signedIn()
    for (const status of [409, 409, 200]) {
      expect((await enable(ada)).status).toBe(status)
      await register(ada)
    }
  })

  test('passkey delete', async () => {
    const { ada, first, second } = await passwordless()
    const third = await register(ada)
    expect((await remove(ada, first.passkey)).status).toBe(204)
    expect((await remove(ada, second.passkey)).status).toBe(409)
    const back = await third.authenticator.get(await begin(ada, 'passwordless/disable'))
    expect((await disable(ada, back)).status).toBe(200)
    for (const { passkey } of [second, third]) expect((await remove(ada, passkey)).status).toBe(204)
  })
})
