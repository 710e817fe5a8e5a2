import { sql } from 'drizzle-orm'
import { databaseFailure, failureDetail } from '../lib/database-failure'
import { type AppError, conflict } from '../lib/errors'
import type { Db, Tx } from './client'
import { COUNTED_KINDS, type CountedKind, tallies } from './schema'

const CHECK_VIOLATION = '23514'

const pluralOf = (kind: CountedKind) => (kind === 'all_tasks' ? 'tasks' : kind.replaceAll('_', ' '))
const tooMany = (kind: CountedKind) => conflict(`You have too many ${pluralOf(kind)}`)

/** For a writer in somebody else's calendar, who must not learn about the owner's records. */
const calendarIsFull = () => conflict('This calendar is full')

/** Returns the user whose quota would be exceeded, and the kind of records; undefined for other errors. */
export function passedQuota(error: unknown) {
  const failure = databaseFailure(error)
  if (failure?.code !== CHECK_VIOLATION) return undefined
  const kind = COUNTED_KINDS.find((counted) => failure.constraint === `${counted}_quota`)
  return kind && { kind, userId: Number(failureDetail(error)) }
}

/**
 * Returns a 409 if a write would exceed a user's quota (contract: bounds.quotas). `writerId` is the user who writes, if that may
 * be another user.
 */
export function refusalOfQuota(error: unknown, writerId?: number): AppError | undefined {
  const passed = passedQuota(error)
  if (!passed) return undefined
  return writerId === undefined || writerId === passed.userId ? tooMany(passed.kind) : calendarIsFull()
}

interface Addition {
  readonly kind: CountedKind
  readonly userId: number
  readonly more: number
  /** The user who writes, if that may be another user. */
  readonly writerId?: number
}

/** Checks the quota without writing, for a dry run. @throws {AppError} 409 when `more` records would exceed it. */
export async function refuseTooMany(
  db: Db,
  { kind, userId, more, writerId = userId }: Addition,
): Promise<void> {
  const has = sql`(select ${tallies.count} from ${tallies} where ${tallies.kind} = ${kind} and ${tallies.ownerId} = ${userId})`
  const isOwner = writerId === userId
  const most = isOwner ? sql`public.quota(${kind})` : sql`public.quota_for_others(${kind})`
  const [row] = await db.execute<{ passes: boolean }>(
    sql`select coalesce(${has}, 0) + ${more}::integer > ${most} as passes`,
  )
  if (more > 0 && row?.passes) throw isOwner ? tooMany(kind) : calendarIsFull()
}

/** From now on, the transaction may add records of other users only as long as room for themselves is left to them. */
export const leaveRoomForOwners = async (tx: Tx, writerId: number): Promise<void> => {
  await tx.execute(sql`select set_config('organiser.writer', ${String(writerId)}, true)`)
}
