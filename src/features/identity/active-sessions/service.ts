import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { badRequest, notFound } from '../../../lib/errors'
import { formatInstant } from '../../../lib/time/time'
import { record } from '../../../access/audit/service'
import { endFeedsOf } from '../../calendars/feeds/service'
import { endTokensOf } from '../tokens/service'
import { lockUserOf, revokeSessions, type SessionKey } from '../../../access/sessions/service'
import type { EndedView, EndOthersBody, SessionView } from './model'
import * as q from './queries'

/** Lists the user's live sessions, the most recently seen first; `currentId` is the caller's session. */
export async function listSessions(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  userId: number,
  currentId: string,
): Promise<SessionView[]> {
  const at = (instant: Date) => formatInstant(config.timeZone, instant)
  const rows = await q.list(db, userId, clock.now())
  return rows.map((row) => ({
    id: row.publicId,
    created_at: at(row.createdAt),
    last_seen_at: at(row.lastSeenAt),
    expires_at: at(row.expiresAt),
    ip_address: row.ipAddress,
    user_agent: row.userAgent,
    auth_method: row.authMethod,
    is_current: row.id === currentId,
    is_locked: row.isLocked,
  }))
}

/** A UUID in PostgreSQL's notation. */
const PUBLIC_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Ends another session of the caller.
 * @throws {AppError} 404 when the caller has no such live session, 400 for the current one.
 */
export async function revokeSession(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  current: SessionKey,
  publicId: string,
  ip: string,
): Promise<void> {
  const { id, userId } = current
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    await lockUserOf(tx, current, now)
    const named = PUBLIC_ID.test(publicId) ? await q.findId(tx, userId, publicId, now) : undefined
    if (named === undefined) throw notFound('Session')
    if (named === id) throw badRequest('Use logout to end the current session')
    await q.revoke(tx, named)
    await recordRevocation(tx, { userId, ip, now, revoked: 1 })
  })
}

/** Ends all other sessions of the caller, and with `everything` also the feeds of their calendars and their access tokens. */
export function endOthers(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  current: SessionKey,
  { everything = false }: EndOthersBody,
  ip: string,
): Promise<EndedView> {
  const { id, userId } = current
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    await lockUserOf(tx, current, now)
    const revoked = await revokeSessions(tx, userId, now, id)
    await recordRevocation(tx, { userId, ip, now, revoked })
    if (!everything) return { message: 'Other sessions ended', revoked }
    const act = { actorId: userId, ip, at: now }
    const feedsEnded = await endFeedsOf(tx, userId, act)
    const tokensRevoked = await endTokensOf(tx, userId, act)
    const message = 'Other sessions, all feeds and all access tokens ended'
    return { message, revoked, feeds_ended: feedsEnded, tokens_revoked: tokensRevoked }
  })
}

interface Revocation {
  readonly userId: number
  readonly ip: string
  readonly now: Date
  readonly revoked: number
}

const recordRevocation = (tx: Tx, { userId, ip, now, revoked }: Revocation): Promise<void> =>
  record(tx, { action: 'auth.sessions_revoked', actorId: userId, ip, at: now, detail: { revoked } })
