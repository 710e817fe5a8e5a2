import { and, desc, eq, gt, inArray, lte, max, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { addressBooks, looseCards, people, personTexts } from '../../../db/schema'

/** Whose cards are looked for, and in which address book first; undefined for the default one. */
export interface Importing {
  readonly userId: number
  readonly bookId: number | undefined
}

/** The hash of each person's card at its last import: those in the address book first, then by age. */
export const findHashes = (db: Db | Tx, { userId, bookId }: Importing, uids: readonly string[]) =>
  db
    .select({ uid: people.vcardUid, hash: people.vcardHash, bookId: people.bookId })
    .from(people)
    .innerJoin(addressBooks, eq(addressBooks.id, people.bookId))
    .where(and(eq(people.userId, userId), inArray(people.vcardUid, [...uids])))
    .orderBy(desc(isWanted(bookId)), people.id)

const isWanted = (bookId: number | undefined): SQL =>
  bookId === undefined ? sql`${addressBooks.isDefault}` : sql`${eq(addressBooks.id, bookId)}`

/** The same of groups, with the texts. */
export const findGroups = (db: Db | Tx, { userId, bookId }: Importing, uids: readonly string[]) =>
  db
    .select({
      uid: looseCards.uid,
      hash: looseCards.hash,
      bookId: looseCards.bookId,
      text: looseCards.text,
    })
    .from(looseCards)
    .innerJoin(addressBooks, eq(addressBooks.id, looseCards.bookId))
    .where(and(eq(looseCards.userId, userId), inArray(looseCards.uid, [...uids])))
    .orderBy(desc(isWanted(bookId)), looseCards.id)

const given = (column: string) => sql.raw(`excluded.${column}`)

/** Inserts or updates people from cards. A person with the card's UID in the address book is updated, and stays a favourite. */
export const upsert = (tx: Tx, rows: ReadonlyArray<typeof people.$inferInsert>) =>
  tx
    .insert(people)
    .values([...rows])
    .onConflictDoUpdate({
      target: [people.bookId, people.vcardUid],
      set: {
        firstName: given('first_name'),
        lastName: given('last_name'),
        nickname: given('nickname'),
        email: given('email'),
        phone: given('phone'),
        mobile: given('mobile'),
        address: given('address'),
        company: given('company'),
        jobTitle: given('job_title'),
        birthday: given('birthday'),
        category: given('category'),
        notes: given('notes'),
        isFavourite: sql`${people.isFavourite} or excluded.is_favourite`,
        version: sql`${people.version} + 1`,
        vcardHash: given('vcard_hash'),
        vcardKept: null,
        updatedAt: given('updated_at'),
      },
    })
    .returning({ id: people.id, uid: people.vcardUid })

/** Everybody whom the user has, or those in one address book. */
export interface Exporting {
  readonly userId: number
  readonly bookId: number | undefined
  /** The last person to be told; undefined for whoever there is. */
  readonly lastId?: number
}

/** The person who was added last; 0 without people. */
export const lastPerson = async (db: Db, userId: number): Promise<number> =>
  (
    await db
      .select({ id: max(people.id) })
      .from(people)
      .where(eq(people.userId, userId))
  )[0]?.id ?? 0

/** The next people after `afterId`, and how long their cards may be. */
export const page = (db: Db, { userId, bookId, lastId }: Exporting, afterId: number, limit: number) =>
  db
    .select({ id: people.id, length: lengthOf })
    .from(people)
    .leftJoin(personTexts, eq(personTexts.personId, people.id))
    .where(
      and(
        eq(people.userId, userId),
        bookId === undefined ? undefined : eq(people.bookId, bookId),
        gt(people.id, afterId),
        lastId === undefined ? undefined : lte(people.id, lastId),
      ),
    )
    .orderBy(people.id)
    .limit(limit)

const lengthOf = sql<number>`coalesce(octet_length(${personTexts.text}), 0) + coalesce(pg_column_size(${people.vcardKept}), 0)`

/** The same of groups. */
export const pageOfGroups = (db: Db, { userId, bookId }: Exporting, afterId: number, limit: number) =>
  db
    .select({ id: looseCards.id, length: sql<number>`octet_length(${looseCards.text})` })
    .from(looseCards)
    .where(
      and(
        eq(looseCards.userId, userId),
        bookId === undefined ? undefined : eq(looseCards.bookId, bookId),
        gt(looseCards.id, afterId),
      ),
    )
    .orderBy(looseCards.id)
    .limit(limit)
