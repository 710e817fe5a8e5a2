import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { idOf, isSelected, mostOf } from '../../../db/by-id'
import type { Db, Tx } from '../../../db/client'
import { lastRank, positionAmongAll, rankAt, type RankedList } from '../../../db/ordering'
import { addressBooks } from '../../../db/schema'
import type { Rank } from '../../../lib/ordering'
import type { ById } from '../../../lib/wire/page'

/** The address books of a user, in the user's own order. */
export const listOf = (userId: number): RankedList => ({
  table: addressBooks,
  isMember: eq(addressBooks.userId, userId),
  tally: { kind: 'address_books', ownerId: userId },
})

const own = (userId: number, id: number) => and(eq(addressBooks.userId, userId), eq(addressBooks.id, id))

/** All address books of the user with their positions: 200 at most. */
function placed(db: Db | Tx, userId: number) {
  const books = db.$with('books').as(
    db
      .select({
        ...getTableColumns(addressBooks),
        position: positionAmongAll(addressBooks).as('position'),
      })
      .from(addressBooks)
      .where(eq(addressBooks.userId, userId)),
  )
  return { books, select: () => db.with(books).select().from(books) }
}

/** Up to `limit` rows after the key, by position. */
export function list(db: Db, userId: number, after: Rank | undefined, limit: number) {
  const { books, select } = placed(db, userId)
  return select()
    .where(after === undefined ? sql`true` : gt(books.rank, after))
    .orderBy(books.rank)
    .limit(limit)
}
export type PlacedBook = Awaited<ReturnType<typeof list>>[number]

/** Address books of the user, by id. */
export function pageById(db: Db, userId: number, by: ById) {
  const { books, select } = placed(db, userId)
  return select().where(isSelected(books.id, by)).orderBy(idOf(books.id)).limit(mostOf(by))
}

export async function find(db: Db | Tx, userId: number, id: number): Promise<PlacedBook | undefined> {
  const { books, select } = placed(db, userId)
  return (await select().where(eq(books.id, id)))[0]
}

export const names = async (tx: Tx, userId: number, exceptId?: number): Promise<string[]> => {
  const rows = await tx
    .select({ id: addressBooks.id, name: addressBooks.name })
    .from(addressBooks)
    .where(eq(addressBooks.userId, userId))
  return rows.flatMap(({ id, name }) => (id === exceptId ? [] : name))
}

export const exists = async (db: Db | Tx, userId: number, id: number): Promise<boolean> =>
  (await db.select({ id: addressBooks.id }).from(addressBooks).where(own(userId, id))).length > 0

export type BookRow = typeof addressBooks.$inferSelect

export const lock = async (tx: Tx, userId: number, id: number): Promise<BookRow | undefined> =>
  (await tx.select().from(addressBooks).where(own(userId, id)).for('update'))[0]

/** Inserts at the position, or at the end when it is undefined. Returns the id. */
export async function insert(
  tx: Tx,
  row: Omit<typeof addressBooks.$inferInsert, 'rank'>,
  position: number | undefined,
): Promise<number> {
  const owned = listOf(row.userId)
  const rank: Rank | SQL<Rank> = position === undefined ? lastRank(owned) : await rankAt(tx, owned, position)
  const [created] = await tx
    .insert(addressBooks)
    .values({ ...row, rank })
    .returning({ id: addressBooks.id })
  if (!created) throw new Error('insert returned no row')
  return created.id
}

/** The address book must be locked. */
export async function update(tx: Tx, id: number, set: PgUpdateSetSource<typeof addressBooks>): Promise<void> {
  await tx.update(addressBooks).set(set).where(eq(addressBooks.id, id))
}

/** The people in it go by cascade. The address book must be locked. */
export async function remove(tx: Tx, id: number): Promise<void> {
  await tx.delete(addressBooks).where(eq(addressBooks.id, id))
}
