import { inBatches, type IsStopping } from '../../db/batches'
import type { Db, Tx } from '../../db/client'
import type { JournalStanding } from '../../db/journal-standing'
import type { AuthMethod, Role } from '../../db/schema'
import { inTransaction } from '../../db/transaction'
import type { Deps } from '../../deps'
import { invalidToken } from '../../lib/access-tokens'
import { AppError, forbidden } from '../../lib/errors'
import type { Scope } from '../../lib/scopes'
import { uuidV4Hex } from '../../lib/uuid'
import { record } from '../audit/service'
import type { Operation } from '../operations/rules'
import { awaitKey, noteBegun } from '../operations/service'
import { noteUserAgent } from '../user-agents/service'
import * as q from './queries'
import { expiryFrom, isRecent, isTokenKey, toClaims } from './rules'

export type { UserRow } from './queries'

/** A session's id and its user; or those of an access token, which acts in the place of a session. */
export interface SessionKey {
  /** Of a token its `toTokenKey`. */
  readonly id: string
  readonly userId: number
  /** What the request does; undefined when it only reads. */
  readonly operation?: Operation | undefined
}

/** The user's settings and profile, which the session check loads on request. */
export interface Owner {
  readonly settings: q.SettingsRow | null
  readonly profile: Pick<q.UserRow, 'email' | 'dateOfBirth' | 'networkName'>
}

/** What only a session has, and no access token. */
interface SessionState {
  readonly expiresAt: Date
  readonly lastSeenAt: Date
  readonly isLocked: boolean
  readonly authenticatedAt: Date
}

/** What an access token allows. */
export interface TokenGrant {
  readonly id: number
  readonly scopes: readonly Scope[]
}

/** The caller's session as the session check loaded it (contract: sessions.checks), or their access token. */
export interface CurrentSession extends SessionKey {
  readonly username: string
  readonly role: Role
  readonly mustChangePassword: boolean
  /** Undefined for an access token. */
  readonly state?: SessionState
  /** Undefined for a session. */
  readonly token?: TokenGrant
  /** Only when the route asks for it. */
  readonly owner?: Owner
  /** Where the journal stood when the session was checked; only when the route asks for it, and never with an access token. */
  readonly standing?: JournalStanding
}

/** The client of a request, with texts cut to the length of the session's columns (contract: sessions.row). */
export interface Caller {
  /** The client's address, or `unknown` when there is no connection. */
  readonly ip: string
  readonly userAgent: string | null
}

/** The session at the identity provider that a sign-in came from. */
export interface ProviderSession {
  readonly issuer: string
  readonly subject: string
  /** Null where the provider names none. */
  readonly sid: string | null
}

/** The columns of a session, or of a token for its second factor, that say from where it came. */
export const columnsOf = (provider: ProviderSession | undefined) => ({
  oidcIssuer: provider?.issuer ?? null,
  oidcSubject: provider?.subject ?? null,
  oidcSid: provider?.sid ?? null,
})

interface NewSession extends Caller {
  readonly userId: number
  readonly authMethod: AuthMethod
  /** Undefined for other ways to sign in. */
  readonly provider?: ProviderSession | undefined
}

export interface OpenedSession {
  /** The value of the session cookie. */
  readonly token: string
  /** True when the user has signed in before, but not with this user agent within 90 days. */
  readonly isNewUserAgent: boolean
}

/** Opens a session. The user's row must be locked or new in this transaction. */
export async function openSession(
  tx: Tx,
  { clock, config, random, tokens }: Pick<Deps, 'clock' | 'config' | 'random' | 'tokens'>,
  { userId, authMethod, ip, userAgent, provider }: NewSession,
): Promise<OpenedSession> {
  const now = clock.now()
  const expiresAt = expiryFrom(now, config.session.maxAgeDays)
  const id = uuidV4Hex(random.bytes(16))
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
    ...columnsOf(provider),
  })
  const isNewUserAgent = await noteUserAgent(tx, { userId, userAgent, now })
  return { token: tokens.sign(toClaims(userId, id, now, expiresAt)), isNewUserAgent }
}

/** The 401 for a session that has ended or never existed; it can never become valid again. */
export class SessionEndedError extends AppError {
  override name = 'SessionEndedError'

  constructor() {
    super('unauthenticated', 'Session has been revoked or expired')
  }
}

/** Revokes the session, and records a sign-out if it was not revoked already. */
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

/** Returns whether the session has proved itself within 15 minutes (contract: sessions.recent). A token never has. */
export const hasRecentProof = ({ state }: CurrentSession, now: Date): boolean =>
  state !== undefined && isRecent(state.authenticatedAt, now)

/** The 403 for a session that is not recent. */
export const notRecent = () => forbidden('Recent authentication required', 'reauthentication_required')

/** Ends all sessions of the user except `exceptId`. Returns how many of them had not expired. */
export const revokeSessions = (tx: Tx, userId: number, now: Date, exceptId?: string): Promise<number> =>
  q.revokeAll(tx, userId, now, exceptId)

const endedError = ({ id }: SessionKey): AppError =>
  isTokenKey(id) ? invalidToken() : new SessionEndedError()

/**
 * Returns a 401 if the session or token has ended during its request, for callers whose transaction must still commit.
 */
export const refusalOfEnded = async (
  db: Db | Tx,
  { id, userId }: SessionKey,
  now: Date,
): Promise<AppError | undefined> =>
  (await q.isAlive(db, { id, userId, now })) ? undefined : endedError({ id, userId })

/** Like `refusalOfEnded`, but rolls the transaction back. @throws {AppError} 401. */
export async function refuseEnded(db: Db | Tx, session: SessionKey, now: Date): Promise<void> {
  const refusal = await refusalOfEnded(db, session, now)
  if (refusal) throw refusal
}

/**
 * Begins the request's operation in this transaction, which has locked the user (contract: retries.operations).
 * @throws {AppError} 401 when the session or token has ended during its request, 409 when a request with the same key is under way.
 */
export async function beginOperation(tx: Tx, session: SessionKey, now: Date): Promise<void> {
  const { id, userId, operation } = session
  if (operation) await awaitKey(tx, userId, operation)
  if (!(await q.beginOperation(tx, { id, userId, operation, now }))) throw endedError(session)
  if (operation) noteBegun(tx, operation)
}

/** Keeps the user's row from being deleted until the transaction ends. Returns their id, or null when they no longer exist. */
export const keepUser = (tx: Tx, userId: number): Promise<number | null> => q.keepUser(tx, userId)

/** Locks the user's row; call it before locking anything that they own. Undefined when the user no longer exists. */
export const lockUser = (tx: Tx, userId: number): Promise<q.UserRow | undefined> => q.lockUser(tx, userId)

/**
 * Locks the session's user and the others, and begins the request's operation; call it before locking anything that they own.
 * Returns the rows by ascending id.
 * @throws {AppError} 401 when the session or token has ended during its request, 409 when a request with the same key is under way.
 */
export async function lockUsersOf(
  tx: Tx,
  { id, userId, operation }: SessionKey,
  others: readonly number[],
  now: Date,
): Promise<q.UserRow[]> {
  if (operation) await awaitKey(tx, userId, operation)
  const locked = await q.lockUsersOf(tx, { id, userId, operation, now }, [userId, ...others])
  if (locked.length === 0) throw endedError({ id, userId })
  if (operation) noteBegun(tx, operation)
  return locked
}

/** Like `lockUsersOf`, for the session's user alone. @throws {AppError} 401. */
export async function lockUserOf(tx: Tx, session: SessionKey, now: Date): Promise<q.UserRow> {
  const [user] = await lockUsersOf(tx, session, [], now)
  if (!user) throw endedError(session)
  return user
}

/** Makes the session recent and unlocks it, because the user has proved their identity. */
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
 * Ends all other sessions of the user and gives this one a new id, so that no earlier cookie is valid. Returns the
 * token for the new cookie and how many other sessions had not expired.
 */
export async function renewCredentials(
  tx: Tx,
  { clock, config, random, tokens }: Pick<Deps, 'clock' | 'config' | 'random' | 'tokens'>,
  { id, userId }: SessionKey,
): Promise<{ token: string; revoked: number }> {
  const now = clock.now()
  const revoked = await q.revokeAll(tx, userId, now, id)
  const renewed = {
    id: uuidV4Hex(random.bytes(16)),
    expiresAt: expiryFrom(now, config.session.maxAgeDays),
  }
  await q.rotate(tx, id, renewed)
  return { revoked, token: tokens.sign(toClaims(userId, renewed.id, now, renewed.expiresAt)) }
}

/**
 * Deletes expired sessions. Returns how many. Revoked sessions stay until they expire, because the administrators'
 * dashboard lists recent sign-ins.
 */
export const purgeSessions = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> => inBatches(db, (tx, limit) => q.purge(tx, clock.now(), limit), isStopping)
