import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { serversOf } from './lib/database-url'
import { commaList, httpOrigin, isIssuer } from './lib/wire/parse'
import { OIDC_MFA, type ProviderSettings } from './lib/ports/identity-provider'
import type { SecretKey } from './lib/ports/secrets'
import { zoneNamed } from './lib/time/zone-names'

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
const HASHERS = ['wasm', 'native'] as const

const count = (minimum: number, maximum: number, fallback: number, description: string) =>
  Type.Integer({ minimum, maximum, default: fallback, description })
const flag = (fallback: boolean, description: string) => Type.Boolean({ default: fallback, description })
const text = (description: string) => Type.Optional(Type.String({ description }))

/** Every variable that the service reads, with its default and purpose. Keep the table in `src/deploy/README.md` the same. */
export const Environment = Type.Object({
  PORT: count(1, 65_535, 3000, 'port to listen on'),
  HOST: Type.String({ default: '127.0.0.1', description: 'address to listen on' }),
  PUBLIC_URL: text('URL under which people reach the service, by default `http://localhost:PORT`'),
  CORS_ORIGINS: text('other origins whose pages may call the service, comma-separated'),
  TRUSTED_PROXIES: text('CIDR ranges whose `X-Forwarded-For` is believed, comma-separated'),
  DATABASE_URL: text(
    'PostgreSQL 15 or newer; without it an embedded one is started. Of several hosts with commas between them the primary is used',
  ),
  DATABASE_DIRECT_URL: text(
    'for migrations, where `DATABASE_URL` is a transaction pooler or does not own the tables',
  ),
  DATA_DIR: Type.String({ default: '.data', description: 'where the embedded database and its key live' }),
  DATABASE_POOL: count(1, 500, 10, 'database connections of one instance'),
  DATABASE_PREPARE: flag(true, 'prepared statements; false behind a PgBouncer that cannot keep them'),
  SECRET_KEYS: text(
    '`kid:secret,…`, 32 characters or more each: the first signs, all verify; required with `DATABASE_URL`',
  ),
  COOKIE_SECURE: Type.Optional(
    Type.Boolean({
      description: 'whether the session cookie is `Secure`, by default where `PUBLIC_URL` is https',
    }),
  ),
  SESSION_MAX_AGE_DAYS: count(1, 365, 7, 'days that an unused session lives'),
  PASSWORD_MIN_LENGTH: count(1, 128, 12, 'shortest new password'),
  LOGIN_FAILURE_FLOOR_MS: count(0, 10_000, 500, 'a refused sign-in answers no sooner'),
  AUTH_RATE_LIMIT: flag(
    true,
    'ten sign-ins and ten wrong access tokens a minute per address that is not private; also behind a proxy that limits',
  ),
  DAV_ALLOW_HTTP: flag(
    false,
    'whether app passwords are taken over plain http, from elsewhere than this machine',
  ),
  WEB_OFFLINE: flag(
    true,
    'whether browsers keep the web client, so that it opens without a network; `false` has them forget it',
  ),
  HASHER: Type.Enum([...HASHERS], {
    default: 'wasm',
    description: "what hashes passwords: `wasm`, or `native`, the runtime's own Argon2id, which is faster",
  }),
  HASH_WORKERS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description: 'password hashes at once, by default as many as cores',
    }),
  ),
  TIME_ZONE: text("IANA name of the server's zone, by default the system's"),
  WEBAUTHN_RP_ID: text('relying party id of passkeys, by default the host of `PUBLIC_URL`'),
  WEBAUTHN_ORIGINS: text('origins that may use passkeys, comma-separated, by default that of `PUBLIC_URL`'),
  OIDC_ISSUER: text('URL of the OpenID provider with which people may sign in; without it there is none'),
  OIDC_CLIENT_ID: text('what the provider knows this service by'),
  OIDC_CLIENT_SECRET: text('secret of the client at the provider; without it the client is a public one'),
  OIDC_NAME: text("what the button of the sign-in says, by default the issuer's host"),
  OIDC_SCOPES: Type.String({
    default: 'openid profile email',
    description: 'what the provider is asked to tell',
  }),
  OIDC_REGISTER: flag(false, 'whether people whom only the provider knows get accounts'),
  OIDC_MFA: Type.Enum([...OIDC_MFA], {
    default: 'amr',
    description:
      'when a sign-in at the provider counts as two factors: always (`trust`), where the provider says so (`amr`), or `never`',
  }),
  OIDC_ONLY: flag(
    false,
    'whether passwords and passkeys are refused; `bun run admin reset-password` is the way back',
  ),
  GEOCODER_URL: Type.String({
    default: 'https://geocoding-api.open-meteo.com/v1/search',
    description: 'endpoint of the location search',
  }),
  FORECAST_URL: Type.String({
    default: 'https://api.open-meteo.com/v1/forecast',
    description: 'endpoint of the weather forecast',
  }),
  NTFY_ALLOW_PRIVATE: flag(false, 'whether push servers may have private addresses'),
  AUDIT_RETENTION_DAYS: count(1, 36_500, 365, 'days that audit entries are kept'),
  HISTORY_DAYS: count(
    0,
    3650,
    30,
    'days that changed records are kept as they were, for the trash; 0 keeps none',
  ),
  METRICS_TOKEN: text('bearer token of `/metrics`; without it there are none'),
  LOG_LEVEL: Type.Enum([...LOG_LEVELS], {
    default: 'info',
    description: 'least severe level that is logged',
  }),
  JOBS: flag(true, 'whether this instance runs background jobs'),
})

type EnvironmentValues = Static<typeof Environment>
type Env = Readonly<Record<string, string | undefined>>

/** Values from the machine, and a check that needs an adapter. */
export interface Host {
  readonly timeZone: string
  readonly cores: number
  readonly isCidr: (text: string) => boolean
}

export interface Config {
  readonly http: {
    readonly port: number
    readonly host: string
    readonly publicUrl: string
    readonly corsOrigins: readonly string[]
    readonly trustedProxies: readonly string[]
    readonly authRateLimit: boolean
    readonly metricsToken: string | undefined
  }
  readonly database: {
    /** Undefined starts the embedded database. */
    readonly url: string | undefined
    readonly directUrl: string | undefined
    readonly dataDir: string
    readonly pool: number
    readonly prepare: boolean
  }
  readonly session: { readonly maxAgeDays: number; readonly cookieSecure: boolean }
  /** Empty with the embedded database, which keeps its own key. */
  readonly secretKeys: readonly SecretKey[]
  readonly password: {
    readonly minLength: number
    readonly hasher: (typeof HASHERS)[number]
    readonly hashWorkers: number
    readonly failureFloorMs: number
  }
  /** Whether browsers keep the web client. */
  readonly webOffline: boolean
  readonly timeZone: string
  readonly webauthn: { readonly rpId: string; readonly origins: readonly string[] }
  /** Undefined where people sign in without a provider. */
  readonly oidc: ProviderSettings | undefined
  readonly weather: { readonly geocoderUrl: string; readonly forecastUrl: string }
  readonly ntfyAllowPrivate: boolean
  readonly davAllowHttp: boolean
  readonly auditRetentionDays: number
  readonly historyDays: number
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly jobs: boolean
}

/** Lists all problems of the environment in one message. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  constructor(problems: readonly string[]) {
    super(
      `Cannot start, because of the configuration:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
  }
}

/** Parses the environment once; no other code reads it. @throws {ConfigError} listing every problem. */
export function loadConfig(env: Env, host: Host): Config {
  const given = Object.keys(Environment.properties).flatMap((name) => {
    const value = env[name]?.trim()
    return value ? [[name, convert(name, value)] as const] : []
  })
  const errors = Value.Errors(Environment, Value.Default(Environment, Object.fromEntries(given)))
  const wrong = new Set(errors.map((error) => error.instancePath.slice(1)))
  const right = given.filter(([name]) => !wrong.has(name))
  const values = Value.Default(Environment, Object.fromEntries(right))
  const mistyped = [...wrong].map((name) => `${name} ${expectation(schemaOf(name))}`)
  if (!Value.Check(Environment, values)) throw new ConfigError(mistyped)
  const problems = [...mistyped, ...inconsistencies(values, host)]
  if (problems.length > 0) throw new ConfigError(problems)
  return toConfig(values, host)
}

const schemaOf = (name: string): TSchema | undefined =>
  Object.entries(Environment.properties).find(([key]) => key === name)?.[1]

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, on: true, false: false, off: false }

function convert(name: string, value: string): unknown {
  const schema = schemaOf(name)
  if (Type.IsInteger(schema)) return /^-?\d{1,15}$/.test(value) ? Number(value) : value
  if (Type.IsBoolean(schema)) return BOOLEANS[value.toLowerCase()] ?? value
  return value
}

function expectation(schema: TSchema | undefined): string {
  if (Type.IsInteger(schema)) {
    return `must be a whole number from ${Reflect.get(schema, 'minimum')} to ${Reflect.get(schema, 'maximum')}`
  }
  if (Type.IsBoolean(schema)) return 'must be true or false (on or off)'
  return `must be one of ${[Reflect.get(schema ?? {}, 'enum')].flat().join(', ')}`
}

const isOther = (protocol: RegExp, url: string | undefined) =>
  url !== undefined && !protocol.test(URL.parse(url)?.protocol ?? '')
const POSTGRES = /^postgres(?:ql)?:$/
const HTTP = /^https?:$/
const isOtherDatabase = (url: string | undefined) =>
  url !== undefined && serversOf(url).some((server) => isOther(POSTGRES, server))

/** Returns the problems that the schema of a single variable cannot express. */
function inconsistencies(values: EnvironmentValues, host: Host): string[] {
  const { PUBLIC_URL, TIME_ZONE } = values
  const checks: ReadonlyArray<readonly [string, boolean]> = [
    ['PUBLIC_URL must be an http or https origin', PUBLIC_URL !== undefined && !httpOrigin(PUBLIC_URL)],
    ['CORS_ORIGINS must be a list of http or https origins', hasOther(values.CORS_ORIGINS, httpOrigin)],
    [
      'WEBAUTHN_ORIGINS must be a list of http or https origins',
      hasOther(values.WEBAUTHN_ORIGINS, httpOrigin),
    ],
    ['TRUSTED_PROXIES must be a list of CIDR ranges', hasOther(values.TRUSTED_PROXIES, host.isCidr)],
    ['DATABASE_URL must be a postgres:// URL', isOtherDatabase(values.DATABASE_URL)],
    ['DATABASE_DIRECT_URL must be a postgres:// URL', isOtherDatabase(values.DATABASE_DIRECT_URL)],
    ['GEOCODER_URL must be an http or https URL', isOther(HTTP, values.GEOCODER_URL)],
    ['FORECAST_URL must be an http or https URL', isOther(HTTP, values.FORECAST_URL)],
    ...oidcProblems(values),
    ['TIME_ZONE must be an IANA time zone', TIME_ZONE !== undefined && !zoneNamed(TIME_ZONE)],
  ]
  return [...checks.flatMap(([problem, is]) => (is ? [problem] : [])), ...secretKeyProblems(values)]
}

const oidcProblems = (values: EnvironmentValues): ReadonlyArray<readonly [string, boolean]> => [
  [
    'OIDC_ISSUER must be an https URL, or an http URL on this machine',
    values.OIDC_ISSUER !== undefined && !isIssuer(values.OIDC_ISSUER),
  ],
  ['OIDC_CLIENT_ID is required with OIDC_ISSUER', !!values.OIDC_ISSUER && !values.OIDC_CLIENT_ID],
  ['OIDC_SCOPES must contain openid', !values.OIDC_SCOPES.split(/\s+/).includes('openid')],
  ['OIDC_ONLY needs OIDC_ISSUER', values.OIDC_ONLY && !values.OIDC_ISSUER],
]

const hasOther = (list: string | undefined, accepts: (entry: string) => unknown) =>
  commaList(list ?? '').some((entry) => !accepts(entry))

const secretKeys = (list: string | undefined): SecretKey[] =>
  commaList(list ?? '').map((entry) => {
    const [id = '', ...secret] = entry.split(':')
    return { id, secret: secret.join(':') }
  })

function secretKeyProblems(values: EnvironmentValues): string[] {
  const keys = secretKeys(values.SECRET_KEYS)
  if (keys.length === 0) return values.DATABASE_URL ? ['SECRET_KEYS is required with DATABASE_URL'] : []
  const wellFormed = keys.every(({ id, secret }) => /^[\w-]{1,32}$/.test(id) && secret.length >= 32)
  if (!wellFormed) return ['SECRET_KEYS must be a list of kid:secret with secrets of 32 characters or more']
  const distinct = new Set(keys.map(({ id }) => id)).size === keys.length
  return distinct ? [] : ['SECRET_KEYS must not name a key twice']
}

const origins = (list: string | undefined) =>
  commaList(list ?? '').flatMap((entry) => httpOrigin(entry) ?? [])

function toConfig(values: EnvironmentValues, host: Host): Config {
  const publicUrl = httpOrigin(values.PUBLIC_URL ?? '') ?? `http://localhost:${values.PORT}`
  return {
    http: {
      port: values.PORT,
      host: values.HOST,
      publicUrl,
      corsOrigins: origins(values.CORS_ORIGINS),
      trustedProxies: commaList(values.TRUSTED_PROXIES ?? ''),
      authRateLimit: values.AUTH_RATE_LIMIT,
      metricsToken: values.METRICS_TOKEN,
    },
    database: {
      url: values.DATABASE_URL,
      directUrl: values.DATABASE_DIRECT_URL,
      dataDir: values.DATA_DIR,
      pool: values.DATABASE_POOL,
      prepare: values.DATABASE_PREPARE,
    },
    session: {
      maxAgeDays: values.SESSION_MAX_AGE_DAYS,
      cookieSecure: values.COOKIE_SECURE ?? publicUrl.startsWith('https:'),
    },
    secretKeys: secretKeys(values.SECRET_KEYS),
    password: {
      minLength: values.PASSWORD_MIN_LENGTH,
      hasher: values.HASHER,
      hashWorkers: values.HASH_WORKERS ?? host.cores,
      failureFloorMs: values.LOGIN_FAILURE_FLOOR_MS,
    },
    webOffline: values.WEB_OFFLINE,
    timeZone: zoneNamed(values.TIME_ZONE ?? '') ?? host.timeZone,
    webauthn: {
      rpId: values.WEBAUTHN_RP_ID ?? new URL(publicUrl).hostname,
      origins: values.WEBAUTHN_ORIGINS ? origins(values.WEBAUTHN_ORIGINS) : [publicUrl],
    },
    oidc: oidcOf(values),
    weather: { geocoderUrl: values.GEOCODER_URL, forecastUrl: values.FORECAST_URL },
    ntfyAllowPrivate: values.NTFY_ALLOW_PRIVATE,
    davAllowHttp: values.DAV_ALLOW_HTTP,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    historyDays: values.HISTORY_DAYS,
    logLevel: values.LOG_LEVEL,
    jobs: values.JOBS,
  }
}

const oidcOf = (values: EnvironmentValues): ProviderSettings | undefined =>
  values.OIDC_ISSUER === undefined || values.OIDC_CLIENT_ID === undefined
    ? undefined
    : {
        issuer: values.OIDC_ISSUER,
        clientId: values.OIDC_CLIENT_ID,
        clientSecret: values.OIDC_CLIENT_SECRET,
        name: values.OIDC_NAME ?? new URL(values.OIDC_ISSUER).host,
        scopes: values.OIDC_SCOPES,
        registers: values.OIDC_REGISTER,
        mfa: values.OIDC_MFA,
        isOnly: values.OIDC_ONLY,
      }
