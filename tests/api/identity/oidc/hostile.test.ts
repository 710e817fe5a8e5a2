import { beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { auditLog, oidcBegins, sessions } from '../../../../src/db/schema'
import { RunningClock } from '../../../support/fakes'
import { startHarness } from '../../../support/harness'
import {
  drawKey,
  signedJwt,
  startHostileProvider,
  unsignedJwt,
  useHostileProvider,
} from '../../../support/hostile-provider'
import { type Browser, openBrowser } from '../../../support/oidc-browser'
import { useHarness } from '../../../support/use-harness'
import { beginAt, comeBack, EXPIRED, expectRefused, REFUSED, signOnAt } from './hostile.scene'

const provider = await useHostileProvider()
const h = useHarness({ per: 'test', env: provider.env, clock: new RunningClock(new Date().toISOString()) })
beforeEach(async () => {
  provider.behave()
  provider.asked.length = 0
  await h.user({ username: 'first', role: 'admin' })
})

const begun = (browser: Browser, query = '') => beginAt(provider, browser, query)
const signOn = (browser = openBrowser(h)) => signOnAt(h, provider, browser)
const refused = (browser: Browser, location: string) => expectRefused(h, browser, location)

const without = (answer: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(answer).filter(([key]) => key !== name))

test('a good provider signs in, by a code with PKCE, and is asked for nothing beside', async () => {
  const browser = openBrowser(h)
  const { asked, answer } = await begun(browser)
  expect(Object.fromEntries(asked)).toEqual({
    client_id: 'organiser',
    redirect_uri: 'http://localhost:3000/api/auth/oidc/callback',
    response_type: 'code',
    scope: 'openid profile email',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  expect((await comeBack(browser, answer)).location).toBe('/')
  expect(provider.asked.map(({ endpoint }) => endpoint)).toEqual(['discovery', 'token', 'jwks'])
  const sent = provider.asked[1]?.body ?? new URLSearchParams()
  const challenge = new Bun.CryptoHasher('sha256').update(sent.get('code_verifier') ?? '')
  expect(challenge.digest('base64url')).toBe(asked.get('code_challenge') ?? '')
  expect(sent.get('code')).toBe('a-code')
})

describe('what the browser brings back', () => {
  test.each([
    ['without a state', (answer) => without(answer, 'state')],
    ['with an empty state', (answer) => ({ ...answer, state: '' })],
    ['with a state of its own', (answer) => ({ ...answer, state: 'x'.repeat(43) })],
    ['with a longer state', (answer) => ({ ...answer, state: `${answer['state']}x` })],
  ] as ReadonlyArray<[string, (answer: Record<string, string>) => Record<string, string>]>)(
    '%s is refused before the provider is asked',
    async (_, spoil) => {
      const browser = openBrowser(h)
      const { answer } = await begun(browser)
      const { location } = await comeBack(browser, spoil(answer))
      expect(await refused(browser, location)).toBe(EXPIRED)
      expect(provider.asked.map(({ endpoint }) => endpoint)).toEqual(['discovery'])
    },
  )

  test('is refused from another browser, and the own one still gets in', async () => {
    const [own, other] = [openBrowser(h), openBrowser(h)]
    const { answer } = await begun(own)
    const { answer: foreign } = await begun(other)
    expect((await comeBack(other, answer)).location).toBe(EXPIRED)
    expect((await comeBack(own, foreign)).location).toBe(EXPIRED)
    const { asked } = await begun(own)
    const others = await h.db.select().from(oidcBegins)
    const first = others.filter(({ nonce }) => nonce !== asked.get('nonce'))
    expect(others).toHaveLength(3)
    provider.state.nonce =
      first.find(({ createdAt }) => first.every((row) => createdAt <= row.createdAt))?.nonce ?? ''
    expect((await comeBack(own, answer)).location).toBe('/')
  })

  test('is refused the second time, and from parallel requests but one', async () => {
    const browser = openBrowser(h)
    const { answer } = await begun(browser)
    const answers = await Promise.all(Array.from({ length: 5 }, () => comeBack(browser, answer)))
    const locations = answers.map(({ location }) => location).toSorted()
    expect(locations).toEqual(['/', ...Array<string>(4).fill(EXPIRED)])
    expect((await comeBack(browser, answer)).location).toBe(EXPIRED)
    expect(await h.db.select().from(sessions)).toHaveLength(1)
    expect(provider.asked.filter(({ endpoint }) => endpoint === 'token')).toHaveLength(1)
  })

  test('is refused after ten minutes', async () => {
    const browser = openBrowser(h)
    const { answer } = await begun(browser)
    h.clock.advance({ minutes: 10 })
    expect(await refused(browser, (await comeBack(browser, answer)).location)).toBe(EXPIRED)
  })

  test.each([
    ['without the code', (answer) => without(answer, 'code')],
    ['without iss, which the provider announces', (answer) => without(answer, 'iss')],
    ['with the iss of another provider', (answer) => ({ ...answer, iss: 'https://evil.example' })],
    ['with an ID token beside the code', (answer) => ({ ...answer, id_token: 'x' })],
    ['with a signed response in its place', (answer) => ({ ...answer, response: 'x' })],
    ['with an error of the request', (answer) => ({ ...answer, error: 'invalid_scope' })],
  ] as ReadonlyArray<[string, (answer: Record<string, string>) => Record<string, string>]>)(
    '%s is refused',
    async (_, spoil) => {
      const browser = openBrowser(h)
      const { answer } = await begun(browser)
      const { location } = await comeBack(browser, spoil(answer))
      expect(await refused(browser, location)).toBe(REFUSED)
      // What was begun is used up.
      expect((await comeBack(browser, answer)).location).toBe(EXPIRED)
    },
  )

  test('never shows what went wrong, nor a word of the provider', async () => {
    const browser = openBrowser(h)
    const { answer } = await begun(browser)
    const said = { ...answer, error: '<script>', error_description: 'zqmark' }
    expect(await refused(browser, (await comeBack(browser, said)).location)).toBe(REFUSED)
    expect(JSON.stringify([h.log.entries, await h.db.select().from(auditLog)])).not.toMatch(/script|zqmark/)
  })

  test('with a code that the provider takes for a foreign or a used one is refused', async () => {
    provider.state.answers = { token: () => Response.json({ error: 'invalid_grant' }, { status: 400 }) }
    const browser = openBrowser(h)
    expect(await refused(browser, await signOn(browser))).toBe(REFUSED)
  })
})

const now = provider.seconds
const FAR = 3600

describe('an ID token', () => {
  test.each([
    ['without a nonce', () => ({ nonce: undefined })],
    ['with a foreign nonce', () => ({ nonce: 'x' })],
    ['of another issuer', () => ({ iss: 'https://evil.example' })],
    ['without an issuer', () => ({ iss: undefined })],
    ['for another client', () => ({ aud: 'other' })],
    ['without an audience', () => ({ aud: undefined })],
    ['for several clients, without azp', () => ({ aud: ['organiser', 'other'] })],
    ['for several clients, with the azp of another', () => ({ aud: ['organiser', 'other'], azp: 'other' })],
    ['with the azp of another', () => ({ azp: 'other' })],
    ['without a subject', () => ({ sub: undefined })],
    ['with an empty subject', () => ({ sub: '' })],
    ['with a subject that is a number', () => ({ sub: 1 })],
    ['with a subject that is too long', () => ({ sub: 'x'.repeat(256) })],
    ['that has expired', () => ({ exp: now() - FAR })],
    ['that expired just beyond the leeway', () => ({ exp: now() - 70 })],
    ['without an end', () => ({ exp: undefined })],
    ['that is not valid yet', () => ({ nbf: now() + FAR })],
    ['that was issued in the future', () => ({ iat: now() + FAR })],
    ['without the time of its issue', () => ({ iat: undefined })],
  ])('%s is refused', async (_, claims) => {
    provider.state.claims = claims()
    const browser = openBrowser(h)
    expect(await refused(browser, await signOn(browser))).toBe(REFUSED)
  })

  test.each([
    ['that expired within the leeway', () => ({ exp: now() - 30 })],
    ['that was issued within the leeway', () => ({ iat: now() + 30, nbf: now() + 30 })],
    ['for several clients, with the right azp', () => ({ aud: ['organiser', 'other'], azp: 'organiser' })],
  ])('%s is accepted', async (_, claims) => {
    provider.state.claims = claims()
    expect(await signOn()).toBe('/')
  })

  test('that nobody signed is refused, whatever the provider announces', async () => {
    provider.state.mint = (claims) => unsignedJwt(claims)
    expect(await signOn()).toBe(REFUSED)
    provider.state.mint = (claims) => unsignedJwt(claims, { alg: 'RS256', kid: 'first' })
    expect(await signOn()).toBe(REFUSED)
    await using lax = await startHostileProvider()
    lax.state.discovery = { id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'] }
    lax.state.mint = (claims) => unsignedJwt(claims)
    await using other = await startHarness({
      env: lax.env,
      clock: new RunningClock(new Date().toISOString()),
    })
    const browser = openBrowser(other)
    const asked = new URL((await browser.begin()).location).searchParams
    lax.state.nonce = asked.get('nonce') ?? ''
    const answer = { state: asked.get('state') ?? '', code: 'c', iss: lax.issuer }
    expect((await comeBack(browser, answer)).location).toBe(REFUSED)
  })

  test('signed with the secret of the client, or with another key, is refused', async () => {
    provider.state.mint = (claims) => {
      const content = unsignedJwt(claims, { alg: 'HS256' }).slice(0, -1)
      const signature = new Bun.CryptoHasher('sha256', provider.env.OIDC_CLIENT_SECRET).update(content)
      return `${content}.${signature.digest('base64url')}`
    }
    expect(await signOn()).toBe(REFUSED)
    const stolen = { ...(await drawKey('first')) }
    provider.state.mint = (claims) => signedJwt(stolen, claims)
    const browser = openBrowser(h)
    expect(await refused(browser, await signOn(browser))).toBe(REFUSED)
  })

  test('is refused where there is none, or it is garbage', async () => {
    provider.state.mint = () => ''
    expect(await signOn()).toBe(REFUSED)
    provider.state.answers = {
      token: () => Response.json({ access_token: 'a', token_type: 'Bearer' }),
    }
    expect(await signOn()).toBe(REFUSED)
    provider.state.answers = {}
    provider.state.mint = () => 'a.b.c'
    expect(await signOn()).toMatch(/error=provider_/)
  })

  test('of a new key is accepted, as the keys are fetched again, once a minute at most', async () => {
    const fetched = () => provider.asked.filter(({ endpoint }) => endpoint === 'jwks').length
    try {
      expect(await signOn()).toBe('/')
      expect(fetched()).toBe(1)
      const second = await drawKey('second')
      provider.state.key = second
      provider.state.keys = [second]
      for (let attempt = 0; attempt < 3; attempt++) expect(await signOn()).toBe(REFUSED)
      expect(fetched()).toBe(1)
      setSystemTime(new Date(Date.now() + 61_000))
      h.clock.advance({ seconds: 61 })
      expect(await signOn()).toBe('/')
      expect(fetched()).toBe(2)
      provider.state.key = await drawKey('nowhere')
      for (let attempt = 0; attempt < 3; attempt++) expect(await signOn()).toBe(REFUSED)
      expect(fetched()).toBe(2)
    } finally {
      setSystemTime()
    }
  })
})
