import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { backupCodes, totpCredentials, users } from '../../../../src/db/schema'
import { formatInstant } from '../../../../src/lib/time/time'
import { actionsOf, userOf } from '../../../support/accounts'
import { type Actor, PASSWORD } from '../../../support/harness'
import { codeAt, wrongCodeAt } from '../../../support/authenticator-app'
import { withTotp } from '../../../support/totp'
import { raceOf, statusesOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const TOTP = '/api/auth/totp'
const h = useHarness()
beforeAll(() => {
  h.peer.address = '127.0.0.1'
})

const post = async (actor: Actor, path: string, body?: unknown) => {
  const answered = await actor.request('POST', `${TOTP}/${path}`, body === undefined ? {} : { body })
  return { status: answered.status, body: answered.body }
}
const refused = (status: number, detail: string) => ({ status, body: { detail } })
const statusOf = async (actor: Actor) => (await actor.request('GET', `${TOTP}/status`)).body
const credentialOf = async (actor: Actor) =>
  (await h.db.select().from(totpCredentials).where(eq(totpCredentials.userId, actor.row.id)))[0]
const codesOf = (actor: Actor) => h.db.select().from(backupCodes).where(eq(backupCodes.userId, actor.row.id))

describe('POST /api/auth/totp/setup', () => {
  test('answers a secret and its URI, keeps it encrypted, and turns nothing on yet', async () => {
    const ada = await h.signedIn({ username: 'Ada.Lovelace' })
    const { status, body } = await post(ada, 'setup')
    expect([status, body]).toEqual([
      200,
      { secret: expect.stringMatching(/^[A-Z2-7]{32}$/), otpauth_uri: expect.any(String), expires_in: 600 },
    ])
    expect(body.otpauth_uri).toBe(
      `otpauth://totp/Organiser:Ada.Lovelace?issuer=Organiser&secret=${body.secret}&algorithm=SHA1&digits=6&period=30`,
    )
    expect((await credentialOf(ada))?.secret).toStartWith('v1.k1.')
    expect(JSON.stringify(await credentialOf(ada))).not.toContain(body.secret)
    expect(await statusOf(ada)).toEqual({
      enabled: false,
      confirmed_at: null,
      backup_codes_remaining: 0,
      required: false,
    })
  })

  test('A second set-up replaces the secret of the first', async () => {
    const ada = await h.signedIn()
    const [first, second] = [await post(ada, 'setup'), await post(ada, 'setup')]
    const at = h.clock.now()
    expect(await post(ada, 'confirm', { code: codeAt(first.body.secret, at) })).toEqual(
      refused(400, 'Invalid verification code'),
    )
    expect((await post(ada, 'confirm', { code: codeAt(second.body.secret, at) })).status).toBe(200)
  })

  test('asks for recent authentication', async () => {
    const ada = await h.signedIn()
    h.clock.advance({ minutes: 15 })
    expect(await post(ada, 'setup')).toEqual({
      status: 403,
      body: { detail: 'Recent authentication required', code: 'reauthentication_required' },
    })
    await ada.request('POST', '/api/auth/verify-password', { body: { password: PASSWORD } })
    expect((await post(ada, 'setup')).status).toBe(200)
  })

  test('is refused where TOTP is on, and leaves the secret', async () => {
    const ada = await h.signedIn()
    await withTotp(h, ada)
    const before = await credentialOf(ada)
    expect(await post(ada, 'setup')).toEqual(refused(409, 'TOTP is already enabled'))
    expect(await credentialOf(ada)).toEqual(before)
  })
})

describe('POST /api/auth/totp/confirm', () => {
  test('turns TOTP on with a right code and answers ten backup codes, kept as hashes', async () => {
    const ada = await h.signedIn()
    const { secret } = (await post(ada, 'setup')).body
    const { status, body } = await post(ada, 'confirm', { code: codeAt(secret, h.clock.now()) })
    expect(status).toBe(200)
    expect(body).toEqual({ message: 'TOTP enabled', totp_enabled: true, backup_codes: expect.any(Array) })
    expect(new Set(body.backup_codes).size).toBe(10)
    for (const code of body.backup_codes) {
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    }
    const stored = JSON.stringify(await codesOf(ada))
    for (const code of body.backup_codes) {
      for (const text of [code, code.replace('-', '')]) expect(stored).not.toContain(text)
    }
    expect(await statusOf(ada)).toEqual({
      enabled: true,
      confirmed_at: formatInstant('Europe/Berlin', h.clock.now()),
      backup_codes_remaining: 10,
      required: false,
    })
    expect(await actionsOf(h, ada.row.id)).toEqual(['auth.totp_enabled'])
    expect(await post(ada, 'confirm', { code: codeAt(secret, h.clock.now(), 1) })).toEqual(
      refused(409, 'TOTP is already enabled'),
    )
  })

  test('is refused without a set-up, and ten minutes after one', async () => {
    const ada = await h.signedIn()
    const notStarted = refused(409, 'TOTP setup has not been started')
    expect(await post(ada, 'confirm', { code: '123456' })).toEqual(notStarted)
    const { secret } = (await post(ada, 'setup')).body
    h.clock.advance({ minutes: 10 })
    expect(await post(ada, 'confirm', { code: codeAt(secret, h.clock.now()) })).toEqual(notStarted)
    expect((await userOf(h, ada.row.id)).totpEnabled).toBe(false)
  })

  test('refuses a wrong code, counts nothing, and takes a right one afterwards', async () => {
    const ada = await h.signedIn()
    const { secret } = (await post(ada, 'setup')).body
    const wrong = wrongCodeAt(secret, h.clock.now())
    for (let i = 0; i < 12; i++) {
      expect(await post(ada, 'confirm', { code: wrong })).toEqual(refused(400, 'Invalid verification code'))
    }
    expect(await userOf(h, ada.row.id)).toMatchObject({
      failedMfaCount: 0,
      mfaLockedUntil: null,
      totpEnabled: false,
    })
    expect((await post(ada, 'confirm', { code: codeAt(secret, h.clock.now()) })).status).toBe(200)
  })

  test.each([
    { body: {}, detail: 'code: is required' },
    { body: { code: 123456 }, detail: 'code: must be a string' },
    { body: { code: '' }, detail: 'code: must not be empty' },
    { body: { code: '1'.repeat(65) }, detail: 'code: must be at most 64 characters' },
    { body: { code: '12\u{0}456' }, detail: 'code: must not contain U+0000 or lone surrogates' },
  ])('refuses a body with $detail', async ({ body, detail }) => {
    const ada = await h.signedIn()
    const answered = await post(ada, 'confirm', body)
    expect([answered.status, answered.body.detail]).toEqual([422, detail])
  })

  test('Of 50 confirmations at once one turns TOTP on', async () => {
    for (let round = 0; round < 20; round++) {
      const ada = await h.signedIn()
      const { secret } = (await post(ada, 'setup')).body
      const code = codeAt(secret, h.clock.now())
      const answers = await raceOf(50, () => post(ada, 'confirm', { code }))
      expect(statusesOf(answers)).toEqual([200, ...Array(49).fill(409)])
      expect((await codesOf(ada)).length).toBe(10)
    }
  })
})

describe('POST /api/auth/totp/disable', () => {
  const disable = (actor: Actor, body: unknown) => post(actor, 'disable', body)

  test('takes TOTP and its backup codes away, with a code of either kind', async () => {
    for (const kind of ['totp', 'backup'] as const) {
      const ada = await h.signedIn()
      const { secret, backupCodes: codes } = await withTotp(h, ada)
      const code = kind === 'totp' ? codeAt(secret, h.clock.now()) : codes[3]
      expect(await disable(ada, { password: PASSWORD, code })).toEqual({
        status: 200,
        body: { message: 'TOTP disabled' },
      })
      expect(await statusOf(ada)).toMatchObject({ enabled: false, backup_codes_remaining: 0 })
      expect([await credentialOf(ada), await codesOf(ada)]).toEqual([undefined, []])
      expect(await actionsOf(h, ada.row.id)).toEqual(['auth.totp_enabled', 'auth.totp_disabled'])
      const login = { username: ada.row.username, password: PASSWORD }
      expect((await h.request('POST', '/api/auth/login', { body: login })).body).toEqual({
        authenticated: true,
      })
    }
  })

  test('refuses in the order: not on, locked, password, required, code', async () => {
    const ada = await h.signedIn()
    expect(await disable(ada, { password: 'wrong', code: '1' })).toEqual(refused(409, 'TOTP is not enabled'))
    const { secret } = await withTotp(h, ada)
    const right = () => codeAt(secret, h.clock.now())
    const lock = (lockedUntil: Date | null) =>
      h.db.update(users).set({ lockedUntil }).where(eq(users.id, ada.row.id))
    await h.db.update(users).set({ mfaRequired: true }).where(eq(users.id, ada.row.id))
    await lock(new Date(h.clock.now().getTime() + 60_000))
    expect(await disable(ada, { password: 'wrong', code: 'x' })).toEqual(
      refused(423, 'Account locked. Try again in 2 minutes.'),
    )
    await lock(null)
    expect(await disable(ada, { password: 'wrong', code: 'x' })).toEqual(refused(401, 'Incorrect password'))
    expect((await userOf(h, ada.row.id)).failedLoginCount).toBe(1)
    expect(await disable(ada, { password: PASSWORD, code: 'x' })).toEqual(
      refused(403, 'MFA is required by your administrator'),
    )
    expect((await userOf(h, ada.row.id)).failedLoginCount).toBe(0)
    await h.db.update(users).set({ mfaRequired: false }).where(eq(users.id, ada.row.id))
    expect(await disable(ada, { password: PASSWORD, code: wrongCodeAt(secret, h.clock.now()) })).toEqual(
      refused(400, 'Invalid verification code'),
    )
    expect((await disable(ada, { password: PASSWORD, code: right() })).status).toBe(200)
    expect(await userOf(h, ada.row.id)).toMatchObject({ failedLoginCount: 0, totpEnabled: false })
  })

  test('ten wrong codes lock the account, also where the right password is proved between any two of them', async () => {
    const ada = await h.signedIn()
    const { secret } = await withTotp(h, ada)
    const wrongCode = { password: PASSWORD, code: wrongCodeAt(secret, h.clock.now()) }
    const wrongPassword = { password: 'wrong', code: codeAt(secret, h.clock.now()) }
    for (let i = 1; i <= 10; i++) {
      expect(await disable(ada, wrongCode)).toEqual(refused(400, 'Invalid verification code'))
      expect(await userOf(h, ada.row.id)).toMatchObject({ failedLoginCount: 0, failedMfaCount: i })
      if (i === 10) break
      const proof = await ada.request('POST', '/api/auth/verify-password', { body: { password: PASSWORD } })
      expect(proof.status).toBe(200)
    }
    const locked = refused(423, 'Account locked. Try again in 31 minutes.')
    const right = { password: PASSWORD, code: codeAt(secret, h.clock.now()) }
    for (const body of [wrongCode, wrongPassword, right]) expect(await disable(ada, body)).toEqual(locked)
    expect((await userOf(h, ada.row.id)).totpEnabled).toBe(true)
    const login = { username: ada.row.username, password: PASSWORD }
    expect((await h.request('POST', '/api/auth/login', { body: login })).status).toBe(423)
    h.clock.advance({ minutes: 30 })
    expect((await disable(ada, { ...right, code: codeAt(secret, h.clock.now()) })).status).toBe(200)
  })

  test('Of 40 wrong codes at once ten are refused, and the rest are told that the account is locked', async () => {
    const ada = await h.signedIn()
    const { secret } = await withTotp(h, ada)
    const body = { password: PASSWORD, code: wrongCodeAt(secret, h.clock.now()) }
    const answers = await raceOf(40, () => disable(ada, body))
    expect(statusesOf(answers)).toEqual([...Array(10).fill(400), ...Array(30).fill(423)])
  })

  test('does not take the code that turned it on', async () => {
    const ada = await h.signedIn()
    const { secret } = (await post(ada, 'setup')).body
    const code = codeAt(secret, h.clock.now())
    await post(ada, 'confirm', { code })
    expect(await disable(ada, { password: PASSWORD, code })).toEqual(
      refused(400, 'Invalid verification code'),
    )
  })
})

describe('a secret', () => {
  test('is bound to its user: copied to another account it opens nothing', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    await withTotp(h, ada)
    const { secret } = await withTotp(h, eve)
    const stolen = (await credentialOf(eve))?.secret ?? ''
    await h.db.update(totpCredentials).set({ secret: stolen }).where(eq(totpCredentials.userId, ada.row.id))
    const answered = await post(ada, 'disable', {
      password: PASSWORD,
      code: codeAt(secret, h.clock.now()),
    })
    expect(answered).toEqual(refused(500, 'Internal server error'))
    expect((await userOf(h, ada.row.id)).totpEnabled).toBe(true)
  })
})
