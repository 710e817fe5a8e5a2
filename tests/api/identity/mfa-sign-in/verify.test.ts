import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { mfaTokens, users } from '../../../../src/db/schema'
import { actionsOf, auditOf, sessionsOf, userOf } from '../../../support/accounts'
import { type Harness, PASSWORD, setCookieOf } from '../../../support/harness'
import { codeAt, wrongCodeAt } from '../../../support/authenticator-app'
import { passwordStep, withTotp } from '../../../support/totp'
import { race } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()
beforeAll(() => {
  h.peer.address = '127.0.0.1'
})

const send = (mfa_token: unknown, code: unknown) =>
  h.request('POST', '/api/auth/totp/verify', { body: { mfa_token, code } })
const verify = async (mfa_token: unknown, code: unknown) => {
  const { status, body } = await send(mfa_token, code)
  return { status, body }
}
const invalidToken = { status: 401, body: { detail: 'Invalid or expired MFA token' } }
const invalidCode = { status: 401, body: { detail: 'Invalid verification code' } }
const lockedFor = (minutes: number) => ({
  status: 423,
  body: { detail: `Account locked. Try again in ${minutes} minutes.` },
})

/** A user with an authenticator, no audit entries of its set-up in the way. */
async function enrolled(columns: Parameters<Harness['signedIn']>[0] = {}) {
  const actor = await h.signedIn(columns)
  const totp = await withTotp(h, actor)
  return {
    ...totp,
    id: actor.row.id,
    username: actor.row.username,
    token: () => passwordStep(h, actor.row.username),
    code: (steps = 0) => codeAt(totp.secret, h.clock.now(), steps),
    wrong: () => wrongCodeAt(totp.secret, h.clock.now()),
  }
}

describe('POST /api/auth/totp/verify', () => {
  test('completes the sign-in with a code of the authenticator', async () => {
    const ada = await enrolled()
    const token = await ada.token()
    expect((await sessionsOf(h, ada.id)).length).toBe(1)
    const answered = await send(token, ada.code())
    expect([answered.status, answered.body]).toEqual([200, { authenticated: true }])
    const cookie = setCookieOf(answered.headers)?.value
    expect((await h.request('GET', '/api/auth/status', { cookie: cookie ?? '' })).body).toMatchObject({
      authenticated: true,
      user_id: ada.id,
    })
    expect(await sessionsOf(h, ada.id)).toContainEqual(expect.objectContaining({ authMethod: 'totp' }))
    expect((await auditOf(h, ada.id)).slice(-2)).toEqual([
      { action: 'auth.mfa_success', detail: { method: 'totp' }, ip: '127.0.0.1' },
      { action: 'auth.login_success', detail: null, ip: '127.0.0.1' },
    ])
  })

  test('completes it with a backup code and tells how many are left', async () => {
    const ada = await enrolled()
    const [first = '', second = ''] = ada.backupCodes
    expect(await verify(await ada.token(), first)).toEqual({
      status: 200,
      body: { authenticated: true, backup_codes_remaining: 9 },
    })
    expect(await verify(await ada.token(), second)).toMatchObject({ body: { backup_codes_remaining: 8 } })
    expect(await sessionsOf(h, ada.id)).toContainEqual(expect.objectContaining({ authMethod: 'backup_code' }))
    const token = await ada.token()
    expect(await verify(token, first)).toEqual(invalidCode)
    expect((await userOf(h, ada.id)).failedMfaCount).toBe(1)
  })

  test('reads a backup code without regard to case and dash, O for 0, I and L for 1', async () => {
    const ada = await enrolled()
    const spellings = [
      (code: string) => code.toLowerCase(),
      (code: string) => code.replace('-', ''),
      (code: string) => code.replaceAll('0', 'O').replaceAll('1', 'I'),
      (code: string) => code.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l'),
      (code: string) => Array.from(code.replace('-', '')).join('-'),
    ]
    for (const [i, spell] of spellings.entries()) {
      const code = spell(ada.backupCodes[i] ?? '')
      expect([code, (await verify(await ada.token(), code)).status]).toEqual([code, 200])
    }
    const spaced = ` ${ada.backupCodes[9]}`
    expect(await verify(await ada.token(), spaced)).toEqual(invalidCode)
  })

  test('asks who must change the password for that, and writes no success then', async () => {
    const ada = await enrolled()
    await h.db.update(users).set({ mustChangePassword: true }).where(eq(users.id, ada.id))
    expect(await verify(await ada.token(), ada.code())).toEqual({
      status: 200,
      body: { authenticated: true, must_change_password: true },
    })
    expect(await actionsOf(h, ada.id)).not.toContain('auth.login_success')
  })

  test('takes the steps beside the present one, and none twice, nor an older one', async () => {
    const ada = await enrolled()
    const attempt = async (code: string) => (await verify(await ada.token(), code)).status
    expect(await attempt(ada.code(-2))).toBe(401)
    expect(await attempt(ada.code(2))).toBe(401)
    expect(await attempt(ada.code(0))).toBe(200)
    expect(await attempt(ada.code(0))).toBe(401)
    expect(await attempt(ada.code(-1))).toBe(401)
    expect(await attempt(ada.code(1))).toBe(200)
    h.clock.advance({ seconds: 30 })
    expect(await attempt(ada.code(0))).toBe(401)
    expect(await attempt(ada.code(1))).toBe(200)
  })

  test('answers one text for every token that is worth nothing, whatever the code', async () => {
    const ada = await enrolled()
    const used = await ada.token()
    await verify(used, ada.code())
    const expired = await ada.token()
    h.clock.advance({ minutes: 5 })
    const setup = await passwordStep(h, (await h.user({ mfaRequired: true })).username)
    for (const token of [used, expired, setup, 'nonsense', '1', 'ü', ' '.repeat(9), 'x'.repeat(1024)]) {
      expect(await verify(token, ada.code())).toEqual(invalidToken)
    }
    const live = await ada.token()
    expect((await verify(live, ada.code())).status).toBe(200)
  })

  test('kills a token with the fifth wrong code, which still answers as the others', async () => {
    const ada = await enrolled()
    const [token, other] = [await ada.token(), await ada.token()]
    for (let i = 0; i < 5; i++) expect(await verify(token, ada.wrong())).toEqual(invalidCode)
    expect(await verify(token, ada.code())).toEqual(invalidToken)
    expect((await verify(other, ada.code())).status).toBe(200)
  })

  test('writes what was wrong, never the code', async () => {
    const ada = await enrolled()
    await verify(await ada.token(), ada.wrong())
    expect((await auditOf(h, ada.id)).at(-1)).toEqual({
      action: 'auth.mfa_failed',
      detail: { reason: 'invalid_code' },
      ip: '127.0.0.1',
    })
  })

  test.each([
    { body: {}, detail: 'code: is required; mfa_token: is required' },
    { body: { mfa_token: 1, code: [] }, detail: 'code: must be a string; mfa_token: must be a string' },
    { body: { mfa_token: '', code: '1' }, detail: 'mfa_token: must not be empty' },
    {
      body: { mfa_token: 'x'.repeat(1025), code: '1' },
      detail: 'mfa_token: must be at most 1024 characters',
    },
  ])('refuses a body with $detail', async ({ body, detail }) => {
    const answered = await h.request('POST', '/api/auth/totp/verify', { body })
    expect(answered.status).toBe(422)
    expect(answered.body.detail.split('; ').toSorted().join('; ')).toBe(detail)
  })
})

describe('ten wrong second factors', () => {
  const fail = async (ada: Awaited<ReturnType<typeof enrolled>>, count: number) => {
    for (let i = 0; i < count; i++) expect(await verify(await ada.token(), ada.wrong())).toEqual(invalidCode)
  }

  test('across tokens lock the account for 30 minutes, for every way of signing in', async () => {
    const ada = await enrolled()
    const spare = await ada.token()
    await fail(ada, 10)
    expect((await userOf(h, ada.id)).mfaLockedUntil).toEqual(new Date(h.clock.now().getTime() + 1_800_000))
    expect(await verify(spare, ada.code())).toEqual(lockedFor(31))
    const login = { username: ada.username, password: PASSWORD }
    const { status, body } = await h.request('POST', '/api/auth/login', { body: login })
    expect({ status, body }).toEqual(lockedFor(31))
    expect((await userOf(h, ada.id)).failedLoginCount).toBe(0)
  })

  test('keep their count over a right password, and lose it with a completed sign-in', async () => {
    const ada = await enrolled()
    await fail(ada, 9)
    const token = await ada.token()
    expect((await userOf(h, ada.id)).failedMfaCount).toBe(9)
    expect((await verify(token, ada.code())).status).toBe(200)
    expect((await userOf(h, ada.id)).failedMfaCount).toBe(0)
    await fail(ada, 9)
  })

  test('count a replayed step and a used backup code', async () => {
    const ada = await enrolled()
    const [code, backup = ''] = [ada.code(), ada.backupCodes[0]]
    await verify(await ada.token(), code)
    await verify(await ada.token(), backup)
    for (const used of [code, backup]) expect(await verify(await ada.token(), used)).toEqual(invalidCode)
    expect((await userOf(h, ada.id)).failedMfaCount).toBe(2)
  })

  test('count from one again after the lock has expired', async () => {
    const ada = await enrolled()
    await fail(ada, 10)
    h.clock.advance({ minutes: 30 })
    await fail(ada, 9)
    expect((await userOf(h, ada.id)).failedMfaCount).toBe(9)
    expect((await verify(await ada.token(), ada.code())).status).toBe(200)
  })

  test('Wrong second factors at once count one each', async () => {
    for (let round = 0; round < 5; round++) {
      const ada = await enrolled()
      const tokens = []
      for (let i = 0; i < 30; i++) tokens.push(await ada.token())
      const answers = await race(
        tokens.map((token) => () => verify(token, ada.wrong())),
        0,
      )
      const answered = (wanted: number) => answers.filter(({ status }) => status === wanted).length
      expect([answered(401), answered(423)]).toEqual([10, 20])
      expect((await userOf(h, ada.id)).failedMfaCount).toBe(10)
    }
  })
})

describe('of 50 attempts at once', () => {
  const ROUNDS = 20
  const successes = async (attempts: Array<Promise<{ status: number; body: unknown }>>) =>
    (await Promise.all(attempts)).filter(({ status }) => status === 200).length

  test('with one mfa_token exactly one opens a session', async () => {
    const ada = await enrolled()
    for (let round = 0; round < ROUNDS; round++) {
      h.clock.advance({ seconds: 90 })
      const token = await ada.token()
      const before = (await sessionsOf(h, ada.id)).length
      expect(await successes(Array.from({ length: 50 }, () => verify(token, ada.code())))).toBe(1)
      expect((await sessionsOf(h, ada.id)).length).toBe(before + 1)
      expect(await h.db.$count(mfaTokens, eq(mfaTokens.userId, ada.id))).toBe(0)
    }
  })

  test('with one code and a token each exactly one opens a session', async () => {
    const ada = await enrolled()
    for (let round = 0; round < ROUNDS; round++) {
      h.clock.advance({ minutes: 31 })
      const tokens: string[] = []
      for (let i = 0; i < 50; i++) tokens.push(await ada.token())
      const before = (await sessionsOf(h, ada.id)).length
      expect(await successes(tokens.map((token) => verify(token, ada.code())))).toBe(1)
      expect((await sessionsOf(h, ada.id)).length).toBe(before + 1)
    }
  })

  test('with one backup code and a token each exactly one opens a session', async () => {
    const ada = await enrolled()
    for (let round = 0; round < ROUNDS; round++) {
      h.clock.advance({ minutes: 31 })
      await h.db.update(users).set({ failedMfaCount: 0, mfaLockedUntil: null }).where(eq(users.id, ada.id))
      const codes = await h.request('POST', '/api/auth/totp/backup-codes', {
        body: { password: PASSWORD },
        cookie: (await h.session(ada.id)).token,
      })
      const [code] = codes.body.backup_codes
      const tokens: string[] = []
      for (let i = 0; i < 50; i++) tokens.push(await ada.token())
      const before = (await sessionsOf(h, ada.id)).length
      expect(await successes(tokens.map((token) => verify(token, code)))).toBe(1)
      expect((await sessionsOf(h, ada.id)).length).toBe(before + 1)
    }
  })
})

describe('an mfa_token', () => {
  test('is kept as a hash and dies with a password change and with turning TOTP off', async () => {
    const ada = await enrolled()
    const token = await ada.token()
    expect(JSON.stringify(await h.db.select().from(mfaTokens))).not.toContain(token)
    const cookie = (await h.session(ada.id)).token
    await h.request('POST', '/api/auth/change-password', {
      cookie,
      body: { old_password: PASSWORD, new_password: 'a whole new password' },
    })
    expect(await verify(token, ada.code())).toEqual(invalidToken)

    const bob = await enrolled()
    const second = await bob.token()
    const disabled = await h.request('POST', '/api/auth/totp/disable', {
      cookie: (await h.session(bob.id)).token,
      body: { password: PASSWORD, code: bob.code() },
    })
    expect(disabled.status).toBe(200)
    expect(await h.db.$count(mfaTokens, eq(mfaTokens.userId, bob.id))).toBe(0)
    expect(await verify(second, bob.code(1))).toEqual(invalidToken)
  })

  test('leaves no dead ones behind: signing in again clears those that expired', async () => {
    const ada = await enrolled()
    for (let i = 0; i < 5; i++) await ada.token()
    h.clock.advance({ minutes: 5 })
    await ada.token()
    expect(await h.db.$count(mfaTokens, eq(mfaTokens.userId, ada.id))).toBe(1)
  })
})
