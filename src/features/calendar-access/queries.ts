import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client'
import { calendars } from '../../db/schema'

/** The calendars that the user owns. */
export const own = (db: Db | Tx, userId: number) =>
  db.select().from(calendars).where(eq(calendars.userId, userId)).orderBy(calendars.id)
