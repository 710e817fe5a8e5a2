import { sql } from 'drizzle-orm'
import { databaseFailure, failureDetail } from '../lib/database-failure'
import { type AppError, conflict } from '../lib/errors'
import type { Db } from './client'
import { COUNTED_KINDS, type CountedKind, tallies } from './schema'

const CHECK_VIOLATION = '23514'

const pluralOf = (kind: CountedKind) => (kind === 'all_tasks' ? 'tasks' : kind.replaceAll('_', ' '))
const tooMany = (kind: CountedKind) => conflict(`You have too many ${pluralOf(kind)}`)

/** To who writes into a calendar of somebody else, whose records are not the writer's to know of. */
const calendarIsFull = () => conflict('This calendar is full')

/** The user whose records would be too many, and of which kind. */
export function passedQuota(error: unknown) {
  const failure = databaseFailure(error)
  if (failure?.code !== CHECK_VIOLATION) return undefined
  const kind = COUNTED_KINDS.find((counted) => failure.constraint === `${counted}_quota`)
  return kind && { kind, userId: Number(failureDetail(error)) }
}

/**
 * 409 where a write would leave a user with more records of a kind than they may have (contract: bounds.quotas). `writerId` is who
 * writes, where that may be somebody else.
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
  /** Who writes, where that may be somebody else. */
  readonly writerId?: number
}

/** Judges what is not written, as a dry run is not. @throws {AppError} 409 where so many more would be too many. */
export async function refuseTooMany(
  db: Db,
  { kind, userId, more, writerId = userId }: Addition,
): Promise<void> {
  const has = sql`(select ${tallies.count} from ${tallies} where ${tallies.kind} = ${kind} and ${tallies.ownerId} = ${userId})`
  const [row] = await db.execute<{ passes: boolean }>(
    sql`select coalesce(${has}, 0) + ${more}::integer > public.quota(${kind}) as passes`,
  )
  if (more > 0 && row?.passes) throw writerId === userId ? tooMany(kind) : calendarIsFull()
}
