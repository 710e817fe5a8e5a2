import { eq } from 'drizzle-orm'
import { accessTokens } from '../../src/db/schema'
import type { Scope } from '../../src/lib/scopes'
import type { Cast, Person } from '../fuzz/cast'
import type { Operation } from '../fuzz/requests'
import { ALL_SCOPES, insertToken } from '../support/tokens'
import {
  type Caller,
  isAdministration,
  type MakeCaller,
  PASSWORD_IS_DUE,
  type Refusal,
  WHILE_PASSWORD_IS_DUE,
  withUser,
} from './authorisation.callers'

/** Those whose access token may not call an operation; each has a good cookie beside it, which must not help. */

/** Section 21: the area of a path; the first match wins. */
const AREAS: ReadonlyArray<readonly [path: RegExp, area: 'calendars' | 'tasks' | 'people' | 'overview']> = [
  [/^\/api\/people\/upcoming-birthdays/, 'calendars'],
  [/^\/api\/(calendars|events|event-invitations|event-templates|free-busy)\b/, 'calendars'],
  [/^\/api\/(todos|todo-lists|reminders|projects)\b/, 'tasks'],
  [/^\/api\/(people|address-books|connections)\b/, 'people'],
  [/^\/api\/(changes|dashboard|search|export|weather|notifications)\b|^\/api\/settings$/, 'overview'],
]

/** What needs the scope of each record that it is about. */
export const OF_ALL_AREAS = /^\/api\/(batch|operations|trash)\b/

/** What only looks, though it has a body. */
const READS = new Set([
  'POST /api/events/preview-recurrence',
  'POST /api/free-busy',
  'POST /api/connections/search',
])

/** Section 21: what a token needs for an operation; undefined where no token may call it. */
export function scopeOf({ title, path, method }: Operation): Scope | 'any' | undefined {
  if (path === '/mcp') return 'mcp'
  if (title === 'GET /api/auth/tokens/current' || OF_ALL_AREAS.test(path)) return 'any'
  const area = AREAS.find(([paths]) => paths.test(path))?.[1]
  if (area === undefined) return undefined
  if (method === 'GET' || READS.has(title)) return `${area}:read`
  if (area === 'overview') return path.startsWith('/api/notifications') ? 'notifications:write' : undefined
  return `${area}:write`
}

export const INVALID: Refusal = {
  status: 401,
  detail: 'Invalid or expired access token',
  challenge: 'Bearer realm="organiser", error="invalid_token"',
}
const MFA_IS_DUE: Refusal = { status: 403, detail: 'MFA setup required', code: 'mfa_setup_required' }

const insufficient = (scope?: string): Refusal => ({
  status: 403,
  detail: 'This access token may not do that',
  code: 'insufficient_scope',
  challenge: `Bearer realm="organiser", error="insufficient_scope"${scope === undefined ? '' : `, scope="${scope}"`}`,
})

/** A caller with this token, and with a session of the user's. */
const bearer = async (
  { h }: Cast,
  { id }: Person,
  authorization: string,
  expected: Caller['expected'] = () => INVALID,
): Promise<Caller> => ({ cookie: `session=${(await h.session(id)).token}`, authorization, expected })

const withScopes =
  (...scopes: readonly Scope[]): MakeCaller =>
  async (cast, person) => {
    const { token } = await insertToken(cast.h, person.id, { scopes: [...scopes] })
    return bearer(cast, person, `Bearer ${token}`, (operation) => {
      const needed = scopeOf(operation)
      if (needed === undefined) return insufficient()
      const writes = needed.replace(/:read$/, ':write')
      const isAllowed = needed === 'any' || scopes.some((scope) => scope === needed || scope === writes)
      return isAllowed ? undefined : insufficient(needed)
    })
  }

/** Every way in which a token does not let its bearer do something. */
export const BEARERS: Readonly<Record<string, MakeCaller>> = {
  'an empty Authorization beside a cookie': (cast, person) => bearer(cast, person, ''),
  'a token of garbage beside a cookie': (cast, person) => bearer(cast, person, 'Bearer garbage'),
  'a token as a password beside a cookie': async (cast, person) => {
    const { token } = await insertToken(cast.h, person.id)
    return bearer(cast, person, `Basic ${btoa(`${person.username}:${token}`)}`)
  },
  'two tokens beside a cookie': async (cast, person) => {
    const { token } = await insertToken(cast.h, person.id)
    return bearer(cast, person, `Bearer ${token}, Bearer ${token}`)
  },
  'a revoked token beside a cookie': async (cast, person) => {
    const { id, token } = await insertToken(cast.h, person.id)
    await cast.h.db.delete(accessTokens).where(eq(accessTokens.id, id))
    return bearer(cast, person, `Bearer ${token}`)
  },
  'an expired token beside a cookie': async (cast, person) => {
    const { token } = await insertToken(cast.h, person.id, { expiresAt: cast.h.clock.now() })
    return bearer(cast, person, `Bearer ${token}`)
  },
  'an app password beside a cookie': async (cast, person) => {
    const { token } = await insertToken(cast.h, person.id, { scopes: [...ALL_SCOPES, 'dav'] })
    return bearer(cast, person, `Bearer ${token}`)
  },
  'a token of a deactivated user beside a cookie of somebody else': async (cast, person) => {
    const { token } = await insertToken(cast.h, person.id)
    const caller = await bearer(cast, cast.people.admin, `Bearer ${token}`)
    return { ...caller, undo: await withUser(cast, person, { isActive: false }) }
  },
  'a token whose user must change their password': async (cast, person) => {
    const { token } = await insertToken(cast.h, person.id)
    const caller = await bearer(cast, person, `Bearer ${token}`, ({ title }) =>
      WHILE_PASSWORD_IS_DUE.has(title) ? insufficient() : PASSWORD_IS_DUE,
    )
    return { ...caller, undo: await withUser(cast, person, { mustChangePassword: true }) }
  },
  'a token whose user has to set up a second factor': async (cast, person) => {
    const { token } = await insertToken(cast.h, person.id)
    const caller = await bearer(cast, person, `Bearer ${token}`, () => MFA_IS_DUE)
    return { ...caller, undo: await withUser(cast, person, { mfaRequired: true }) }
  },
  'a token of an administrator, for administration': async (cast) => {
    const { admin } = cast.people
    const { token } = await insertToken(cast.h, admin.id)
    return bearer(cast, admin, `Bearer ${token}`, (operation) =>
      isAdministration(operation) ? insufficient() : undefined,
    )
  },
  'a token with every scope': withScopes(...ALL_SCOPES),
  'a token with the scopes that read': withScopes(...ALL_SCOPES.filter((scope) => scope.endsWith(':read'))),
  ...Object.fromEntries(ALL_SCOPES.map((scope) => [`a token with ${scope} alone`, withScopes(scope)])),
}
