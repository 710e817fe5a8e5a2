import type { Tx } from '../../../db/client'
import { type AppError, conflict, tooMany } from '../../../lib/errors'
import { listMoments, record } from '../../../access/audit/service'
import type { UserRow } from '../../../access/sessions/service'
import * as q from './queries'
import { askedFor, MAX_REFUSALS, refusedSince, secondsToWait, type WantedIdentity } from './rules'

const REFUSED = 'settings.identity_refused'

const DETAILS = {
  email: 'That email is not available',
  network_name: 'That network name is not available',
} as const

interface Act {
  readonly ip: string
  readonly now: Date
}

/**
 * Returns why the user, whose row must be locked, may not take the e-mail or network name. A 409 means that another
 * user has it, and is recorded in the audit log. After ten such refusals within an hour it is a 429, which does not
 * reveal whether the name is taken.
 */
export async function refusalOfIdentity(
  tx: Tx,
  user: UserRow,
  wish: WantedIdentity,
  { ip, now }: Act,
): Promise<AppError | undefined> {
  const asked = askedFor(user, wish)
  if (asked.email === null && asked.networkName === null) return undefined
  const window = { action: REFUSED, actorId: user.id, since: refusedSince(now) }
  const wait = secondsToWait(await listMoments(tx, window, MAX_REFUSALS), now)
  if (wait !== undefined) return tooMany('Too many requests', wait)
  const field = await findTaken(tx, user.id, asked)
  if (field === undefined) return undefined
  await record(tx, { action: REFUSED, actorId: user.id, ip, at: now, detail: { field } })
  return conflict(DETAILS[field])
}

async function findTaken(
  tx: Tx,
  userId: number,
  { email, networkName }: ReturnType<typeof askedFor>,
): Promise<keyof typeof DETAILS | undefined> {
  if (email !== null && (await q.isEmailTaken(tx, userId, email))) return 'email'
  if (networkName !== null && (await q.isNetworkNameTaken(tx, userId, networkName))) return 'network_name'
  return undefined
}
