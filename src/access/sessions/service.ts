import { inBatches, type IsStopping } from '../../db/batches'
import type { Db, Tx } from '../../db/client'
import type { AuthMethod, Role } from '../../db/schema'
import { inTransaction } from '../../db/transaction'
import type { Deps } from '../../deps'
import { AppError, forbidden, unauthenticated } from '../../lib/errors'
import { isId } from '../../lib/wire/id'
import type { SessionClaims } from '../../lib/ports'
import { isStorable } from '../../lib/text'
import { epochSeconds } from '../../lib/time/time'
import { record } from '../audit/service'
import { noteAgain, noteUserAgent } from '../user-agents/service'
import * as q from './queries'
import { expiryFrom, isRecent, seenBefore, slidesBefore } from './rules'

export type { UserRow } from './queries'

/** A session, and whose it is. */
export interface SessionKey {
  readonly id: string
  readonly userId: number
}

/** What the session check finds beside the session where it is asked to: the user's own data. */
export interface Owner {
  readonly settings: q.SettingsRow | null
  readonly profile: Pick<q.UserRow, 'email' | 'dateOfBirth' | 'networkName'>
}

/** Who makes a request, as the session check found them (contract: sessions.checks). */
export interface CurrentSession extends SessionKey {
  readonly username: string
  readonly role: Role
  readonly expiresAt: Date
  readonly lastSeenAt: Date
  readonly isLocked: boolean
  readonly authenticatedAt: Date
  readonly mustChangePassword: boolean
  /** What the user has set, where the operation asked for it. */
  readonly owner?: Owner
}

/** Who is calling, cut to what a session row can hold (contract: sessions.row). */
export interface Caller {
  /** The client's address; `unknown` where there is no connection. */
  readonly ip: string
  readonly userAgent: string | null
}

interface NewSession extends Caller {
  readonly userId: number
  readonly authMethod: AuthMethod
}

export interface OpenedSession {
  /** For its cookie. */
  readonly token: string
  /** Whether a user who has signed in before was not seen with this user agent in 90 days. */
  readonly isNewUserAgent: boolean
}

/** Opens a session, while the user's row is locked or has just been made. */
export async function openSession(
  tx: Tx,
  { clock, config, random, tokens }: Pick<Deps, 'clock' | 'config' | 'random' | 'tokens'>,
  { userId, authMethod, ip, userAgent }: NewSession,
): Promise<OpenedSession> {
  const now = clock.now()
  const expiresAt = expiryFrom(now, config.session.maxAgeDays)
  const id = randomUuidHex(random.bytes(16))
  await q.insert(tx, {
    id,
    userId,
    authMethod,
    ipAddress: ip,
    userAgent,
    createdAt: now,
    lastSeenAt: now,
    authenticatedAt: now,
    expiresAt,
  })
  const isNewUserAgent = await noteUserAgent(tx, { userId, userAgent, now })
  return { token: tokens.sign(toClaims(userId, id, now, expiresAt)), isNewUserAgent }
}

const toClaims = (uid: number, sid: string, now: Date, expiresAt: Date): SessionClaims => ({
  uid,
  sid,
  iat: epochSeconds(now),
  exp: epochSeconds(expiresAt),
})

/** A version 4 UUID (RFC 9562, section 5.4) in hex form. */
function randomUuidHex(bytes: Uint8Array): string {
  return bytes
    .with(6, ((bytes[6] ?? 0) & 0x0f) | 0x40)
    .with(8, ((bytes[8] ?? 0) & 0x3f) | 0x80)
    .toHex()
}

type Check = Pick<Deps, 'db' | 'clock' | 'tokens'>
/** The value of the session cookie; `null` when it is not one value. */
type Token = string | null | undefined

/**
 * The first three checks of a session (contract: sessions.checks), which ask nobody: whose session the token names.
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

const isAlive = (exp: unknown, now: Date) => typeof exp === 'number' && epochSeconds(now) < exp

type Row = Awaited<ReturnType<ReturnType<typeof q.findLive>['execute']>>[number]

/** 401: the session lived once, or never, and will not live again. */
export class SessionEndedError extends AppError {
  override name = 'SessionEndedError'

  constructor() {
    super('unauthenticated', 'Session has been revoked or expired')
  }
}

/** The last two checks. A session without its user cannot exist: the one is deleted with the other. */
function toCurrent(row: Row | undefined): CurrentSession {
  if (!row) throw new SessionEndedError()
  if (!row.isActive) throw unauthenticated('User not found or inactive')
  const { id, userId, username, role, expiresAt, lastSeenAt, isLocked, authenticatedAt, mustChangePassword } =
    row
  return { id, userId, username, role, expiresAt, lastSeenAt, isLocked, authenticatedAt, mustChangePassword }
}

/**
 * The last two of the five checks of a protected request (contract: sessions.checks), in one query; with the user's settings where
 * they are wanted, so that a request looks them up once.
 * @throws {AppError} 401.
 */
export async function authenticate(
  deps: Pick<Deps, 'db' | 'clock'>,
  { id, userId }: SessionKey,
  { withOwner = false }: { readonly withOwner?: boolean | undefined } = {},
): Promise<CurrentSession> {
  const key = { id, userId, now: deps.clock.now().toISOString() }
  if (!withOwner) {
    const [row] = await q.findLive(deps.db).execute(key)
    return toCurrent(row)
  }
  const [row] = await q.findLiveWithOwner(deps.db).execute(key)
  const session = toCurrent(row)
  return row ? { ...session, owner: { settings: row.settings, profile: row.profile } } : session
}

/** The same for whoever goes on without a session, or refuses later. */
export async function findSession(deps: Check, token: Token): Promise<CurrentSession | AppError> {
  try {
    return await authenticate(deps, readToken(deps, token))
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/**
 * Slides the session where that is due and answers the token for its new cookie. A locked session does not slide, and of
 * racing requests one writes. Where nothing is due, as almost always, there is nothing to wait for.
 */
export function renewSession(
  deps: Check & Pick<Deps, 'config'>,
  session: CurrentSession,
): Promise<string | undefined> | undefined {
  const { isLocked, expiresAt, lastSeenAt } = session
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

const isUnauthenticated = (error: unknown) => error instanceof AppError && error.kind === 'unauthenticated'

/** The live session that the token names, with what the status shows beside it; undefined where there is none. */
export async function findStatus(deps: Check, token: Token) {
  try {
    const claims = readToken(deps, token)
    const [row] = await q
      .findLiveWithStatus(deps.db)
      .execute({ ...claims, now: deps.clock.now().toISOString() })
    return row && { row, session: toCurrent(row) }
  } catch (error) {
    if (isUnauthenticated(error)) return undefined
    throw error
  }
}

/** What the status shows to a caller without a session. */
export async function findAnonymousStatus({ db }: { readonly db: Db | Tx }) {
  const [row] = await q.findAnonymousStatus(db).execute()
  return row ?? { hasUsers: false, registrationOpen: false }
}

/** Whether there is an account. */
export async function isSetUp({ db }: { readonly db: Db | Tx }): Promise<boolean> {
  return (await findAnonymousStatus({ db })).hasUsers
}

/** Revokes a session that has not ended yet. */
export const endSession = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, userId }: SessionKey,
  ip: string,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await q.keepUser(tx, userId)
    const isRevoked = await q.revoke(tx, id, userId)
    if (isRevoked) await record(tx, { action: 'auth.logout', actorId: userId, ip, at: clock.now() })
  })

/** Whether the session has proved itself within 15 minutes (contract: sessions.recent). */
export const hasRecentProof = ({ authenticatedAt }: CurrentSession, now: Date): boolean =>
  isRecent(authenticatedAt, now)

/** 403 for a session that has not. */
export const notRecent = () => forbidden('Recent authentication required', 'reauthentication_required')

/** Ends every session of the user but `exceptId`; answers how many lived. */
export const revokeSessions = (tx: Tx, userId: number, now: Date, exceptId?: string): Promise<number> =>
  q.revokeAll(tx, userId, now, exceptId)

/** 401 for a session that was ended while its request was under way: it is worth nothing any more. */
export const refusalOfEnded = async (
  tx: Tx,
  { id, userId }: SessionKey,
  now: Date,
): Promise<AppError | undefined> =>
  (await q.isAlive(tx, { id, userId, now })) ? undefined : new SessionEndedError()

/** The same where nothing was written that is to stay. @throws {AppError} 401. */
export async function refuseEnded(tx: Tx, session: SessionKey, now: Date): Promise<void> {
  const refusal = await refusalOfEnded(tx, session, now)
  if (refusal) throw refusal
}

/** Keeps the user's row from being deleted until the transaction ends. */
export const keepUser = (tx: Tx, userId: number): Promise<void> => q.keepUser(tx, userId)

/** Locks the user's row, before anything of theirs. Undefined where they are gone. */
export const lockUser = (tx: Tx, userId: number): Promise<q.UserRow | undefined> => q.lockUser(tx, userId)

/**
 * Locks the rows of the session's user and of others, before anything of theirs; answers them in the order of their ids.
 * @throws {AppError} 401 for a session that was ended while its request was under way.
 */
export async function lockUsersOf(
  tx: Tx,
  { id, userId }: SessionKey,
  others: readonly number[],
  now: Date,
): Promise<q.UserRow[]> {
  const locked = await q.lockUsersOf(tx, { id, userId, now }, [userId, ...others])
  if (locked.length === 0) throw new SessionEndedError()
  return locked
}

/** The same of the session's user alone. @throws {AppError} 401. */
export async function lockUserOf(tx: Tx, session: SessionKey, now: Date): Promise<q.UserRow> {
  const [user] = await lockUsersOf(tx, session, [], now)
  if (!user) throw new SessionEndedError()
  return user
}

/** The session has proved itself: it is recent again, and no longer locked. */
export async function proveSession(
  tx: Tx,
  { id, userId }: SessionKey,
  { ip, now }: { ip: string; now: Date },
): Promise<void> {
  await q.markAuthenticated(tx, id, now)
  if (await q.unlock(tx, id))
    await record(tx, { action: 'auth.session_unlocked', actorId: userId, ip, at: now })
}

/**
 * Ends every other session of the user and gives this one a new id, so that no cookie from before is worth anything.
 * Answers the token for its new cookie and how many others ended.
 */
export async function renewCredentials(
  tx: Tx,
  { clock, config, random, tokens }: Pick<Deps, 'clock' | 'config' | 'random' | 'tokens'>,
  { id, userId }: SessionKey,
): Promise<{ token: string; revoked: number }> {
  const now = clock.now()
  const revoked = await q.revokeAll(tx, userId, now, id)
  const renewed = {
    id: randomUuidHex(random.bytes(16)),
    expiresAt: expiryFrom(now, config.session.maxAgeDays),
  }
  await q.rotate(tx, id, renewed)
  return { revoked, token: tokens.sign(toClaims(userId, renewed.id, now, renewed.expiresAt)) }
}

/** Deletes sessions that have expired; answers how many. Revoked ones are told of until then: recent sign-ins are. */
export const purgeSessions = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> => inBatches(db, (tx, limit) => q.purge(tx, clock.now(), limit), isStopping)
