import { eq } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../db/client'
import { settings, users } from '../../../db/schema'

export type SettingsRow = typeof settings.$inferSelect
export type ProfileRow = Pick<typeof users.$inferSelect, 'email' | 'dateOfBirth' | 'networkName'>

export const insert = async (tx: Tx, row: typeof settings.$inferInsert): Promise<void> => {
  await tx.insert(settings).values(row)
}

export const find = async (db: Db, userId: number) =>
  (
    await db
      .select({
        settings,
        profile: { email: users.email, dateOfBirth: users.dateOfBirth, networkName: users.networkName },
      })
      .from(settings)
      .innerJoin(users, eq(users.id, settings.userId))
      .where(eq(settings.userId, userId))
  )[0]

/** Locks the row, because fields that belong together are checked against the stored ones. */
export const lock = async (tx: Tx, userId: number): Promise<SettingsRow | undefined> =>
  (await tx.select().from(settings).where(eq(settings.userId, userId)).for('update'))[0]

export async function update(
  tx: Tx,
  userId: number,
  set: PgUpdateSetSource<typeof settings>,
): Promise<SettingsRow> {
  const [row] = await tx.update(settings).set(set).where(eq(settings.userId, userId)).returning()
  if (!row) throw new Error('update returned no row')
  return row
}

export async function updateProfile(
  tx: Tx,
  userId: number,
  set: PgUpdateSetSource<typeof users>,
): Promise<ProfileRow> {
  const [row] = await tx
    .update(users)
    .set(set)
    .where(eq(users.id, userId))
    .returning({ email: users.email, dateOfBirth: users.dateOfBirth, networkName: users.networkName })
  if (!row) throw new Error('update returned no row')
  return row
}
