import { inBatches, type IsStopping } from '../../../db/batches'
import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { prefixOf, SECRET_BYTES, toTokenText } from '../../../lib/access-tokens'
import { conflict, invalidField, notFound } from '../../../lib/errors'
import { isAppPassword, isScope, scopesProblem } from '../../../lib/scopes'
import { sha256Hex } from '../../../lib/text'
import { formatInstant } from '../../../lib/time/time'
import { record, recordAll } from '../../../access/audit/service'
import { tokenMade } from '../../../access/notices/rules.security'
import { notify } from '../../../access/notices/service'
import {
  type Caller,
  type CurrentSession,
  lockUserOf,
  type SessionKey,
} from '../../../access/sessions/service'
import type { NewTokenBody, NewTokenView, TokenView } from './model'
import * as q from './queries'
import { expiredBefore, expiryOf, MAX_TOKENS } from './rules'

/** Lists the user's access tokens, newest first, with those that have expired lately. */
export async function listTokens({ db, config }: ReadDeps, userId: number): Promise<TokenView[]> {
  const rows = await q.list(db, userId)
  return rows.map((row) => toView(config, row))
}

/** Returns the access token of the request. @throws {AppError} 404 for a session. */
export async function currentToken(
  { db, config }: ReadDeps,
  { userId, token }: CurrentSession,
): Promise<TokenView> {
  const row = token && (await q.find(db, userId, token.id))
  if (!row) throw notFound('Access token')
  return toView(config, row)
}

/**
 * Creates an access token and notifies its user; only this answer shows its text (contract: tokens.form).
 * @throws {AppError} 401, 409 for more than a hundred, 422 for scopes that are useless alone.
 */
export async function createToken(
  deps: WriteDeps & Pick<Deps, 'random'>,
  session: SessionKey,
  { name, scopes: given, expires_in_days: days }: NewTokenBody,
  caller: Caller,
): Promise<NewTokenView> {
  const scopes = [...new Set(given)]
  const problem = scopesProblem(scopes)
  if (problem !== undefined) throw invalidField('scopes', problem)
  const text = toTokenText(deps.random.bytes(SECRET_BYTES))
  const tokenHash = await sha256Hex(text)
  const { userId } = session
  const row = await inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    await lockUserOf(tx, session, now)
    if ((await q.countLive(tx, userId, now)) >= MAX_TOKENS) throw conflict('You have too many access tokens')
    const token = { userId, name, scopes, tokenHash, prefix: prefixOf(text) }
    const made = await q.insert(tx, { ...token, createdAt: now, expiresAt: expiryOf(now, days) })
    const detail = detailOf(made)
    await record(tx, { action: 'auth.token_created', actorId: userId, ip: caller.ip, at: now, detail })
    await notify(tx, { userId, at: now, ...tokenMade(made, caller) })
    return made
  })
  return {
    ...toView(deps.config, row),
    token: text,
    ...(isAppPassword(scopes) && { dav_url: `${deps.config.http.publicUrl}/dav/` }),
  }
}

/** Revokes an access token of the user's own (contract: tokens.life). @throws {AppError} 401, 404. */
export function revokeToken(
  { db, clock }: WriteDeps,
  session: SessionKey,
  id: number,
  ip: string,
): Promise<void> {
  const { userId } = session
  return inTransaction(db, async (tx) => {
    const now = clock.now()
    await lockUserOf(tx, session, now)
    const revoked = await q.remove(tx, userId, id)
    if (!revoked) throw notFound('Access token')
    const detail = detailOf(revoked)
    await record(tx, { action: 'auth.token_revoked', actorId: userId, ip, at: now, detail })
  })
}

/** Revokes all access tokens of the user, whose row is locked. Returns how many had not expired. */
export async function revokeTokensOf(tx: Tx, userId: number, now: Date): Promise<number> {
  const revoked = await q.removeAll(tx, userId)
  return revoked.filter((row) => isLive(row, now)).length
}

/** The actor for the audit log; `actorId` is null for the operator of the service. */
interface TokensAct {
  readonly actorId: number | null
  readonly ip: string
  readonly at: Date
}

/** Like `revokeTokensOf`, with an audit entry for each that had not expired. */
export async function endTokensOf(tx: Tx, userId: number, act: TokensAct): Promise<number> {
  const live = (await q.removeAll(tx, userId)).filter((row) => isLive(row, act.at))
  const entries = live.map((row) => ({ action: 'auth.token_revoked', detail: detailOf(row), ...act }))
  if (entries.length > 0) await recordAll(tx, entries)
  return entries.length
}

/** Deletes access tokens that expired 30 days ago. Returns how many. */
export const purgeTokens = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> => inBatches(db, (tx, limit) => q.purge(tx, expiredBefore(clock.now()), limit), isStopping)

const isLive = ({ expiresAt }: q.TokenRow, now: Date) => expiresAt === null || expiresAt > now

/** What the audit log says of a token, never its text. */
const detailOf = ({ id, name, scopes }: q.TokenRow) => ({ token_id: id, name, scopes })

function toView({ timeZone }: Deps['config'], row: q.TokenRow): TokenView {
  const at = (instant: Date | null) => instant && formatInstant(timeZone, instant)
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.filter(isScope),
    prefix: row.prefix,
    created_at: formatInstant(timeZone, row.createdAt),
    expires_at: at(row.expiresAt),
    last_used_at: at(row.lastUsedAt),
    last_used_ip: row.lastUsedIp,
  }
}
