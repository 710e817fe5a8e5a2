import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { sessions, users } from '../../src/db/schema'
import { addDays, addMinutes, epochSeconds } from '../../src/lib/time/time'
import type { Cast, Person } from '../fuzz/cast'
import type { Operation } from '../fuzz/requests'

/** Those who may not call an operation: what their request carries, and how the contract has it refused. */

/** Contract, sections 1 to 4: what asks for no session. */
const PUBLIC = new Set([
  'GET /health/live',
  'GET /health/ready',
  'GET /metrics',
  'POST /api/auth/setup',
  'POST /api/auth/register',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'GET /api/auth/status',
  'POST /api/auth/totp/verify',
  'POST /api/auth/mfa-setup/begin',
  'POST /api/auth/mfa-setup/confirm',
  'POST /api/auth/passkeys/login/begin',
  'POST /api/auth/passkeys/login/complete',
  'GET /api/auth/oidc/begin',
  'GET /api/auth/oidc/callback',
  'POST /api/auth/oidc/back-channel-logout',
])

/** Also section 7: the address of a feed is its own secret. */
export const isPublic = ({ title, path }: Operation) => PUBLIC.has(title) || path.startsWith('/api/feeds/')

/** Section 4: what a locked session may do, beside what is public. */
const WHILE_LOCKED = new Set(['POST /api/auth/verify-password', 'POST /api/auth/lock'])
/** Section 1: what one may do whose password must be changed. */
export const WHILE_PASSWORD_IS_DUE = new Set([...WHILE_LOCKED, 'POST /api/auth/change-password'])

/** Sections 2, 3 and 5: what asks for a session that has proved itself within 15 minutes. */
export const RECENT = new Set([
  'POST /api/auth/totp/setup',
  'POST /api/auth/tokens',
  'POST /api/auth/passkeys/register/begin',
  'DELETE /api/auth/passkeys/{id}',
  'DELETE /api/auth/identities/{id}',
  'PUT /api/admin/users/{id}/role',
  'POST /api/admin/users/{id}/reset-password',
  'POST /api/admin/users/{id}/disable-mfa',
  'DELETE /api/admin/users/{id}',
])

/** Section 5: the administrators' own operations. */
export const isAdministration = ({ path }: Operation) => /^\/api\/admin(?:\/|$)/.test(path)

export interface Refusal {
  readonly status: number
  readonly detail: string
  readonly code?: string
  /** What `WWW-Authenticate` says; nothing by default. */
  readonly challenge?: string
}

export interface Caller {
  readonly cookie: string | undefined
  /** Sent beside the cookie. */
  readonly authorization?: string
  /** Undefined where this caller may call the operation. */
  expected(operation: Operation): Refusal | undefined
  /** Takes back what was done to the user. */
  undo?(): Promise<unknown>
}

const always = (status: number, detail: string) => () => ({ status, detail })
const NOT_AUTHENTICATED = always(401, 'Not authenticated')
const INVALID = always(401, 'Invalid or expired session')
const MALFORMED = always(401, 'Malformed session token')
const ENDED = always(401, 'Session has been revoked or expired')
const LOCKED = { status: 423, detail: 'Session is locked', code: 'session_locked' }
export const PASSWORD_IS_DUE = {
  status: 403,
  detail: 'Password change required',
  code: 'password_change_required',
}
const NOT_RECENT = {
  status: 403,
  detail: 'Recent authentication required',
  code: 'reauthentication_required',
}
const FORBIDDEN = { status: 403, detail: 'Insufficient permissions' }

/** The key that the harness signs with. */
const SECRET = 'tests-tests-tests-tests-tests-tests'

/** A token with any payload, signed as the contract has it (section 1). */
function tokenOf(payload: object, { keyId = 'k1', secret = SECRET } = {}): string {
  const signed = `v1.${keyId}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

export type MakeCaller = (cast: Cast, person: Person) => Caller | Promise<Caller>

const session = async ({ h }: Cast, { id }: Person, columns: Partial<typeof sessions.$inferInsert> = {}) =>
  h.session(id, columns)

const claims = async (cast: Cast, person: Person) => {
  const now = cast.h.clock.now()
  const { id: sid } = await session(cast, person)
  return { uid: person.id, sid, iat: epochSeconds(now), exp: epochSeconds(addDays(now, 7)) }
}

/** Sets columns of the user until the caller is done. */
export async function withUser({ h }: Cast, { id }: Person, columns: Partial<typeof users.$inferInsert>) {
  const [before] = await h.db.select().from(users).where(eq(users.id, id))
  if (!before) throw new Error('no such user')
  await h.db.update(users).set(columns).where(eq(users.id, id))
  const { isActive, mustChangePassword, mfaRequired } = before
  return () => h.db.update(users).set({ isActive, mustChangePassword, mfaRequired }).where(eq(users.id, id))
}

const unlessIn = (exempt: ReadonlySet<string>, refusal: Refusal) => (operation: Operation) =>
  exempt.has(operation.title) ? undefined : refusal

/** Every way of not being let in, in the contract's order. */
export const CALLERS: Readonly<Record<string, MakeCaller>> = {
  'no cookie': () => ({ cookie: undefined, expected: NOT_AUTHENTICATED }),
  'an empty cookie': () => ({ cookie: 'session=', expected: NOT_AUTHENTICATED }),
  'a cookie of garbage': () => ({ cookie: 'session=garbage', expected: INVALID }),
  'two cookies': async (cast, person) => {
    const { token } = await session(cast, person)
    return { cookie: `session=${token}; session=${token}`, expected: INVALID }
  },
  'a tampered signature': async (cast, person) => {
    const { token } = await session(cast, person)
    return { cookie: `session=${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`, expected: INVALID }
  },
  'a tampered payload': async (cast, person) => {
    const [version, key, , signature] = (await session(cast, person)).token.split('.')
    const payload = tokenOf({ ...(await claims(cast, person)), uid: cast.people.admin.id }).split('.')[2]
    return { cookie: `session=${[version, key, payload, signature].join('.')}`, expected: INVALID }
  },
  'a key that nobody knows': async (cast, person) => {
    const token = tokenOf(await claims(cast, person), { keyId: 'k2' })
    return { cookie: `session=${token}`, expected: INVALID }
  },
  'the right key id and another secret': async (cast, person) => {
    const token = tokenOf(await claims(cast, person), { secret: 'x'.repeat(35) })
    return { cookie: `session=${token}`, expected: INVALID }
  },
  'an expired token': async (cast, person) => {
    const exp = epochSeconds(cast.h.clock.now())
    return { cookie: `session=${tokenOf({ ...(await claims(cast, person)), exp })}`, expected: INVALID }
  },
  'a token without sid': async (cast, person) => {
    const { sid: _, ...rest } = await claims(cast, person)
    return { cookie: `session=${tokenOf(rest)}`, expected: MALFORMED }
  },
  'an expired token without uid and sid': ({ h }) => {
    const now = epochSeconds(h.clock.now())
    return { cookie: `session=${tokenOf({ iat: now, exp: now })}`, expected: INVALID }
  },
  'a token without uid': async (cast, person) => {
    const { uid: _, ...rest } = await claims(cast, person)
    return { cookie: `session=${tokenOf(rest)}`, expected: MALFORMED }
  },
  'the session of somebody else': async (cast, person) => {
    const { sid } = await claims(cast, cast.people.admin)
    return { cookie: `session=${tokenOf({ ...(await claims(cast, person)), sid })}`, expected: ENDED }
  },
  'an expired session': async (cast, person) => {
    const { id, token } = await session(cast, person)
    await cast.h.db.update(sessions).set({ expiresAt: cast.h.clock.now() }).where(eq(sessions.id, id))
    return { cookie: `session=${token}`, expected: ENDED }
  },
  'a revoked session': async (cast, person) => {
    const { token } = await session(cast, person, { revoked: true })
    return { cookie: `session=${token}`, expected: ENDED }
  },
  'a session that was logged out': async (cast, person) => {
    const { token } = await session(cast, person)
    await cast.h.request('POST', '/api/auth/logout', { cookie: token })
    return { cookie: `session=${token}`, expected: ENDED }
  },
  'a session that never was': async (cast, person) => {
    const token = tokenOf({ ...(await claims(cast, person)), sid: 'f'.repeat(32) })
    return { cookie: `session=${token}`, expected: ENDED }
  },
  'a deleted user': async ({ h }) => {
    const { row, token } = await h.signedIn()
    await h.db.delete(users).where(eq(users.id, row.id))
    return { cookie: `session=${token}`, expected: ENDED }
  },
  'a revoked session of a deactivated user': async (cast, person) => {
    const { token } = await session(cast, person, { revoked: true })
    return {
      cookie: `session=${token}`,
      expected: ENDED,
      undo: await withUser(cast, person, { isActive: false }),
    }
  },
  'a deactivated user': async (cast, person) => {
    const { token } = await session(cast, person)
    return {
      cookie: `session=${token}`,
      expected: always(401, 'User not found or inactive'),
      undo: await withUser(cast, person, { isActive: false }),
    }
  },
  'a locked session': async (cast, person) => {
    const { token } = await session(cast, person, { isLocked: true, lockedAt: cast.h.clock.now() })
    return { cookie: `session=${token}`, expected: unlessIn(WHILE_LOCKED, LOCKED) }
  },
  'a password that must be changed': async (cast, person) => {
    const { token } = await session(cast, person)
    return {
      cookie: `session=${token}`,
      expected: unlessIn(WHILE_PASSWORD_IS_DUE, PASSWORD_IS_DUE),
      undo: await withUser(cast, person, { mustChangePassword: true }),
    }
  },
  'a locked session and a password that must be changed': async (cast, person) => {
    const { token } = await session(cast, person, { isLocked: true })
    return {
      cookie: `session=${token}`,
      expected: unlessIn(WHILE_LOCKED, LOCKED),
      undo: await withUser(cast, person, { mustChangePassword: true }),
    }
  },
  'the wrong role': async (cast, person) => {
    const { token } = await session(cast, person)
    return {
      cookie: `session=${token}`,
      expected: (operation) => (isAdministration(operation) ? FORBIDDEN : undefined),
    }
  },
  'the wrong role and an old sign-in': async (cast, person) => {
    const { token } = await session(cast, person, { authenticatedAt: longAgo(cast) })
    return {
      cookie: `session=${token}`,
      expected: (operation) => {
        if (isAdministration(operation)) return FORBIDDEN
        return RECENT.has(operation.title) ? NOT_RECENT : undefined
      },
    }
  },
  "an administrator's old sign-in": async (cast) => {
    const { token } = await session(cast, cast.people.admin, { authenticatedAt: longAgo(cast) })
    return {
      cookie: `session=${token}`,
      expected: ({ title }) => (RECENT.has(title) ? NOT_RECENT : undefined),
    }
  },
}

const longAgo = ({ h }: Cast) => addMinutes(h.clock.now(), -16)
