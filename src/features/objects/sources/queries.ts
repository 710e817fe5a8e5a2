import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import type { KnownPlace, CollectionPart, PartKind } from '../collections/rules'

/** The scopes in which the journal notes the objects of collections. */
const SCOPES: Readonly<Record<PartKind, string>> = {
  calendar: 'c',
  birthdays: 'c',
  list: 'l',
  reminders: 'r',
  book: 'b',
}

/** Whether the journal of a collection goes on from a place: deletions after it are kept, and it is on no timeline that was left. */
export async function goesOn(
  db: Db | Tx,
  { kind, id }: Pick<CollectionPart, 'kind' | 'id'>,
  { begun, timeline }: KnownPlace,
): Promise<boolean> {
  const scope = sql`kind = ${SCOPES[kind]} and id = ${id}`
  const [row] = await db.execute<{ goes_on: boolean }>(sql`
    select coalesce((select floor from sync_scopes where ${scope}), 0) <= ${begun}::bigint and not exists (
      select from sync_switches where ${scope} and timeline > ${timeline}::integer and seq < ${begun}::bigint
    ) as goes_on`)
  return row?.goes_on === true
}
