import type { Db, Tx } from '../../db/client'
import { systemConfig } from '../../db/schema'

export type ConfigRow = typeof systemConfig.$inferSelect
export type ConfigFlags = Partial<
  Pick<ConfigRow, 'allowRegistration' | 'enforceMfaNewUsers' | 'allowPasswordless'>
>

export const find = async (db: Db | Tx): Promise<ConfigRow | undefined> =>
  (await db.select().from(systemConfig))[0]

/** All flags false, unless there is a configuration already. */
export const insertDefaults = async (tx: Tx, now: Date): Promise<void> => {
  await tx.insert(systemConfig).values({ updatedAt: now }).onConflictDoNothing()
}

/** Changes the row, or makes it with what is not given false. */
export async function upsert(tx: Tx, flags: ConfigFlags, now: Date): Promise<ConfigRow> {
  const [row] = await tx
    .insert(systemConfig)
    .values({ ...flags, updatedAt: now })
    .onConflictDoUpdate({ target: systemConfig.id, set: { ...flags, updatedAt: now } })
    .returning()
  if (!row) throw new Error('upsert returned no row')
  return row
}
