import { and, eq, lt, sql } from 'drizzle-orm'
import { deleteSome } from '../../db/batches'
import type { Db, Tx } from '../../db/client'
import { prepared } from '../../db/prepared'
import { operations } from '../../db/schema'

const findPrepared = prepared((db) =>
  db
    .select({
      id: operations.id,
      fingerprint: operations.fingerprint,
      isOpen: operations.isOpen,
      item: operations.item,
      answer: operations.answer,
    })
    .from(operations)
    .where(and(eq(operations.userId, sql.placeholder('userId')), eq(operations.key, sql.placeholder('key'))))
    .prepare('operations_find_by_key'),
)

/** The operation with this key. */
export const find = async (db: Db | Tx, userId: number, key: string) =>
  (await findPrepared(db).execute({ userId, key }))[0]

export type KeptOperation = NonNullable<Awaited<ReturnType<typeof find>>>

/** Waits, up to the time-out for locks, until no other transaction holds the key, and holds it until this one ends. */
export async function lockKey(tx: Tx, userId: number, key: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, ${userId}))`)
}

export interface Answered {
  readonly item: number | null
  readonly answer: unknown
}

export async function close(db: Db | Tx, id: string, { item, answer }: Answered): Promise<void> {
  await db
    .update(operations)
    .set({ item, answer: answer ?? null, isOpen: false })
    .where(eq(operations.id, id))
}

/** Whether the import was still open and had begun before the time; then it begins anew. */
export async function takeOver(
  db: Db,
  id: string,
  { now, before }: { readonly now: Date; readonly before: Date },
): Promise<boolean> {
  const taken = await db
    .update(operations)
    .set({ createdAt: now })
    .where(and(eq(operations.id, id), operations.isOpen, lt(operations.createdAt, before)))
    .returning({ id: operations.id })
  return taken.length > 0
}

/** The import stays, for undoing it, but its key is free again. */
export async function freeKey(db: Db, id: string): Promise<void> {
  await db
    .update(operations)
    .set({ key: null, fingerprint: null, isOpen: false })
    .where(and(eq(operations.id, id), operations.isOpen))
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tx.delete(operations).where(eq(operations.id, id))
}

/** Deletes up to `limit` operations that are older than the one with this id would be. Returns how many. */
export const purge = (tx: Tx, before: string, limit: number): Promise<number> =>
  deleteSome(tx, { from: operations, key: operations.id, where: lt(operations.id, before) }, limit)
