import { describe, expect, test } from 'bun:test'
import { ipRanges } from '../../src/adapters/ip-ranges'
import { loadConfig } from '../../src/config'

const HOST = { timeZone: 'Europe/Berlin', cores: 3, isCidr: (text: string) => ipRanges.isCidr(text) }
const load = (env: Record<string, string> = {}) => loadConfig(env, HOST)
const problems = (env: Record<string, string>) => {
  try {
    load(env)
    return []
  } catch (error) {
    return error instanceof Error
      ? error.message
          .split('\n')
          .slice(1)
          .map((line) => line.slice(4))
      : []
  }
}
const KEY = `k1:${'s'.repeat(32)}`

describe('the configuration', () => {
  test('needs nothing', () => {
    expect(load()).toMatchObject({
      http: { port: 3000, host: '127.0.0.1', publicUrl: 'http://localhost:3000', authRateLimit: true },
      database: { url: undefined, dataDir: '.data', pool: 10, prepare: true },
      session: { maxAgeDays: 7, cookieSecure: false },
      password: { minLength: 12, hasher: 'wasm', hashWorkers: 3, failureFloorMs: 500 },
      timeZone: 'Europe/Berlin',
      webauthn: { rpId: 'localhost', origins: ['http://localhost:3000'] },
    })
  })

  test('takes an empty variable for an unset one', () => {
    expect(load({ PORT: '', TIME_ZONE: ' ' })).toEqual(load())
  })

  test("keeps the zone in the time zone database's own spelling, and an alias as that alias", () => {
    expect(load({ TIME_ZONE: 'eUROPE/bERLIN' }).timeZone).toBe('Europe/Berlin')
    expect(load({ TIME_ZONE: 'us/eastern' }).timeZone).toBe('US/Eastern')
  })

  test('marks cookies secure where the public URL is https, unless told otherwise', () => {
    expect(load({ PUBLIC_URL: 'https://o.example' }).session.cookieSecure).toBe(true)
    expect(load({ PUBLIC_URL: 'https://o.example', COOKIE_SECURE: 'false' }).session.cookieSecure).toBe(false)
    expect(load({ COOKIE_SECURE: 'true' }).session.cookieSecure).toBe(true)
  })

  test('reads lists and keys, a colon within a secret included', () => {
    const config = load({
      DATABASE_URL: 'postgres://u@h/d',
      SECRET_KEYS: `${KEY}, k0:${'a:b+/='.repeat(8)}`,
      CORS_ORIGINS: 'https://a.example,, http://b.example:81/',
    })
    expect(config.secretKeys.map(({ id, secret }) => [id, secret.length])).toEqual([
      ['k1', 32],
      ['k0', 48],
    ])
    expect(config.http.corsOrigins).toEqual(['https://a.example', 'http://b.example:81'])
  })

  test('names every problem in one message and repeats no secret', () => {
    const found = problems({
      PORT: '80abc',
      SESSION_MAX_AGE_DAYS: '0',
      COOKIE_SECURE: 'maybe',
      LOG_LEVEL: 'loud',
      TIME_ZONE: 'Mars/Base',
      DATABASE_URL: 'mysql://x',
      SECRET_KEYS: 'k1:short-secret',
      PUBLIC_URL: 'https://o.example/path',
      TRUSTED_PROXIES: '10.0.0.0/8,nonsense',
      CORS_ORIGINS: '*',
    })
    expect(found.toSorted()).toEqual([
      'COOKIE_SECURE must be true or false (on or off)',
      'CORS_ORIGINS must be a list of http or https origins',
      'DATABASE_URL must be a postgres:// URL',
      'LOG_LEVEL must be one of debug, info, warn, error, silent',
      'PORT must be a whole number from 1 to 65535',
      'PUBLIC_URL must be an http or https origin',
      'SECRET_KEYS must be a list of kid:secret with secrets of 32 characters or more',
      'SESSION_MAX_AGE_DAYS must be a whole number from 1 to 365',
      'TIME_ZONE must be an IANA time zone',
      'TRUSTED_PROXIES must be a list of CIDR ranges',
    ])
  })

  test.each([
    { env: { DATABASE_URL: 'postgres://h/d' }, problem: 'SECRET_KEYS is required with DATABASE_URL' },
    { env: { SECRET_KEYS: `${KEY},${KEY}` }, problem: 'SECRET_KEYS must not name a key twice' },
    { env: { TIME_ZONE: '+02:00' }, problem: 'TIME_ZONE must be an IANA time zone' },
    { env: { PORT: '1e3' }, problem: 'PORT must be a whole number from 1 to 65535' },
    { env: { HASHER: 'bcrypt' }, problem: 'HASHER must be one of wasm, native' },
    { env: { PORT: '3000.5' }, problem: 'PORT must be a whole number from 1 to 65535' },
  ])('a start is refused where $problem', ({ env, problem }) => {
    expect(problems(Object.fromEntries(Object.entries(env)))).toEqual([problem])
  })
})

describe('an identity provider', () => {
  const PROVIDER = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'organiser' }

  test('is none without an issuer, and one with an issuer and a client', () => {
    expect(load().oidc).toBeUndefined()
    expect(load(PROVIDER).oidc).toEqual({
      issuer: 'https://id.example',
      clientId: 'organiser',
      clientSecret: undefined,
      name: 'id.example',
      scopes: 'openid profile email',
      registers: false,
      mfa: 'amr',
      isOnly: false,
    })
    const all = {
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_NAME: 'Home',
      OIDC_SCOPES: 'openid',
      OIDC_REGISTER: 'on',
      OIDC_MFA: 'trust',
      OIDC_ONLY: 'on',
    }
    expect(load({ ...PROVIDER, ...all }).oidc).toMatchObject({
      clientSecret: 'secret',
      name: 'Home',
      scopes: 'openid',
      registers: true,
      mfa: 'trust',
      isOnly: true,
    })
  })

  test.each([
    'https://id.example/realms/home',
    'https://id.example:8443/o/organiser/',
    'http://localhost:9000',
    'http://127.0.0.1:9000',
    'http://[::1]:9000/x',
  ])('may be at %s', (issuer) => {
    expect(load({ ...PROVIDER, OIDC_ISSUER: issuer }).oidc?.issuer).toBe(issuer)
  })

  test.each([
    'http://id.example',
    'http://192.168.1.5',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'ftp://id.example',
    'id.example',
    'https://id.example/?tenant=x',
    'https://id.example/#x',
    'https://user@id.example',
    'https://:secret@id.example',
  ])('is not at %s', (issuer) => {
    const problem = 'OIDC_ISSUER must be an https URL, or an http URL on this machine'
    expect(problems({ ...PROVIDER, OIDC_ISSUER: issuer })).toEqual([problem])
  })

  test.each([
    ['OIDC_CLIENT_ID is required with OIDC_ISSUER', { OIDC_ISSUER: 'https://id.example' }],
    ['OIDC_SCOPES must contain openid', { ...PROVIDER, OIDC_SCOPES: 'profile email' }],
    ['OIDC_MFA must be one of trust, amr, never', { ...PROVIDER, OIDC_MFA: 'always' }],
    ['OIDC_ONLY needs OIDC_ISSUER', { OIDC_ONLY: 'on' }],
  ] as ReadonlyArray<[string, Record<string, string>]>)('is refused where %s', (problem, env) => {
    expect(problems(env)).toEqual([problem])
  })
})
