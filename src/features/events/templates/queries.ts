import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { alphabetical } from '../../../db/alphabetical'
import { idOf, isSelected, mostOf } from '../../../db/by-id'
import type { Db, Tx } from '../../../db/client'
import { bytesOf, fitting, FOLLOWED } from '../../../db/fitting'
import { eventTemplates } from '../../../db/schema'
import type { ById, TextKey } from '../../../lib/wire/page'

export type TemplateRow = typeof eventTemplates.$inferSelect

const own = (userId: number, id: number) => and(eq(eventTemplates.id, id), eq(eventTemplates.userId, userId))

const byName = alphabetical(eventTemplates.name)

const isAfter = ([name, id]: TextKey): SQL =>
  sql`(${byName}, ${eventTemplates.id}) > (${name}, ${id}::integer)`

const { name, title, description, location } = eventTemplates

/**
 * Returns up to `limit` rows after the key, by name without regard to case, each with its sort key; fewer if their texts are long.
 */
export function list(db: Db, userId: number, after: TextKey | undefined, limit: number) {
  const columns = { ...getTableColumns(eventTemplates), sortName: byName.as('sort_name') }
  const rows = db
    .select({ ...columns, bytes: bytesOf(name, title, description, location).as('bytes') })
    .from(eventTemplates)
    .where(and(eq(eventTemplates.userId, userId), after && isAfter(after)))
    .orderBy(byName, eventTemplates.id)
    .limit(limit)
    .as('rows')
  const page = db.$with('page', { ...columns, ...FOLLOWED }).as(fitting(rows, rows.sortName, rows.id))
  return db.with(page).select().from(page).orderBy(page.sortName, page.id)
}

export const pageById = (db: Db, userId: number, by: ById): Promise<TemplateRow[]> =>
  db
    .select()
    .from(eventTemplates)
    .where(and(eq(eventTemplates.userId, userId), isSelected(eventTemplates.id, by)))
    .orderBy(idOf(eventTemplates.id))
    .limit(mostOf(by))

export const find = async (db: Db, userId: number, id: number): Promise<TemplateRow | undefined> =>
  (await db.select().from(eventTemplates).where(own(userId, id)))[0]

/** Locks the row, as a change depends on what is stored. */
export const lock = async (tx: Tx, userId: number, id: number): Promise<TemplateRow | undefined> =>
  (await tx.select().from(eventTemplates).where(own(userId, id)).for('no key update'))[0]

export async function insert(tx: Tx, row: typeof eventTemplates.$inferInsert): Promise<TemplateRow> {
  const [created] = await tx.insert(eventTemplates).values(row).returning()
  if (!created) throw new Error('insert returned no row')
  return created
}

/** Writes the next version. The template is locked. */
export async function update(
  tx: Tx,
  { id, version }: TemplateRow,
  set: PgUpdateSetSource<typeof eventTemplates>,
): Promise<TemplateRow> {
  const [row] = await tx
    .update(eventTemplates)
    .set({ ...set, version: version + 1 })
    .where(eq(eventTemplates.id, id))
    .returning()
  if (!row) throw new Error('update returned no row')
  return row
}

/** The template is locked. */
export const remove = async (tx: Tx, { id }: TemplateRow): Promise<void> => {
  await tx.delete(eventTemplates).where(eq(eventTemplates.id, id))
}

/** The owner of the calendar is locked. */
export const clearCalendar = async (tx: Tx, calendarId: number, now: Date): Promise<void> => {
  await tx
    .update(eventTemplates)
    .set({ calendarId: null, version: sql`${eventTemplates.version} + 1`, updatedAt: now })
    .where(eq(eventTemplates.calendarId, calendarId))
}
