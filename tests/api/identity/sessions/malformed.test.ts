import { describe, expect, test } from 'bun:test'
import type { SessionClaims } from '../../../../src/lib/ports/secrets'
import { addDays, epochSeconds } from '../../../../src/lib/time/time'
import { setCookieOf } from '../../../support/harness'
import { PASSKEYS, register } from '../../../support/passkeys'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ env: { AUTH_RATE_LIMIT: 'off' } })

const MALFORMED = { detail: 'Malformed session token' }
const SID = 'f'.repeat(32)

/** Claims that name no session: each is signed as the service signs its own. */
const CLAIMS: ReadonlyArray<readonly [name: string, claims: Record<string, unknown>]> = [
  ['a uid of 0', { uid: 0, sid: SID }],
  ['a negative uid', { uid: -1, sid: SID }],
  ['a uid beyond the largest id', { uid: 2_147_483_648, sid: SID }],
  ['a uid beyond every integer', { uid: 1e300, sid: SID }],
  ['a uid with a fraction', { uid: 1.5, sid: SID }],
  ['a uid that is a text', { uid: '1', sid: SID }],
  ['no uid', { sid: SID }],
  ['a sid with U+0000', { uid: 1, sid: 'f\0f' }],
  ['a sid with half a surrogate pair', { uid: 1, sid: 'f\uD800' }],
  ['a sid that is a number', { uid: 1, sid: 7 }],
  ['no sid', { uid: 1 }],
]

function signed(claims: Record<string, unknown>): string {
  const now = h.clock.now()
  const whole: unknown = { ...claims, iat: epochSeconds(now), exp: epochSeconds(addDays(now, 7)) }
  return h.deps.tokens.sign(whole as SessionClaims)
}

describe.each(CLAIMS)('a signed cookie with %s', (_name, claims) => {
  test('is a malformed token to whatever needs a session', async () => {
    const cookie = signed(claims)
    for (const [method, path] of [
      ['GET', '/api/settings'],
      ['GET', '/api/auth/sessions'],
      ['POST', '/api/auth/lock'],
      ['DELETE', '/api/todos/1'],
      ['GET', '/api/admin/users'],
    ] as const) {
      const answered = await h.request(method, path, { cookie })
      expect([path, answered.status, answered.body]).toEqual([path, 401, MALFORMED])
    }
  })

  test('is nobody to the status', async () => {
    const answered = await h.request('GET', '/api/auth/status', { cookie: signed(claims) })
    expect([answered.status, answered.body]).toMatchObject([200, { authenticated: false, user_id: null }])
  })

  test('is signed out like any other', async () => {
    const answered = await h.request('POST', '/api/auth/logout', { cookie: signed(claims) })
    expect([answered.status, answered.body]).toEqual([200, { message: 'Signed out' }])
    expect(setCookieOf(answered.headers)?.value).toBe('')
  })

  test('signs in with a passkey as without one, and has no session to unlock', async () => {
    const ada = await h.signedIn()
    const { authenticator } = await register(ada)
    const cookie = signed(claims)
    const attempt = async (more: object) => {
      const begun = await h.request('POST', `${PASSKEYS}/login/begin`, { cookie })
      expect([begun.status, begun.body.options?.allowCredentials]).toEqual([200, []])
      const credential = await authenticator.get(begun.body.options)
      return h.request('POST', `${PASSKEYS}/login/complete`, { cookie, body: { credential, ...more } })
    }
    const unlocking = await attempt({ unlock: true })
    expect([unlocking.status, unlocking.body]).toEqual([401, MALFORMED])
    const signingIn = await attempt({})
    expect([signingIn.status, signingIn.body]).toEqual([200, { authenticated: true }])
  })
})

test('a signed cookie whose expiry is a text lets nobody in, though its session lives', async () => {
  const { sid, row } = await h.signedIn()
  const claims: unknown = { uid: row.id, sid, exp: String(epochSeconds(addDays(h.clock.now(), 7))) }
  const { status, body } = await h.request('GET', '/api/settings', {
    cookie: h.deps.tokens.sign(claims as SessionClaims),
  })
  expect([status, body]).toEqual([401, { detail: 'Invalid or expired session' }])
})
