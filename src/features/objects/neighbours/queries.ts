import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import type { ObjectEntry } from '../sources/rules'

/** How an object would be called. */
export interface Called {
  readonly name: string
  readonly uid: string
}

interface CalledRow {
  readonly id: number
  readonly name: string
  readonly version: number
  readonly updatedAt: string
  readonly [key: string]: unknown
}

/** The one that has the name counts first. */
async function firstOf(
  tx: Tx,
  kind: ObjectEntry['kind'],
  { nameColumn, called, name }: { readonly nameColumn: SQL; readonly called: SQL; readonly name: string },
): Promise<ObjectEntry | undefined> {
  const [row] = await tx.execute<CalledRow>(sql`
    select * from (select id, ${nameColumn} as name, version, updated_at as "updatedAt" ${called}) as found
    order by name = ${name}::text desc limit 1`)
  return row && { kind, id: row.id, name: row.name, version: row.version, updatedAt: new Date(row.updatedAt) }
}

/** The todo that is called so in the list of a mixed collection, by the calendar. */
export const todoBeside = (tx: Tx, calendarId: number, { name, uid }: Called) =>
  firstOf(tx, 'todo', {
    nameColumn: sql`dav_name(object_name, dav_uid(uid, 'todo', id, created_at), id)`,
    called: sql`from todos where id in (
      select dav_todos_called(todo_list_id, ${name}::text, ${uid}::text) from dav_collections
      where kind = 'calendar' and item = ${calendarId} and todo_list_id is not null
    )`,
    name,
  })

/** The event that is called so in a calendar. */
export const eventCalled = (tx: Tx, calendarId: number, { name, uid }: Called) =>
  firstOf(tx, 'event', {
    nameColumn: sql`dav_name(object_name, uid, id)`,
    called: sql`from events where id in (select dav_events_called(${calendarId}::integer, ${name}::text, ${uid}::text))`,
    name,
  })

/** The calendar of the mixed collection to which a list belongs. */
export async function calendarBeside(tx: Tx, listId: number): Promise<number | undefined> {
  const [row] = await tx.execute<{ id: number }>(sql`
    select calendars.id from dav_collections join calendars on calendars.id = item where todo_list_id = ${listId}`)
  return row?.id
}
