import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { among } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import { contactColumns, looseCards, people, personTexts } from '../../../db/schema'

/** The UID of a person whom no card has named: always the same one, so that it need not be stored before somebody reads it. */
export const ownUid = sql<string>`'urn:uuid:' || md5(concat_ws('/', 'person', ${people.userId}, ${people.id}, extract(epoch from ${people.createdAt})))::uuid`

/** What a card is printed from: the row, and its text if it has one. */
const sources = {
  id: people.id,
  uid: sql<string>`coalesce(${people.vcardUid}, ${ownUid})`,
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

/** The person or the group with the UID. */
export async function findUid(db: Db | Tx, userId: number, uid: string) {
  const [person] = await db
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.userId, userId), isKnownAs(uid)))
  const [group] = await db
    .select({ id: looseCards.id })
    .from(looseCards)
    .where(and(eq(looseCards.userId, userId), eq(looseCards.uid, uid)))
  return { person, group }
}

/** A UID that a person may have without a card that named them needs a look at all of these. */
const isKnownAs = (uid: string) =>
  uid.startsWith('urn:uuid:')
    ? or(eq(people.vcardUid, uid), and(isNull(people.vcardUid), eq(ownUid, uid)))
    : eq(people.vcardUid, uid)

/** For a card without UID. */
export const newUid = sql<string>`'urn:uuid:' || gen_random_uuid()`

/** A row whose UID may be one that the database makes. */
type NewPerson = Omit<typeof people.$inferInsert, 'vcardUid'> & { readonly vcardUid: string | typeof newUid }
type NewGroup = Omit<typeof looseCards.$inferInsert, 'uid'> & { readonly uid: string | typeof newUid }

export async function insertGroup(tx: Tx, row: NewGroup) {
  const [made] = await tx
    .insert(looseCards)
    .values(row)
    .returning({ id: looseCards.id, version: looseCards.version })
  if (!made) throw new Error('insert returned no row')
  return made
}

export async function insertPerson(tx: Tx, row: NewPerson) {
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

/** Inserts groups, or puts their cards in the place of those with the same UID, which stay in their address book. */
export const upsertGroups = (tx: Tx, rows: ReadonlyArray<typeof looseCards.$inferInsert>) =>
  tx
    .insert(looseCards)
    .values([...rows])
    .onConflictDoUpdate({
      target: [looseCards.userId, looseCards.uid],
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
