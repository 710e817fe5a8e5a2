import { treaty } from '@elysiajs/eden'
import { createCipher } from '../../src/adapters/cipher'
import { commonPasswords } from '../../src/adapters/common-passwords'
import { ipRanges } from '../../src/adapters/ip-ranges'
import { createNtfy } from '../../src/adapters/ntfy'
import { createOidc, redirectUriOf } from '../../src/adapters/oidc'
import { systemRandom } from '../../src/adapters/random'
import { swaggerUiAssets } from '../../src/adapters/assets'
import { createTokenSigner } from '../../src/adapters/token-signer'
import { createTotp } from '../../src/adapters/totp'
import { createWebAuthn } from '../../src/adapters/webauthn'
import { webAssets } from '../../src/adapters/web-assets'
import { createWeather } from '../../src/adapters/weather'
import { calendarFiles } from '../../src/adapters/icalendar'
import { modelContextProtocol } from '../../src/adapters/model-context-protocol'
import { xmlReader } from '../../src/adapters/xml'
import { vCards } from '../../src/adapters/vcard'
import { createApp } from '../../src/app'
import { type Config, loadConfig } from '../../src/config'
import { createReadiness } from '../../src/db/readiness'
import { calendars, sessions, settings, users } from '../../src/db/schema'
import type { Deps } from '../../src/deps'
import { addDays, epochSeconds } from '../../src/lib/time/time'
import { Canary } from './canary'
import { freshDatabase } from './database'
import { textOf } from './streams'
import { fakeHasher, ManualClock, MemoryLog } from './fakes'

export type Harness = Awaited<ReturnType<typeof startHarness>>
export type Actor = Awaited<ReturnType<Harness['signedIn']>>

interface Options {
  /** Environment variables, as `main.ts` would read them. */
  readonly env?: Record<string, string>
  readonly deps?: Partial<Deps>
  /** Stands still by default. */
  readonly clock?: ManualClock
}

/** When the clocks of tests begin: a Wednesday. */
export const START = '2026-03-04T09:30:00Z'

export const PASSWORD = 'correct horse battery'
export const TEST_HOST = { timeZone: 'Europe/Berlin', cores: 2, isCidr: ipRanges.isCidr }

/** Nobody listens there: what a test does not serve itself, it cannot reach. */
const NOWHERE = 'http://127.0.0.1:9/'

const SECRET = 'k1:tests-tests-tests-tests-tests-tests'

/** The real app on a database of its own; only time, hashing and the network are fake. */
export async function startHarness({
  env = {},
  deps: overrides = {},
  clock = new ManualClock(START),
}: Options = {}) {
  const database = await freshDatabase()
  const { db } = database
  const log = new MemoryLog()
  const config: Config = loadConfig(
    {
      DATABASE_URL: database.url,
      SECRET_KEYS: SECRET,
      LOGIN_FAILURE_FLOOR_MS: '0',
      GEOCODER_URL: NOWHERE,
      FORECAST_URL: NOWHERE,
      ...env,
    },
    TEST_HOST,
  )
  /** The address that requests seem to come from; a public one, so that limits hold. */
  const peer = { address: '203.0.113.7' as string | undefined, isDraining: false }
  const deps: Deps = {
    config,
    db,
    log,
    clock,
    random: systemRandom,
    hasher: fakeHasher,
    commonPasswords,
    tokens: createTokenSigner(config.secretKeys),
    cipher: createCipher(config.secretKeys, systemRandom),
    totp: createTotp(systemRandom),
    webauthn: createWebAuthn(config.webauthn),
    metrics: {
      observeRequest: () => {},
      countWrongToken: () => {},
      setStreams: () => {},
      countEndedStream: () => {},
      setJournalSize: () => {},
      setHistorySize: () => {},
      render: async () => ({ contentType: 'text/plain', text: '' }),
    },
    ipRanges,
    weather: createWeather({ ...config.weather, clock }),
    pushServer: createNtfy({ isAllowed: (ip) => config.ntfyAllowPrivate || ipRanges.isGlobal(ip) }),
    identityProvider:
      config.oidc &&
      createOidc({
        ...config.oidc,
        redirectUri: redirectUriOf(config.http.publicUrl),
        clock,
        isGlobal: (ip) => ipRanges.isGlobal(ip),
      }),
    vCards,
    calendarFiles,
    xml: xmlReader,
    assistants: modelContextProtocol,
    peerAddress: () => peer.address,
    assets: swaggerUiAssets,
    client: webAssets,
    readiness: createReadiness(db, () => peer.isDraining),
    ...overrides,
  }
  const app = createApp(deps)
  const canary = new Canary()
  let serial = 0

  const client = (headers: Record<string, string> = {}) =>
    treaty<typeof app.routes>('http://localhost', {
      fetcher: asFetcher(app.fetch),
      headers,
      parseDate: false,
    })

  /** A request as bytes on the wire would make it; answers the response with its parsed body. */
  async function request(method: string, path: string, { body, cookie, headers }: Sent = {}) {
    const response = await app.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json', ...lengthOf(body) }),
          ...(cookie !== undefined && { cookie: `session=${cookie}` }),
          ...headers,
        },
        ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
      }),
    )
    const text = await textOf(response)
    canary.hear(body, response, text)
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    }
  }

  /** A user with settings and calendars, as every user has them. */
  async function user(columns: Partial<typeof users.$inferInsert> & { password?: string } = {}) {
    const { password = PASSWORD, ...given } = columns
    const now = clock.now()
    const username = given.username ?? `user${++serial}`
    const [row] = await db
      .insert(users)
      .values({
        username,
        networkName: username.toLowerCase(),
        passwordHash: await fakeHasher.hash(password),
        role: 'standard',
        createdAt: now,
        updatedAt: now,
        ...given,
      })
      .returning()
    if (!row) throw new Error('no row')
    await db.insert(settings).values({ userId: row.id, createdAt: now, updatedAt: now })
    await db.insert(calendars).values([
      { userId: row.id, name: 'Personal', color: '#3b82f6', isDefault: true, createdAt: now, updatedAt: now },
      { userId: row.id, name: 'Birthdays', color: '#f59e0b', isSystem: true, createdAt: now, updatedAt: now },
    ])
    return row
  }

  /** A session of `userId` and the token that its cookie holds. */
  async function session(userId: number, columns: Partial<typeof sessions.$inferInsert> = {}) {
    const now = clock.now()
    const id = crypto.randomUUID().replaceAll('-', '')
    const expiresAt = columns.expiresAt ?? addDays(now, config.session.maxAgeDays)
    await db.insert(sessions).values({
      id,
      userId,
      authMethod: 'password',
      createdAt: now,
      lastSeenAt: now,
      authenticatedAt: now,
      expiresAt,
      ...columns,
    })
    return {
      id,
      token: deps.tokens.sign({ uid: userId, sid: id, iat: epochSeconds(now), exp: epochSeconds(expiresAt) }),
    }
  }

  /** A user who is already signed in: `ada.api.auth.status.get()`, or `ada.request('GET', path)`. */
  async function signedIn(columns: Parameters<typeof user>[0] = {}) {
    const row = await user(columns)
    const { id: sid, token } = await session(row.id)
    return {
      row,
      sid,
      token,
      api: client({ cookie: `session=${token}` }).api,
      request: (method: string, path: string, sent: Sent = {}) =>
        request(method, path, { cookie: token, ...sent }),
    }
  }

  return {
    app,
    deps,
    db,
    url: database.url,
    clock,
    log,
    peer,
    anonymous: client().api,
    client,
    request,
    user,
    session,
    signedIn,
    canary,
    async [Symbol.asyncDispose]() {
      const leaks = await canary.leaks(db, log)
      await database[Symbol.asyncDispose]()
      if (leaks.length > 0) throw new Error(leaks.join('\n'))
    },
  }
}

interface Sent {
  /** JSON, or bytes and strings that are sent as they are. */
  readonly body?: unknown
  readonly cookie?: string
  readonly headers?: Record<string, string>
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> | ReadableStream | FormData =>
  typeof body === 'string' ||
  body instanceof Uint8Array ||
  body instanceof ReadableStream ||
  body instanceof FormData

/** What a client declares; what streams, and a form, comes in chunks. */
function lengthOf(body: unknown): Record<string, string> {
  if (body instanceof ReadableStream || body instanceof FormData) return {}
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  return { 'content-length': String(Buffer.byteLength(bytes)) }
}

/** The cookie pair and its attributes of a response's only `Set-Cookie`. */
export function setCookieOf(headers: Headers): { value: string; attributes: string[] } | undefined {
  const [header, ...more] = headers.getSetCookie()
  if (header === undefined || more.length > 0) return undefined
  const [pair = '', ...attributes] = header.split('; ')
  return { value: pair.slice(pair.indexOf('=') + 1), attributes }
}

const asFetcher = (fetch: (request: Request) => Promise<Response>) =>
  ((input: Request | URL | string, init?: RequestInit) =>
    fetch(input instanceof Request ? input : new Request(input, init))) as typeof globalThis.fetch
