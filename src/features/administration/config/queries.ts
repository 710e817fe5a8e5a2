import type { Tx } from '../../../db/client'
import { systemConfig } from '../../../db/schema'

type ConfigRow = typeof systemConfig.$inferSelect
type ConfigFlags = Partial<Pick<ConfigRow, 'allowRegistration' | 'enforceMfaNewUsers' | 'allowPasswordless'>>

/** Updates the row, or inserts it with all other flags false. */
export async function upsert(tx: Tx, flags: ConfigFlags, now: Date): Promise<ConfigRow> {
  const [row] = await tx
    .insert(systemConfig)
    .values({ ...flags, updatedAt: now })
    .onConflictDoUpdate({ target: systemConfig.id, set: { ...flags, updatedAt: now } })
    .returning()
  if (!row) throw new Error('upsert returned no row')
  return row
}
