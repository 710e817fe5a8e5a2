import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client'
import { calendars, users } from '../../db/schema'

/** The calendars that the user owns. */
export const own = (db: Db | Tx, userId: number) =>
  db.select().from(calendars).where(eq(calendars.userId, userId)).orderBy(calendars.id)

/** Before whatever belongs to the user. Undefined where they are gone. */
export const lockUser = async (tx: Tx, userId: number): Promise<{ id: number } | undefined> =>
  (await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update'))[0]
