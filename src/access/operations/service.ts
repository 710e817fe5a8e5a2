import { inBatches, type IsStopping } from '../../db/batches'
import type { Db, Tx } from '../../db/client'
import { beforeCommit, inTransaction } from '../../db/transaction'
import type { Deps } from '../../deps'
import { isLockTimeout } from '../../lib/database-failure'
import { AppError } from '../../lib/errors'
import { addDays, addSeconds } from '../../lib/time/time'
import { uuidV7 } from '../../lib/uuid'
import * as q from './queries'
import { KEPT_DAYS, OPEN_SECONDS, type Operation } from './rules'

export type { Operation, Retry } from './rules'

/** Orders the operations of one instance that begin in the same millisecond. */
let count = 0

/** A new operation of this name. */
export function newOperation(
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  given: Pick<Operation, 'name' | 'retry' | 'keepsAnswer'>,
): Operation {
  count = (count + 1) % 2 ** 18
  const id = uuidV7(clock.now(), count, random.bytes(16))
  return { ...given, id, isOpen: false, hasBegun: false }
}

/** 409 for a request whose predecessor with the same key has not ended. */
const inProgress = () =>
  new AppError('conflict', 'A request with this Idempotency-Key is under way', {
    code: 'idempotency_in_progress',
    headers: { 'retry-after': '1' },
  })

/**
 * Waits until no other request with the operation's key is under way.
 * @throws {AppError} 409 after two seconds.
 */
export async function awaitKey(tx: Tx, userId: number, { retry }: Operation): Promise<void> {
  if (!retry) return
  try {
    await q.lockKey(tx, userId, retry.key)
  } catch (error) {
    throw isLockTimeout(error) ? inProgress() : error
  }
}

/**
 * Keeps what a repeated request needs, when the transaction of the operation commits: the id of the record, or the answer. A
 * refusal that commits what it wrote is no operation.
 */
export function noteBegun(tx: Tx, operation: Operation): void {
  operation.hasBegun = true
  const { id, retry, isOpen, keepsAnswer } = operation
  beforeCommit(tx, async (result) => {
    if (result instanceof AppError) {
      operation.hasBegun = false
      await q.remove(tx, id)
    } else if (retry && !isOpen) {
      await q.close(tx, id, { item: idOf(result), answer: keepsAnswer ? result : null })
    }
  })
}

const idOf = (result: unknown): number | null => {
  const id: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'id') : undefined
  return typeof id === 'number' ? id : null
}

/**
 * Runs an import, which writes in several transactions, as one operation: its answer is kept when it ends, and when it is broken
 * off, the same request may follow.
 */
export async function asOneOperation<T>(
  { db }: { readonly db: Db },
  operation: Operation | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (!operation?.retry) return run()
  operation.isOpen = true
  let isDone = false
  try {
    const answer = await run()
    if (operation.hasBegun) await q.close(db, operation.id, { item: null, answer })
    isDone = true
    return answer
  } finally {
    if (!isDone && operation.hasBegun) await q.freeKey(db, operation.id)
  }
}

export type { KeptOperation } from './queries'

/**
 * Returns the operation that the user has named so before; undefined when there is none, or when it is an import that was
 * broken off, which the operation then continues.
 * @throws {AppError} 409 when it is under way.
 */
export async function findKept(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: number,
  operation: Operation,
): Promise<q.KeptOperation | undefined> {
  const { retry } = operation
  if (!retry) return undefined
  const kept = await inTransaction(db, async (tx) => {
    await awaitKey(tx, userId, operation)
    return q.find(tx, userId, retry.key)
  })
  if (!kept?.isOpen || kept.fingerprint !== retry.fingerprint) return kept
  if (kept.createdAt > addSeconds(clock.now(), -OPEN_SECONDS)) throw inProgress()
  operation.id = kept.id
  operation.hasBegun = true
  return undefined
}

/** Deletes operations older than 30 days. Returns how many. */
export const purgeOperations = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> => {
  const before = uuidV7(addDays(clock.now(), -KEPT_DAYS), 0, new Uint8Array(16))
  return inBatches(db, (tx, limit) => q.purge(tx, before, limit), isStopping)
}
