import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { identities, users } from '../../../../src/db/schema'
import { actionsOf, sessionsOf } from '../../../support/accounts'
import { RunningClock } from '../../../support/fakes'
import { type Harness, startHarness } from '../../../support/harness'
import { openBrowser } from '../../../support/oidc-browser'
import { useOidcProvider } from '../../../support/oidc-provider'
import { codeAt } from '../../../support/authenticator-app'
import { withTotp } from '../../../support/totp'

const provider = await useOidcProvider()

const harnessWith = (mfa: string) =>
  startHarness({
    env: { ...provider.env, OIDC_MFA: mfa },
    clock: new RunningClock(new Date().toISOString()),
  })

const [IN, CODE, SET_UP] = ['signed in', 'asked for a code', 'asked to set a second factor up'] as const

/** How the provider says that the user proved themselves. */
const PROOFS = {
  nothing: undefined,
  'a password': ['pwd'],
  'a password and a code': ['pwd', 'otp'],
  'several factors': ['mfa'],
  'a hardware key': ['hwk'],
  'a fingerprint': ['fpt'],
} as const

/** What is asked of a user with: no second factor, an authenticator, the duty to set one up. */
const EXPECTED: Readonly<Record<string, Readonly<Record<keyof typeof PROOFS, readonly string[]>>>> = {
  trust: each([IN, IN, IN], [IN, IN, IN]),
  amr: each([IN, CODE, SET_UP], [IN, IN, IN]),
  never: each([IN, CODE, SET_UP], [IN, CODE, SET_UP]),
}

function each(one: readonly string[], two: readonly string[]) {
  return {
    nothing: one,
    'a password': one,
    'a password and a code': two,
    'several factors': two,
    'a hardware key': two,
    'a fingerprint': two,
  }
}

let serial = 0
async function linkedUser(h: Harness, columns: Partial<typeof users.$inferInsert> = {}) {
  const ada = await h.signedIn(columns)
  const sub = `${crypto.randomUUID()}-${++serial}`
  await h.db
    .insert(identities)
    .values({ userId: ada.row.id, issuer: provider.issuer, subject: sub, createdAt: h.clock.now() })
  return { ada, sub }
}

const outcomeOf = (location: string) => {
  if (/^\/second-factor#mfa_token=[\w-]{43}$/.test(location)) return CODE
  if (/^\/second-factor\/set-up#mfa_token=[\w-]{43}$/.test(location)) return SET_UP
  return location === '/' ? IN : location
}

describe.each(Object.keys(EXPECTED))('with OIDC_MFA=%s', (mfa) => {
  test('a sign-in asks for the second factors that are due', async () => {
    await using h = await harnessWith(mfa)
    const plain = await linkedUser(h)
    const secured = await linkedUser(h)
    await withTotp(h, secured.ada)
    const obliged = await linkedUser(h, { mfaRequired: true })
    const found: Record<string, readonly string[]> = {}
    for (const [proof, amr] of Object.entries(PROOFS)) {
      const outcomes: string[] = []
      for (const { sub } of [plain, secured, obliged]) {
        const browser = openBrowser(h)
        const { location } = await browser.signOn({ sub, ...(amr && { amr }) })
        const outcome = outcomeOf(location)
        expect([outcome, browser.session !== undefined]).toEqual([outcome, outcome === IN])
        outcomes.push(outcome)
      }
      found[proof] = outcomes
    }
    expect(found).toEqual(EXPECTED[mfa] ?? {})
  })
})

test('the code ends a sign-in at the provider, and the session stays one of the provider', async () => {
  await using h = await harnessWith('amr')
  const { ada, sub } = await linkedUser(h)
  const { secret } = await withTotp(h, ada)
  const { location } = await openBrowser(h).signOn({ sub }, '?next=/todos')
  const fragment = new URLSearchParams(new URL(location, 'http://x').hash.slice(1))
  expect(fragment.get('next')).toBe('/todos')
  const body = { mfa_token: fragment.get('mfa_token'), code: codeAt(secret, h.clock.now()) }
  expect((await h.request('POST', '/api/auth/totp/verify', { body })).status).toBe(200)
  const opened = (await sessionsOf(h, ada.row.id)).filter(({ authMethod }) => authMethod === 'oidc')
  expect(opened).toMatchObject([{ oidcIssuer: provider.issuer, oidcSubject: sub }])
  expect((await actionsOf(h, ada.row.id)).slice(-2)).toEqual(['auth.mfa_success', 'auth.oidc_login_success'])
})

test('a user without a password sign-in signs in at the provider', async () => {
  await using h = await harnessWith('amr')
  const { sub } = await linkedUser(h, { passwordlessEnabled: true })
  expect((await openBrowser(h).signOn({ sub })).location).toBe('/')
})

test('a user who must change the password is signed in, and can do nothing else', async () => {
  await using h = await harnessWith('amr')
  const { ada, sub } = await linkedUser(h)
  await h.db.update(users).set({ mustChangePassword: true }).where(eq(users.id, ada.row.id))
  const browser = openBrowser(h)
  expect((await browser.signOn({ sub })).location).toBe('/')
  expect((await browser.request('GET', '/api/todos')).body.code).toBe('password_change_required')
})
