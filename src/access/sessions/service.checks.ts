import type { Db, Tx } from '../../db/client'
import type { Deps } from '../../deps'
import { AppError, unauthenticated } from '../../lib/errors'
import { isStorable } from '../../lib/text'
import { epochSeconds } from '../../lib/time/time'
import { isId } from '../../lib/wire/id'
import { noteAgain } from '../user-agents/service'
import * as q from './queries'
import { expiryFrom, seenBefore, slidesBefore, toClaims } from './rules'
import { type CurrentSession, SessionEndedError, type SessionKey } from './service'

type Check = Pick<Deps, 'db' | 'clock' | 'tokens'>
/** The value of the session cookie; `null` when the request has several. */
type Token = string | null | undefined

/**
 * Makes the first three checks of a session (contract: sessions.checks), which need no database. Returns the session
 * that the token names.
 * @throws {AppError} 401.
 */
export function readToken({ clock, tokens }: Pick<Deps, 'clock' | 'tokens'>, token: Token): SessionKey {
  if (token === undefined) throw unauthenticated('Not authenticated')
  const payload = token === null ? undefined : tokens.verify(token)
  if (!payload || !isAlive(payload['exp'], clock.now())) throw unauthenticated('Invalid or expired session')
  const { uid, sid } = payload
  if (!isId(uid) || typeof sid !== 'string' || !isStorable(sid)) {
    throw unauthenticated('Malformed session token')
  }
  return { userId: uid, id: sid }
}

/** Like `readToken`, but returns undefined for a token that names no session. */
export function tryReadToken(deps: Pick<Deps, 'clock' | 'tokens'>, token: Token): SessionKey | undefined {
  try {
    return readToken(deps, token)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

const isAlive = (exp: unknown, now: Date) => typeof exp === 'number' && epochSeconds(now) < exp

type Row = Awaited<ReturnType<ReturnType<typeof q.findLive>['execute']>>[number]

/** Makes the last two checks. A missing user needs no check of its own: deleting a user deletes their sessions. */
function toCurrent(row: Row | undefined): CurrentSession {
  if (!row) throw new SessionEndedError()
  if (!row.isActive) throw unauthenticated('User not found or inactive')
  const { id, userId, username, role, expiresAt, lastSeenAt, isLocked, authenticatedAt, mustChangePassword } =
    row
  const state = { expiresAt, lastSeenAt, isLocked, authenticatedAt }
  return { id, userId, username, role, mustChangePassword, state }
}

/** What the check of a session loads along: one of both at most. */
export interface Along {
  /** The user's settings and profile. */
  readonly withOwner?: boolean | undefined
  /** Where the journal stands for the user; an access token's check does without. */
  readonly withStanding?: boolean | undefined
}

/**
 * Makes the last two of the five checks of a protected request (contract: sessions.checks) in one query, which loads as well what
 * the route asks for.
 * @throws {AppError} 401.
 */
export async function authenticate(
  deps: Pick<Deps, 'db' | 'clock'>,
  { id, userId }: SessionKey,
  { withOwner = false, withStanding = false }: Along = {},
): Promise<CurrentSession> {
  const key = { id, userId, now: deps.clock.now().toISOString() }
  if (withStanding) {
    const [row] = await q.findLiveWithStanding(deps.db).execute(key)
    const session = toCurrent(row)
    return row ? { ...session, standing: row.standing } : session
  }
  if (!withOwner) {
    const [row] = await q.findLive(deps.db).execute(key)
    return toCurrent(row)
  }
  const [row] = await q.findLiveWithOwner(deps.db).execute(key)
  const session = toCurrent(row)
  return row ? { ...session, owner: { settings: row.settings, profile: row.profile } } : session
}

/** Like `readToken` and `authenticate`, but returns the refusal, for callers that continue without a session or refuse later. */
export async function findSession(deps: Check, token: Token): Promise<CurrentSession | AppError> {
  try {
    return await authenticate(deps, readToken(deps, token))
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/**
 * Slides the session when it is due and returns the token for its new cookie. A locked session or an access token does not slide,
 * and of several parallel requests only one writes. Returns undefined without a promise when nothing is due, which is almost always.
 */
export function renewSession(
  deps: Check & Pick<Deps, 'config'>,
  session: CurrentSession,
): Promise<string | undefined> | undefined {
  const { state } = session
  if (!state) return undefined
  const { isLocked, expiresAt, lastSeenAt } = state
  const now = deps.clock.now()
  const due = { slidesBefore: slidesBefore(now, deps.config.session.maxAgeDays), seenBefore: seenBefore(now) }
  if (isLocked || (expiresAt >= due.slidesBefore && lastSeenAt >= due.seenBefore)) return undefined
  return slide(deps, session, { now, ...due })
}

async function slide(
  { db, config, tokens }: Check & Pick<Deps, 'config'>,
  { id, userId }: CurrentSession,
  due: Omit<q.Renewal, 'expiresAt'>,
): Promise<string | undefined> {
  const { now } = due
  const renewed = expiryFrom(now, config.session.maxAgeDays)
  const written = await q.renew(db, id, { ...due, expiresAt: renewed })
  if (written?.getTime() !== renewed.getTime()) return undefined
  await noteAgain(db, id, now)
  return tokens.sign(toClaims(userId, id, now, renewed))
}

/** Returns the live session that the token names with the further fields of the session status, or undefined without one. */
export async function findStatus(deps: Check, token: Token) {
  const key = tryReadToken(deps, token)
  if (!key) return undefined
  const { id, userId } = key
  const now = deps.clock.now().toISOString()
  const [row] = await q.findLiveWithStatus(deps.db).execute({ id, userId, now })
  return row?.isActive ? { row, session: toCurrent(row) } : undefined
}

/** Returns the session status for a caller without a session. */
export async function findAnonymousStatus({ db }: { readonly db: Db | Tx }) {
  const [row] = await q.findAnonymousStatus(db).execute()
  return row ?? { hasUsers: false, registrationOpen: false }
}

/** Returns whether any account exists. */
export async function isSetUp({ db }: { readonly db: Db | Tx }): Promise<boolean> {
  return (await findAnonymousStatus({ db })).hasUsers
}
