import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client'
import { people } from '../../db/schema'

export const insert = async (tx: Tx, row: typeof people.$inferInsert): Promise<void> => {
  await tx.insert(people).values(row)
}

/** The oldest person of the user who is linked to nobody and has this e-mail, without regard to case. */
export const findUnlinked = async (
  tx: Tx,
  userId: number,
  email: string,
): Promise<{ id: number } | undefined> =>
  (
    await tx
      .select({ id: people.id })
      .from(people)
      .where(
        and(
          eq(people.userId, userId),
          isNull(people.linkedUserId),
          sql`lower(${people.email}) = lower(${email})`,
        ),
      )
      .orderBy(people.id)
      .limit(1)
      .for('no key update')
  )[0]

const nextVersion = sql`${people.version} + 1`

export const setLink = async (tx: Tx, id: number, linkedUserId: number, now: Date): Promise<void> => {
  await tx.update(people).set({ linkedUserId, version: nextVersion, updatedAt: now }).where(eq(people.id, id))
}

/** Of the people of `userIds` those who are linked to one of `linkedUserIds`. */
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
