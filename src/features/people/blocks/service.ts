import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { notFound, OvertakenError } from '../../../lib/errors'
import { isTextKey, readPage, type PageById, toPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import { record } from '../../../access/audit/service'
import { forgetRequestsBetween } from '../requests/service'
import { lockPair } from '../../../access/connections/service'
import { separate } from '../disconnection/service'
import { lockUserOf, beginOperation, type SessionKey } from '../../../access/sessions/service'
import type { BlocksPage, BlocksQuery, BlockView } from './model'
import * as q from './queries'

/** Returns a page of the caller's blocks, by the names that the blocked users had then. @throws {AppError} 422. */
export async function listBlocks(
  { db, config }: ReadDeps,
  userId: number,
  query: BlocksQuery,
): Promise<BlocksPage> {
  const { limit, after } = readPage(query, isTextKey)
  const rows = await q.list(db, userId, after, limit + 1)
  const { page, next_cursor } = toPage(rows, limit, ({ networkName, id }) => [networkName, id])
  return { blocks: page.map((row) => toView(config.timeZone, row)), next_cursor }
}

/** Returns a page of all the user's blocks, by id. */
export const pageBlocksById = async (
  { db, config }: ReadDeps,
  userId: number,
  byId: PageById,
): Promise<BlockView[]> => (await q.pageById(db, userId, byId)).map((row) => toView(config.timeZone, row))

/** The user who blocks or unblocks, and the address of the request. */
interface Blocker {
  readonly session: SessionKey
  readonly ip: string
}

/**
 * Blocks a user: from now on each of the two is invisible to the other, and everything between them ends as when an account is
 * deleted. Blocking twice has no further effect.
 * @throws {AppError} 401, 404 for a name that nobody has, for the caller's own, for a user who has blocked the caller, and for a
 * hidden user whom the caller does not know under this name.
 */
export const block = (
  { db, config, clock }: WriteDeps,
  { session, ip }: Blocker,
  asked: string,
): Promise<BlockView> =>
  inTransaction(db, async (tx) => {
    const { userId } = session
    const now = clock.now()
    const networkName = asked.toLowerCase()
    const blockedUserId = await findUser(tx, userId, networkName)
    if (blockedUserId === undefined) {
      const known = await q.findByName(tx, userId, networkName)
      if (!known) throw notFound('User')
      // So that the request does nothing either when it comes again after the user was unblocked.
      await beginOperation(tx, session, now)
      return toView(config.timeZone, known)
    }
    const pair = [userId, blockedUserId] as const
    await lockPair(tx, ...pair)
    await beginOperation(tx, session, now)
    if ((await findUser(tx, userId, networkName)) !== blockedUserId) throw new OvertakenError()
    const row = await q.insert(tx, { userId, blockedUserId, networkName, createdAt: now })
    await separate(tx, pair, now)
    await forgetRequestsBetween(tx, pair)
    const detail = { block_id: row.id, user_id: blockedUserId }
    await record(tx, { action: 'connection.blocked', actorId: userId, ip, at: now, detail })
    return toView(config.timeZone, row)
  })

/**
 * Finds the user whom the caller means by a name: first somebody they know who has it, then somebody who had it in a request that
 * they still see, then anybody who has it and can be found. So a stranger who has taken over the name of a former contact is not
 * blocked instead.
 */
const findUser = async (tx: Tx, userId: number, networkName: string): Promise<number | undefined> =>
  (await q.findKnown(tx, userId, networkName)) ??
  (await q.findRemembered(tx, userId, networkName)) ??
  q.findVisible(tx, userId, networkName)

/** Lets the two find each other and send requests again. Nothing that the block ended comes back. @throws {AppError} 401, 404. */
export const unblock = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { session, ip }: Blocker,
  id: number,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    await lockUserOf(tx, session, now)
    const removed = await q.remove(tx, session.userId, id)
    if (!removed) throw notFound('Block')
    const detail = { block_id: id, user_id: removed.blockedUserId }
    await record(tx, { action: 'connection.unblocked', actorId: session.userId, ip, at: now, detail })
  })

const toView = (zone: string, { id, networkName, createdAt }: q.BlockRow): BlockView => ({
  id,
  network_name: networkName,
  created_at: formatInstant(zone, createdAt),
})
