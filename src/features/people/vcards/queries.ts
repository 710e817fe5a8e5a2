import { and, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { contactColumns, people } from '../../../db/schema'

/** By UID, the hash of each card's text at its last import. */
export async function findHashes(db: Db | Tx, userId: number, uids: readonly string[]) {
  const rows = await db
    .select({ uid: people.vcardUid, hash: people.vcardHash })
    .from(people)
    .where(and(eq(people.userId, userId), inArray(people.vcardUid, [...uids])))
  return new Map(rows.map(({ uid, hash }) => [uid, hash]))
}

const given = (column: string) => sql.raw(`excluded.${column}`)

/**
 * Inserts or updates people from cards. A person with the card's UID is updated, and stays a favourite and in their address
 * book.
 */
export const upsert = async (tx: Tx, rows: ReadonlyArray<typeof people.$inferInsert>): Promise<void> => {
  await tx
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
        vcardKept: given('vcard_kept'),
        updatedAt: given('updated_at'),
      },
    })
}

/** Gives a UID to everybody without one, so that importing an export again finds them. */
export const nameAll = async (tx: Tx, userId: number): Promise<void> => {
  await tx
    .update(people)
    .set({ vcardUid: sql`'urn:uuid:' || gen_random_uuid()` })
    .where(and(eq(people.userId, userId), isNull(people.vcardUid)))
}

/** People who have a UID; only these are exported. */
const exported = (db: Db) =>
  db.select({ id: people.id, uid: sql<string>`${people.vcardUid}`, ...contactColumns }).from(people)

/** Everybody whom the user has, or those in one address book. */
export interface Exporting {
  readonly userId: number
  readonly bookId: number | undefined
}

/** The next people after `afterId`, without the large vCard data. It omits people added after `nameAll`. */
export const page = (db: Db, { userId, bookId }: Exporting, afterId: number, limit: number) =>
  exported(db)
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
export type ExportRow = Awaited<ReturnType<typeof page>>[number]

/** The people with these UIDs. */
export const byUids = (db: Db, userId: number, uids: readonly string[]) =>
  exported(db).where(and(eq(people.userId, userId), inArray(people.vcardUid, [...uids])))

/** By person id, the stored vCard properties. */
export async function findKept(db: Db, userId: number, ids: readonly number[]) {
  const rows = await db
    .select({ id: people.id, kept: people.vcardKept })
    .from(people)
    .where(and(eq(people.userId, userId), inArray(people.id, [...ids])))
  return new Map(rows.map(({ id, kept }) => [id, kept ?? []]))
}
