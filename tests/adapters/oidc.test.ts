import { beforeEach, describe, expect, test } from 'bun:test'
import { createOidc } from '../../src/adapters/oidc'
import { systemClock } from '../../src/adapters/clock'
import { ipRanges } from '../../src/adapters/ip-ranges'
import { useHostileProvider } from '../support/hostile-provider'
import { CALLBACK, CLIENT } from '../support/oidc-provider'
import { freePort } from '../support/service'

const provider = await useHostileProvider()
beforeEach(() => {
  provider.behave()
  provider.asked.length = 0
})

const BINDING = { state: 'a-state', nonce: 'a-nonce', codeVerifier: 'v'.repeat(43) }

const oidcOf = (options: Partial<Parameters<typeof createOidc>[0]> = {}) =>
  createOidc({
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scopes: 'openid',
    redirectUri: CALLBACK,
    clock: systemClock,
    isGlobal: (ip) => ipRanges.isGlobal(ip),
    ...options,
  })

const answer = () => new URLSearchParams({ state: 'a-state', code: 'c', iss: provider.issuer })
const redeem = (oidc = oidcOf()) => {
  provider.state.nonce = BINDING.nonce
  return oidc.redeem(answer(), BINDING)
}
const begin = (oidc: ReturnType<typeof oidcOf>) =>
  oidc.authorizationUrl({ ...BINDING, isReauthentication: false })

describe('a provider', () => {
  test('that is down is unavailable, and is asked again', async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`
    const oidc = oidcOf({ issuer })
    expect(await begin(oidc)).toMatchObject({ failure: 'unavailable' })
    expect(await oidc.readLogout('a.b.c')).toMatchObject({ failure: 'unavailable' })
    provider.state.answers = { discovery: () => new Response('', { status: 503 }) }
    const other = oidcOf()
    expect(await begin(other)).toMatchObject({ failure: 'unavailable' })
    provider.behave()
    expect(await begin(other)).toStartWith(`${provider.issuer}/authorize?`)
  })

  test.each(['discovery', 'token', 'jwks', 'userinfo'] as const)(
    'that is slow at %s is given up',
    async (endpoint) => {
      provider.state.answers = { [endpoint]: () => new Promise<Response>(() => {}) }
      provider.state.claims = { name: undefined }
      const oidc = oidcOf({ deadlines: { callMs: 100, allMs: 1000 } })
      expect(await redeem(oidc)).toEqual({ failure: 'unavailable', reason: 'TimeoutError' })
    },
  )

  test('that drips, call after call, is given up as a whole', async () => {
    const slowly = async () => {
      await Bun.sleep(80)
      return undefined as unknown as Response
    }
    provider.state.answers = { discovery: slowly, token: slowly, jwks: slowly }
    const oidc = oidcOf({ deadlines: { callMs: 10_000, allMs: 120 } })
    expect(await redeem(oidc)).toEqual({ failure: 'unavailable', reason: 'TimeoutError' })
  })

  test('whose name cannot be resolved in time is given up', async () => {
    const issuer = 'https://slow.example'
    const resolve = () => new Promise<never>(() => {})
    const oidc = oidcOf({ issuer, resolve, deadlines: { callMs: 50, allMs: 1000 } })
    expect(await begin(oidc)).toEqual({ failure: 'unavailable', reason: 'TimeoutError' })
  })

  test('is asked for its document once for many sign-ins, and again after an hour', async () => {
    let nowMs = 0
    const oidc = oidcOf({ clock: { now: () => systemClock.now(), monotonic: () => nowMs } })
    // What an earlier test has given up on may still ask for something else.
    const documents = () => provider.asked.filter(({ endpoint }) => endpoint === 'discovery')
    await Promise.all(Array.from({ length: 20 }, () => begin(oidc)))
    expect(documents()).toHaveLength(1)
    nowMs = 3_600_000
    await begin(oidc)
    expect(documents()).toHaveLength(2)
  })
})

test.each(['/application/o/organiser/', '/realms/home'])(
  'is found below an issuer with a path, with a slash at its end or without: %s',
  async (path) => {
    const asked: string[] = []
    await using server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) => {
        const { origin, pathname } = new URL(url)
        asked.push(pathname)
        return Response.json({
          issuer: `${origin}${path}`,
          authorization_endpoint: `${origin}${path}authorize`,
          token_endpoint: `${origin}${path}token`,
          jwks_uri: `${origin}${path}jwks`,
        })
      },
    })
    const issuer = `http://127.0.0.1:${server.port}${path}`
    expect(await begin(oidcOf({ issuer }))).toStartWith(`${issuer}authorize?`)
    expect(asked).toEqual([`${path.replace(/\/$/, '')}/.well-known/openid-configuration`])
  },
)

test.each([
  [['client_secret_basic', 'client_secret_post'], true],
  [['client_secret_post'], false],
  [undefined, true],
])('the secret goes as the provider takes it: %j', async (methods, isBasic) => {
  let header: string | null = null
  provider.state.discovery = { token_endpoint_auth_methods_supported: methods }
  provider.state.answers = {
    token: (request) => {
      header = request.headers.get('authorization')
      return undefined
    },
  }
  expect(await redeem()).toMatchObject({ subject: 'sub-1' })
  const sent = provider.asked.find(({ endpoint }) => endpoint === 'token')?.body
  expect([header !== null, sent?.has('client_secret')]).toEqual([isBasic, !isBasic])
})

test('a public client sends its id and no secret', async () => {
  expect(await redeem(oidcOf({ clientSecret: undefined }))).toMatchObject({ subject: 'sub-1' })
  const sent = provider.asked.find(({ endpoint }) => endpoint === 'token')?.body
  expect([sent?.get('client_id'), sent?.has('client_secret')]).toEqual([CLIENT.id, false])
})

test('what the provider says of somebody is told as it is', async () => {
  provider.state.claims = { sid: 's', amr: ['pwd', 'otp'], auth_time: 1_700_000_000, email_verified: true }
  expect(await redeem()).toEqual({
    issuer: provider.issuer,
    subject: 'sub-1',
    sid: 's',
    name: 'Somebody',
    username: 'somebody',
    email: 'somebody@example.org',
    isEmailVerified: true,
    methods: ['pwd', 'otp'],
    authenticatedAt: new Date(1_700_000_000_000),
  })
})

test('another host that the provider names is asked only at public addresses', async () => {
  const resolved: string[] = []
  const resolve = async (host: string) => {
    resolved.push(host)
    return [{ address: '10.0.0.1', family: 4 }]
  }
  provider.state.discovery = { token_endpoint: 'https://inner.example/token' }
  expect(await redeem(oidcOf({ resolve }))).toEqual({ failure: 'unavailable', reason: 'forbidden_address' })
  expect(resolved).toEqual(['inner.example'])
})

test.each(['javascript:alert(1)', 'authorize', ''])(
  'a browser is sent to no address that is not of the web: %s',
  async (authorization_endpoint) => {
    provider.state.discovery = { authorization_endpoint }
    expect(await begin(oidcOf())).toEqual({ failure: 'refused', reason: 'claim authorization_endpoint' })
  },
)
