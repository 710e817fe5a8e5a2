import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { people } from '../../../db/schema'

export const insert = async (tx: Tx, row: typeof people.$inferInsert): Promise<void> => {
  await tx.insert(people).values(row)
}

/** People of the user with this e-mail (ignoring case) who are not linked to anybody, oldest first. */
export const unlinkedWith = (tx: Db | Tx, userId: number, email: string, limit: number) =>
  tx
    .select({
      id: people.id,
      firstName: people.firstName,
      lastName: people.lastName,
      nickname: people.nickname,
    })
    .from(people)
    .where(
      and(
        eq(people.userId, userId),
        isNull(people.linkedUserId),
        sql`lower(${people.email}) = lower(${email})`,
      ),
    )
    .orderBy(people.id)
    .limit(limit)

const nextVersion = sql`${people.version} + 1`

/** Unlinks the people of `userIds` that are linked to one of `linkedUserIds`. */
export async function clearLinks(
  tx: Tx,
  userIds: readonly number[],
  linkedUserIds: readonly number[],
  now: Date,
): Promise<void> {
  await tx
    .update(people)
    .set({ linkedUserId: null, version: nextVersion, updatedAt: now })
    .where(and(inArray(people.userId, [...userIds]), inArray(people.linkedUserId, [...linkedUserIds])))
}

export const clearLinksTo = async (tx: Tx, linkedUserId: number, now: Date): Promise<void> => {
  await tx
    .update(people)
    .set({ linkedUserId: null, version: nextVersion, updatedAt: now })
    .where(eq(people.linkedUserId, linkedUserId))
}
