import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import type { Collection, CollectionKind } from '../collections/rules'

/** The scopes in which the journal notes the objects of collections. */
const SCOPES: Readonly<Record<CollectionKind, string>> = {
  calendar: 'c',
  birthdays: 'c',
  list: 'l',
  reminders: 'r',
  book: 'b',
}

/** Up to which place deletions in a collection may be forgotten. */
export async function floorOf(db: Db | Tx, { kind, id }: Pick<Collection, 'kind' | 'id'>): Promise<number> {
  const [row] = await db.execute<{ floor: number }>(
    sql`select floor::float8 as floor from sync_scopes where kind = ${SCOPES[kind]} and id = ${id}`,
  )
  return row?.floor ?? 0
}
