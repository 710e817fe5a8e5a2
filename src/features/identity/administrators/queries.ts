import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { users } from '../../../db/schema'

const isAdministrator = and(eq(users.role, 'admin'), eq(users.isActive, true))

/** Returns the ids of all active administrators. */
export async function activeAdministrators(tx: Tx): Promise<number[]> {
  const admins = await tx.select({ id: users.id }).from(users).where(isAdministrator)
  return admins.map(({ id }) => id)
}

export async function isActiveAdministrator(tx: Tx, userId: number): Promise<boolean> {
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isAdministrator))
  return found.length > 0
}

/** Locks the users by ascending id, so that two administrators who change each other cannot deadlock. */
export const lockAdministrators = async (tx: Tx, userIds: number[]): Promise<void> => {
  await tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, userIds))
    .orderBy(users.id)
    .for('no key update')
}
