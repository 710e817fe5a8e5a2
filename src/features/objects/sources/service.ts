import type { Reader } from '../../../access/reader/service'
import type { Db, Tx } from '../../../db/client'
import { inSnapshot, inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import type { Collection, KnownPlace } from '../collections/rules'
import type {
  CardVersion,
  FollowedObjects,
  GivenObject,
  JournalItem,
  ObjectEntry,
  ObjectMove,
  ObjectRefusal,
  ObjectText,
  OpenSpan,
  PutObject,
} from './rules'
import * as q from './queries'

/** The objects of the collections of one kind (contract: dav.objects). */
export interface ObjectSource {
  /** The objects, or of those at least all that take place within a span. */
  readonly list: (db: Db, collection: Collection, span?: OpenSpan) => Promise<ObjectEntry[]>
  readonly find: (db: Db, collection: Collection, names: readonly string[]) => Promise<ObjectEntry[]>
  /** The texts, in the order of the entries, by default as they are kept; an object that went meanwhile is left out. */
  readonly read: (
    deps: Pick<Deps, 'db' | 'calendarFiles' | 'clock'>,
    collection: Collection,
    entries: readonly ObjectEntry[],
    version?: CardVersion,
  ) => Promise<ObjectText[]>
  /**
   * Follows a collection from a place, each object in its newest state; from undefined it tells everything that is there.
   * Undefined when deletions after the place may be forgotten, or the place was lost with its timeline.
   */
  readonly follow: (
    db: Db,
    collection: Collection,
    since: KnownPlace | undefined,
    limit: number,
  ) => Promise<FollowedObjects | undefined>
  /**
   * Creates or replaces an object. The text is kept as it is; the same text changes nothing.
   * @throws {AppError} 401, 403, 404, 409 for too many.
   */
  readonly put: (deps: Deps, reader: Reader, given: GivenObject) => Promise<PutObject | ObjectRefusal>
  /** Deletes an object, where `expected` is given only in that version. @throws {AppError} 401, 403, 404, 412. */
  readonly remove: (
    deps: Deps,
    reader: Reader,
    entry: ObjectEntry,
    expected: readonly number[] | undefined,
  ) => Promise<void>
  /**
   * Moves an object within a collection, or into another of the same kind: it stays the same object. Undefined where that cannot be.
   * @throws {AppError} 401, 403, 404, 412.
   */
  readonly move?: (deps: Deps, reader: Reader, move: ObjectMove) => Promise<PutObject | ObjectRefusal>
}

/** Ends the transaction of a change that is refused. */
class RefusedChange extends Error {
  override name = 'RefusedChange'
  readonly refusal: ObjectRefusal

  constructor(refusal: ObjectRefusal) {
    super(refusal.kind)
    this.refusal = refusal
  }
}

/** Changes an object in a transaction. A change that is refused leaves nothing, also no operation. */
export async function changeObject(
  db: Db,
  work: (tx: Tx) => Promise<PutObject | ObjectRefusal>,
  writerId: number,
): Promise<PutObject | ObjectRefusal> {
  const attempt = async (tx: Tx) => {
    const done = await work(tx)
    if ('kind' in done) throw new RefusedChange(done)
    return done
  }
  try {
    return await inTransaction(db, attempt, writerId)
  } catch (error) {
    if (error instanceof RefusedChange) return error.refusal
    throw error
  }
}

/** The journal of a collection. */
export interface ObjectJournal {
  readonly collection: Collection
  /** What changed after a place, each object once, in the order of its last change; up to `limit`. */
  readonly changedSince: (tx: Tx, place: number, limit: number) => Promise<JournalItem[]>
  /** The objects that have these names now. */
  readonly named: (tx: Tx, names: readonly string[]) => Promise<readonly ObjectEntry[]>
}

/** Follows a journal as `ObjectSource.follow` says. */
export const followJournal = (
  db: Db,
  { collection, changedSince, named }: ObjectJournal,
  since: KnownPlace | undefined,
  limit: number,
): Promise<FollowedObjects | undefined> =>
  inSnapshot(db, async (tx) => {
    const { place: last } = collection
    const { place, begun } = since ?? { place: 0, begun: last }
    if (since && !(await q.goesOn(tx, collection, since))) return undefined
    const items = await changedSince(tx, place, limit + 1)
    const told = items.slice(0, limit)
    const hasMore = items.length > limit
    const former = [...new Set(told.flatMap((item) => (item.seq > begun ? item.former : [])))]
    const still = former.length === 0 ? [] : await named(tx, former)
    const now = new Set(still.map(({ name }) => name))
    const end = told.at(-1)?.seq ?? 0
    return {
      present: told.flatMap(({ object }) => object ?? []),
      gone: former.filter((name) => !now.has(name)),
      // What was written since the collection was looked at comes again, and does no harm.
      place: hasMore ? end : Math.max(last, end),
      begun,
      hasMore,
    }
  })
