import type { Reader } from '../../../access/reader/service'
import type { Db, Tx } from '../../../db/client'
import { inSnapshot, inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import type { Collection, KnownPlace, CollectionPart, SyncPlace } from '../collections/rules'
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
  /** The journals of a collection: one for each of its parts, in their order. */
  readonly journals: (collection: Collection) => readonly ObjectJournal[]
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

/** The journal of a collection, or of a half of one. */
export interface ObjectJournal {
  readonly part: Pick<CollectionPart, 'kind' | 'id' | 'place'>
  /** What changed after a place, each object once, in the order of its last change; up to `limit`. */
  readonly changedSince: (tx: Tx, place: number, limit: number) => Promise<JournalItem[]>
  /** The objects that have these names now. */
  readonly named: (tx: Tx, names: readonly string[]) => Promise<readonly ObjectEntry[]>
}

/**
 * Follows a collection from places in its journals, each object in its newest state; from undefined it tells everything that is there.
 * Undefined when deletions after a place may be forgotten, or the place was lost with its timeline.
 */
export const followJournals = (
  db: Db,
  journals: readonly ObjectJournal[],
  since: readonly KnownPlace[] | undefined,
  limit: number,
): Promise<FollowedObjects | undefined> =>
  inSnapshot(db, async (tx) => {
    const told: ToldItems[] = []
    for (const [at, journal] of journals.entries()) {
      const left = limit - told.reduce((sum, { items }) => sum + items.length, 0)
      const known = since?.[at]
      if (known && !(await q.goesOn(tx, journal.part, known))) return undefined
      told.push(await tell(tx, journal, known, left))
    }
    const former = [...new Set(told.flatMap((one) => one.former))]
    const now = await namesOf(tx, journals, former)
    return {
      places: told.map(({ place, begun }) => ({ place, begun })),
      present: told.flatMap(({ items }) => items.flatMap(({ object }) => object ?? [])),
      gone: former.filter((name) => !now.has(name)),
      hasMore: told.some((one) => one.hasMore),
    }
  })

/** What a client hears of a journal. */
interface ToldItems extends SyncPlace {
  readonly items: readonly JournalItem[]
  /** Names that may lead nowhere. */
  readonly former: readonly string[]
  readonly hasMore: boolean
}

async function tell(
  tx: Tx,
  { part, changedSince }: ObjectJournal,
  since: KnownPlace | undefined,
  limit: number,
): Promise<ToldItems> {
  const { place: last } = part
  const { place, begun } = since ?? { place: 0, begun: last }
  const changed = await changedSince(tx, place, limit + 1)
  const items = changed.slice(0, limit)
  const hasMore = changed.length > limit
  const end = items.at(-1)?.seq ?? place
  return {
    items,
    former: items.flatMap((item) => (item.seq > begun ? item.former : [])),
    // What was written since the collection was looked at comes again, by then with the timeline that it is on.
    place: hasMore ? Math.min(last, end) : last,
    begun,
    hasMore,
  }
}

/** Those of the names that lead somewhere. */
async function namesOf(
  tx: Tx,
  journals: readonly ObjectJournal[],
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const found: ObjectEntry[] = []
  if (names.length > 0) for (const { named } of journals) found.push(...(await named(tx, names)))
  return new Set(found.map(({ name }) => name))
}
