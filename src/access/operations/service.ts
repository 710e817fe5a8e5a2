import { inBatches, type IsStopping } from '../../db/batches'
import type { Db, Tx } from '../../db/client'
import { beforeCommit } from '../../db/transaction'
import type { Deps } from '../../deps'
import { isLockTimeout } from '../../lib/database-failure'
import { AppError } from '../../lib/errors'
import { addDays } from '../../lib/time/time'
import { uuidV7 } from '../../lib/uuid'
import { idIn } from '../../lib/wire/id'
import * as q from './queries'
import { brokenOffBefore, KEPT_DAYS, type Operation, type Retry } from './rules'

export type { Operation } from './rules'

/** Orders the operations of one instance that begin in the same millisecond. */
let count = 0

type Signer = Pick<Deps, 'tokens'>

/** What fingerprints are signed for. */
const PURPOSE = 'retries'

/** A new operation. */
export function newOperation(
  { clock, random, tokens }: Pick<Deps, 'clock' | 'random'> & Signer,
  {
    name,
    retry,
    keepsAnswer,
  }: Pick<Operation, 'name' | 'keepsAnswer'> & { readonly retry: Named | undefined },
): Operation {
  count = (count + 1) % 2 ** 18
  const id = uuidV7(clock.now(), count, random.bytes(16))
  const marked = retry && { ...retry, mark: markOf({ tokens }, retry.fingerprint) }
  return { id, name, retry: marked, keepsAnswer, isOpen: false, hasBegun: false }
}

type Named = Omit<Retry, 'mark'>

/** The signature alone. */
const markOf = ({ tokens }: Signer, fingerprint: string) =>
  tokens.signText(PURPOSE, fingerprint).slice(fingerprint.length + 1)

/** Whether the request that the operation was noted for was the same. */
const isSame = ({ tokens }: Signer, { fingerprint }: Named, kept: q.KeptOperation): boolean =>
  tokens.readText(PURPOSE, `${fingerprint}.${kept.fingerprint}`) === fingerprint

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
      await q.close(tx, id, { item: idIn(result), answer: keepsAnswer ? result : null })
    }
  })
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
  if (!operation) return run()
  operation.isOpen = true
  try {
    const answer = await run()
    if (operation.hasBegun) await q.close(db, operation.id, { item: null, answer })
    return answer
  } catch (error) {
    if (operation.hasBegun) await q.freeKey(db, operation.id).catch(() => undefined)
    throw error
  }
}

export type { KeptOperation } from './queries'

/** How often, and how many times, to look whether an import has ended: for two seconds. */
const LOOK_MS = 200
const LOOKS = 10

/**
 * Returns the operation that the user has named so before, or `other` when that was another request. Undefined when there is none,
 * or when it is an import that was broken off, which the operation then continues.
 * @throws {AppError} 409 when it is an import that is still under way after two seconds.
 */
export async function findKept(
  deps: Pick<Deps, 'db' | 'clock'> & Signer,
  userId: number,
  operation: Operation,
): Promise<q.KeptOperation | 'other' | undefined> {
  const { retry } = operation
  if (!retry) return undefined
  for (let look = 1; ; look++) {
    const kept = await q.find(deps.db, userId, retry.key)
    if (!kept) return undefined
    if (!isSame(deps, retry, kept)) return 'other'
    if (!kept.isOpen) return kept
    const now = deps.clock.now()
    if (await q.takeOver(deps.db, kept.id, { now, before: brokenOffBefore(now) })) {
      operation.id = kept.id
      operation.hasBegun = true
      return undefined
    }
    if (look === LOOKS) throw inProgress()
    await deps.clock.sleep(LOOK_MS)
  }
}

/** Returns the id in the first answer of the user's operation with this key; undefined when there is none. */
export const itemOf = async (
  { db }: { readonly db: Db },
  userId: number,
  key: string,
): Promise<number | undefined> => (await q.find(db, userId, key))?.item ?? undefined

/** Deletes operations older than 30 days. Returns how many. */
export const purgeOperations = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> => {
  const before = uuidV7(addDays(clock.now(), -KEPT_DAYS), 0, new Uint8Array(16))
  return inBatches(db, (tx, limit) => q.purge(tx, before, limit), isStopping)
}
