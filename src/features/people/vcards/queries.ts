import { and, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { looseCards, people, personTexts } from '../../../db/schema'
import { ownUid } from './queries.cards'

/** By UID, the hash of each person's card at its last import. */
export const findHashes = (db: Db | Tx, userId: number, uids: readonly string[]) =>
  db
    .select({ uid: people.vcardUid, hash: people.vcardHash })
    .from(people)
    .where(and(eq(people.userId, userId), inArray(people.vcardUid, [...uids])))

/** By UID, the hash of each group's card at its last import, and its text. */
export const findGroups = (db: Db | Tx, userId: number, uids: readonly string[]) =>
  db
    .select({ uid: looseCards.uid, hash: looseCards.hash, text: looseCards.text })
    .from(looseCards)
    .where(and(eq(looseCards.userId, userId), inArray(looseCards.uid, [...uids])))

const given = (column: string) => sql.raw(`excluded.${column}`)

/**
 * Inserts or updates people from cards. A person with the card's UID is updated, and stays a favourite and in their address
 * book.
 */
export const upsert = (tx: Tx, rows: ReadonlyArray<typeof people.$inferInsert>) =>
  tx
    .insert(people)
    .values([...rows])
    .onConflictDoUpdate({
      target: [people.userId, people.vcardUid],
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

/** Gives a UID to everybody without one, so that importing an export again finds them. */
export const nameAll = async (tx: Tx, userId: number): Promise<void> => {
  await tx
    .update(people)
    .set({ vcardUid: ownUid })
    .where(and(eq(people.userId, userId), isNull(people.vcardUid)))
}

/** Everybody whom the user has, or those in one address book. */
export interface Exporting {
  readonly userId: number
  readonly bookId: number | undefined
}

/** The next people after `afterId`, and how long their cards may be. It omits people added after `nameAll`. */
export const page = (db: Db, { userId, bookId }: Exporting, afterId: number, limit: number) =>
  db
    .select({ id: people.id, length: lengthOf })
    .from(people)
    .leftJoin(personTexts, eq(personTexts.personId, people.id))
    .where(
      and(
        eq(people.userId, userId),
        bookId === undefined ? undefined : eq(people.bookId, bookId),
        gt(people.id, afterId),
        isNotNull(people.vcardUid),
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

/** The next people after `afterId`, those without UID as well, and how long their cards may be. */
export const pageOfAll = (db: Db, userId: number, afterId: number, limit: number) =>
  db
    .select({ id: people.id, length: lengthOf })
    .from(people)
    .leftJoin(personTexts, eq(personTexts.personId, people.id))
    .where(and(eq(people.userId, userId), gt(people.id, afterId)))
    .orderBy(people.id)
    .limit(limit)
