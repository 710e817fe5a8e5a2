import { eq, sql } from 'drizzle-orm'
import { blocks, sessions, users } from '../../src/db/schema'
import type { Deps } from '../../src/deps'
import type { Authenticator } from '../support/authenticator'
import { type Harness, PASSWORD, startHarness } from '../support/harness'
import { linkIdentity, PROVIDER_ENV } from '../support/identities'
import { register } from '../support/passkeys'
import { withTotp } from '../support/totp'
import { Pool } from './pool'

/** The people on whose behalf requests are sent, and what keeps them able to send more. */

export interface Person {
  readonly id: number
  readonly username: string
  readonly networkName: string
  readonly role: 'admin' | 'standard'
  readonly pool: Pool
  readonly authenticators: Authenticator[]
  token: string
}

/** Failures only; the many lines about requests would fill the memory. */
export class FailureLog {
  readonly failures: string[] = []
  debug() {}
  info() {}
  warn() {}
  error(message: string, fields: object = {}) {
    this.failures.push(`${message} ${JSON.stringify(fields)}`)
  }
}

/** Where the network would be: every seventh call fails. */
function fakeNetwork(): Pick<Deps, 'weather' | 'pushServer' | 'identityProvider'> {
  let calls = 0
  const outcomes = [
    { kind: 'sent' },
    { kind: 'forbidden_address' },
    { kind: 'refused', status: 403 },
    { kind: 'unreachable', reason: 'timeout' },
  ] as const
  const failing = async <T>(answer: T): Promise<T> => {
    if (++calls % 7 === 0) throw new Error('no answer')
    return answer
  }
  const place = {
    name: 'Berlin',
    state: null,
    country: 'Germany',
    countryCode: 'DE',
    latitude: 52.5,
    longitude: 13.4,
  }
  const at = new Date('2026-03-04T09:30:00Z')
  return {
    weather: {
      search: () => failing([{ ...place, timeZone: 'Europe/Berlin' }]),
      forecast: () =>
        failing({
          current: {
            at,
            temperature: 4,
            apparentTemperature: 1,
            weatherCode: 3,
            windSpeed: 18,
            humidity: 80,
          },
          daily: [
            { date: '2026-03-04', weatherCode: 3, temperatureMin: 0, temperatureMax: 7, precipitation: 1 },
          ],
        }),
    },
    identityProvider: {
      authorizationUrl: async () => `${PROVIDER_ENV.OIDC_ISSUER}/authorize`,
      redeem: async () => ({ failure: 'refused', reason: 'nobody' }),
      readLogout: async () => ({ issuer: PROVIDER_ENV.OIDC_ISSUER, subject: 'nobody', sid: null }),
    },
    pushServer: { send: async () => outcomes[calls++ % 3 === 0 ? calls % 4 : 0] ?? outcomes[0] },
  }
}

export interface Cast {
  readonly h: Harness
  readonly log: FailureLog
  readonly people: Readonly<Record<'admin' | 'user' | 'friend' | 'stranger', Person>>
  /** Whose accounts may come to any harm. */
  readonly expendable: Person[]
}

/** Two friends, a stranger to them, an administrator, and some whose accounts may come to any harm. */
export async function startCast(): Promise<Cast> {
  const log = new FailureLog()
  const h = await startHarness({
    env: { ...PROVIDER_ENV, AUTH_RATE_LIMIT: 'off' },
    deps: { log, ...fakeNetwork() },
  })
  const people = {
    admin: await personOf(h, 'admin'),
    user: await personOf(h, 'standard'),
    friend: await personOf(h, 'standard'),
    stranger: await personOf(h, 'standard'),
  }
  for (const { id } of Object.values(people)) people.admin.pool.spare('/api/admin/users', String(id))
  const expendable = [await newcomer(h, 0), await newcomer(h, 1), await newcomer(h, 2)]
  const cast = { h, log, people, expendable }
  await keepUp(cast)
  return cast
}

/** Somebody with an authenticator, somebody with two passkeys, or somebody who has to set an authenticator up. */
export async function newcomer(h: Harness, kind: number): Promise<Person> {
  const person = await personOf(h, 'standard')
  const actor = await actorOf(h, person)
  if (kind % 3 === 0) {
    const { secret, backupCodes } = await withTotp(h, actor)
    person.pool.remember('secret', secret)
    person.pool.remember('backup_code', backupCodes[0])
  } else if (kind % 3 === 1) {
    person.authenticators.push((await register(actor)).authenticator, (await register(actor)).authenticator)
  } else await h.db.update(users).set({ mfaRequired: true }).where(eq(users.id, person.id))
  return person
}

const CONFIG = { allow_registration: true, allow_passwordless: true, enforce_mfa_new_users: false }

/** What the operations need and keep ending: that nobody is blocked, a friendship, requests that nobody has answered, what the system allows. */
export async function keepUp({ h, people }: Pick<Cast, 'h' | 'people'>): Promise<void> {
  const { admin, user, friend, stranger } = people
  // Whoever has taken another name is not found under the one that the others know.
  for (const person of Object.values(people)) await heal({ h }, person)
  await h.db.delete(blocks)
  await h.request('PUT', '/api/admin/config', { cookie: admin.token, body: CONFIG })
  for (const person of [user, friend, stranger]) {
    await h.request('PUT', '/api/settings', { cookie: person.token, body: PREFERENCES })
  }
  const asks: ReadonlyArray<readonly [Person, Person]> = [
    [friend, user],
    [stranger, user],
    [user, admin],
  ]
  for (const [from, to] of asks) {
    const body = { network_name: to.networkName }
    await h.request('POST', REQUESTS, { cookie: from.token, body })
  }
  const pending = await h.request('GET', `${REQUESTS}?direction=incoming&status=pending`, {
    cookie: user.token,
  })
  for (const request of pending.body.requests) {
    if (request.user.id !== friend.id) continue
    await h.request('PUT', `${REQUESTS}/${request.id}/accept`, { cookie: user.token })
  }
}

const REQUESTS = '/api/connections/requests'

const actorOf = async (h: Harness, person: Person) => {
  const [row] = await h.db.select().from(users).where(eq(users.id, person.id))
  if (!row) throw new Error('no such user')
  const request: Harness['request'] = (method, path, sent) =>
    h.request(method, path, { cookie: person.token, ...sent })
  return { row, sid: '', token: person.token, api: h.anonymous, request }
}

const PREFERENCES = {
  accept_connections: true,
  ntfy_enabled: true,
  ntfy_server_url: 'https://ntfy.example',
  ntfy_topic: 'fuzz',
  weather_city: 'Berlin',
  weather_lat: 52.5,
  weather_lon: 13.4,
}

/** Somebody new, who accepts connections and has a place and a push server. */
async function personOf(h: Harness, role: Person['role']): Promise<Person> {
  const { row, token } = await h.signedIn({ role })
  const sent = await h.request('PUT', '/api/settings', { body: PREFERENCES, cookie: token })
  if (sent.status !== 200) throw new Error(`settings answered ${sent.status}`)
  const { id, username, networkName } = row
  await linkIdentity(h, id)
  return { id, username, networkName, role, token, pool: new Pool(), authenticators: [] }
}

/** Makes a person as able as at first; false where the account is no more. */
export async function heal({ h }: Pick<Cast, 'h'>, person: Person): Promise<boolean> {
  const healed = await h.db
    .update(users)
    .set({
      username: person.username,
      networkName: person.networkName,
      passwordHash: await h.deps.hasher.hash(PASSWORD),
      role: person.role,
      isActive: true,
      lockedUntil: null,
      failedLoginCount: 0,
      mfaLockedUntil: null,
      failedMfaCount: 0,
      mustChangePassword: false,
      temporaryPasswordExpiresAt: null,
    })
    .where(eq(users.id, person.id))
    .returning({ id: users.id })
  if (healed.length === 0) return false
  await h.db.delete(sessions).where(sql`${sessions.userId} = ${person.id} and ${sessions.revoked}`)
  person.token = (await h.session(person.id)).token
  return true
}
