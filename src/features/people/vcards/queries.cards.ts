import { and, eq, inArray, sql } from 'drizzle-orm'
import { among } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import { contactColumns, looseCards, people, personTexts } from '../../../db/schema'

/** What a card is printed from: the row, and its text if it has one. */
const sources = {
  id: people.id,
  uid: people.vcardUid,
  version: people.version,
  updatedAt: people.updatedAt,
  ...contactColumns,
  kept: people.vcardKept,
  text: personTexts.text,
  said: personTexts.said,
}

const sourced = (db: Db | Tx) =>
  db.select(sources).from(people).leftJoin(personTexts, eq(personTexts.personId, people.id))

/** The people with these ids. */
export const findPeople = (db: Db | Tx, userId: number, ids: readonly number[]) =>
  sourced(db)
    .where(and(eq(people.userId, userId), among(people.id, ids)))
    .orderBy(people.id)
export type PersonSource = Awaited<ReturnType<typeof findPeople>>[number]

/** The people with these UIDs. */
export const peopleByUid = (db: Db | Tx, userId: number, uids: readonly string[]) =>
  sourced(db).where(and(eq(people.userId, userId), inArray(people.vcardUid, [...uids])))

/** The groups with these ids. */
export const findGroups = (db: Db | Tx, userId: number, ids: readonly number[]) =>
  db
    .select()
    .from(looseCards)
    .where(and(eq(looseCards.userId, userId), among(looseCards.id, ids)))
    .orderBy(looseCards.id)

/** For a group without UID; people get one of their own. */
export const newUid = sql<string>`'urn:uuid:' || gen_random_uuid()`

/** A row whose UID may be one that the database makes. */
type NewGroup = Omit<typeof looseCards.$inferInsert, 'uid'> & { readonly uid: string | typeof newUid }

export async function insertGroup(tx: Tx, row: NewGroup) {
  const [made] = await tx
    .insert(looseCards)
    .values(row)
    .returning({ id: looseCards.id, version: looseCards.version })
  if (!made) throw new Error('insert returned no row')
  return made
}

export async function insertPerson(tx: Tx, row: typeof people.$inferInsert) {
  const [made] = await tx.insert(people).values(row).returning({ id: people.id, version: people.version })
  if (!made) throw new Error('insert returned no row')
  return made
}

/** Returns undefined when the user has no such person. */
export const updatePerson = async (
  tx: Tx,
  { userId, id }: { readonly userId: number; readonly id: number },
  set: Partial<typeof people.$inferInsert>,
) =>
  (
    await tx
      .update(people)
      .set({ ...set, version: sql`${people.version} + 1` })
      .where(and(eq(people.userId, userId), eq(people.id, id)))
      .returning({ id: people.id, version: people.version })
  )[0]

/** Keeps the texts of people, in the place of former ones. */
export const putTexts = async (
  tx: Tx,
  rows: ReadonlyArray<typeof personTexts.$inferInsert>,
): Promise<void> => {
  await tx
    .insert(personTexts)
    .values([...rows])
    .onConflictDoUpdate({
      target: personTexts.personId,
      set: { text: sql`excluded.text`, said: sql`excluded.said` },
    })
}

/** Inserts groups, or puts their cards in the place of those with the same UID in the address book. */
export const upsertGroups = (tx: Tx, rows: ReadonlyArray<typeof looseCards.$inferInsert>) =>
  tx
    .insert(looseCards)
    .values([...rows])
    .onConflictDoUpdate({
      target: [looseCards.bookId, looseCards.uid],
      set: {
        text: sql`excluded.text`,
        hash: sql`coalesce(excluded.hash, ${looseCards.hash})`,
        version: sql`${looseCards.version} + 1`,
        updatedAt: sql`excluded.updated_at`,
      },
    })
    .returning({ id: looseCards.id, uid: looseCards.uid, version: looseCards.version })

/** Returns undefined when the user has no such group. */
export const updateGroup = async (
  tx: Tx,
  { userId, id }: { readonly userId: number; readonly id: number },
  set: Partial<typeof looseCards.$inferInsert>,
) =>
  (
    await tx
      .update(looseCards)
      .set({ ...set, version: sql`${looseCards.version} + 1` })
      .where(and(eq(looseCards.userId, userId), eq(looseCards.id, id)))
      .returning({ id: looseCards.id, version: looseCards.version })
  )[0]

/** Returns the address book in which there was one. */
export const removePerson = async (tx: Tx, userId: number, id: number): Promise<number | undefined> =>
  (
    await tx
      .delete(people)
      .where(and(eq(people.userId, userId), eq(people.id, id)))
      .returning({ bookId: people.bookId })
  )[0]?.bookId

export const removeGroup = async (tx: Tx, userId: number, id: number): Promise<number | undefined> =>
  (
    await tx
      .delete(looseCards)
      .where(and(eq(looseCards.userId, userId), eq(looseCards.id, id)))
      .returning({ bookId: looseCards.bookId })
  )[0]?.bookId
