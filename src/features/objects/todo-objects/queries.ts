import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import type { JournalItem, ObjectEntry } from '../sources/rules'
import type { SeenTodos } from './rules'

/** Where the objects are, in which scopes the journal notes them, and what their own UIDs begin with. */
const TABLES = {
  list: {
    object: 'todo',
    scope: 'l',
    table: sql`todos`,
    within: sql`list_id`,
    text: sql`select octet_length(text) from todo_texts where todo_id = todos.id`,
  },
  reminders: {
    object: 'reminder',
    scope: 'r',
    table: sql`reminders`,
    within: sql`user_id`,
    text: sql`select octet_length(text) from reminder_texts where reminder_id = reminders.id`,
  },
} as const

const uidOf = ({ kind }: SeenTodos) => sql`dav_uid(uid, ${TABLES[kind].object}::text, id, created_at)`
const nameOf = (seen: SeenTodos) => sql`dav_name(object_name, ${uidOf(seen)}, id)`
/** The length of the text is that of what another program wrote; any other is short. */
const columnsOf = (seen: SeenTodos) =>
  sql`id, ${nameOf(seen)} as name, version, updated_at as "updatedAt", coalesce((${TABLES[seen.kind].text}), 0) as bytes`
const rowsOf = ({ kind, id }: SeenTodos) => sql`${TABLES[kind].table} where ${TABLES[kind].within} = ${id}`

interface TodoEntryRow {
  readonly id: number
  readonly name: string
  readonly version: number
  readonly updatedAt: string
  readonly bytes: number
  readonly [key: string]: unknown
}

const entryOf =
  ({ kind }: SeenTodos) =>
  ({ id, version, updatedAt, bytes, ...row }: TodoEntryRow): ObjectEntry => ({
    kind: TABLES[kind].object,
    id,
    name: row.name,
    version,
    bytes,
    updatedAt: new Date(updatedAt),
  })

/** All objects, by id. */
export async function list(db: Db | Tx, seen: SeenTodos): Promise<ObjectEntry[]> {
  const rows = await db.execute<TodoEntryRow>(sql`select ${columnsOf(seen)} from ${rowsOf(seen)} order by id`)
  return rows.map(entryOf(seen))
}

/** Finds objects by their names, of which each has at most one. */
export async function named(db: Db | Tx, seen: SeenTodos, names: readonly string[]): Promise<ObjectEntry[]> {
  const { table, within, object } = TABLES[seen.kind]
  const ownName = `^(?:${object}-)?([1-9][0-9]{0,8})(?:-[0-9]+@organiser[.]invalid)?[.]ics$`
  const found = (condition: SQL) => sql`
    select ${columnsOf(seen)} from wanted join ${table} on ${within} = ${seen.id} and ${condition} where ${nameOf(seen)} = wanted.given`
  const rows = await db.execute<TodoEntryRow>(sql`
    with wanted as (select given from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) as names (given))
    ${found(sql`object_name = wanted.given`)}
    union ${found(sql`object_name is null and wanted.given like '%.ics' and uid = left(wanted.given, -4)`)}
    union ${found(sql`id = substring(wanted.given, ${ownName}::text)::integer`)}`)
  return rows.map(entryOf(seen))
}

/** The object that has this UID. */
export async function withUid(tx: Tx, seen: SeenTodos, wanted: string): Promise<ObjectEntry | undefined> {
  const ownUid = `^${TABLES[seen.kind].object}-([1-9][0-9]{0,8})-`
  const rows = await tx.execute<TodoEntryRow>(sql`
    select ${columnsOf(seen)} from ${rowsOf(seen)} and (uid = ${wanted} or uid is null and ${uidOf(seen)} = ${wanted}
      and id = substring(${wanted}::text, ${ownUid}::text)::integer)`)
  return rows.map(entryOf(seen))[0]
}

interface FollowedTodo extends Omit<TodoEntryRow, 'id'> {
  readonly seq: number
  readonly id: number | null
  readonly name: string
  readonly version: number
  readonly updatedAt: string
  readonly bytes: number
  readonly former: readonly string[] | null
}

/** What changed after a place, each object once, in the order of its last change; up to `limit`. */
export async function changedSince(
  tx: Tx,
  seen: SeenTodos,
  place: number,
  limit: number,
): Promise<JournalItem[]> {
  const { table, within, object, scope } = TABLES[seen.kind]
  const rows = await tx.execute<FollowedTodo>(sql`
    select changed.seq::float8 as seq, ${columnsOf(seen)}, gone.names as former
    from (
      select item, seq from sync_changes
      where scope_kind = ${scope} and scope_id = ${seen.id} and seq > ${place} and type || '' = ${object}
      order by seq limit ${limit}
    ) as changed
    left join ${table} on id = changed.item and ${within} = ${seen.id}
    left join lateral (
      select jsonb_agg(dav_gone.name) as names from dav_gone
      where kind = ${seen.kind} and collection = ${seen.id} and dav_gone.item = changed.item
    ) as gone on true
    order by changed.seq`)
  const toEntry = entryOf(seen)
  return rows.map(({ seq, id, former, ...row }) => ({
    seq,
    object: id === null ? null : toEntry({ ...row, id }),
    former: former ?? [],
  }))
}

/** The UID and the version of an object, which is locked. */
export async function lock(tx: Tx, seen: SeenTodos, id: number) {
  const [row] = await tx.execute<{ uid: string; version: number }>(
    sql`select ${uidOf(seen)} as uid, version from ${rowsOf(seen)} and id = ${id} for no key update`,
  )
  return row
}

/** Puts an object of the user there, under the name. Returns its version. */
export async function putAt(
  tx: Tx,
  { kind, id: collection }: SeenTodos,
  id: number,
  { name, now }: { readonly name: string; readonly now: Date },
): Promise<number> {
  const { table, within } = TABLES[kind]
  const [row] = await tx.execute<{ version: number }>(sql`
    update ${table} set ${within} = ${collection}, object_name = ${name}, version = version + 1,
      updated_at = ${now.toISOString()}::timestamptz
    where id = ${id} returning version`)
  return row?.version ?? 0
}

export async function remove(tx: Tx, seen: SeenTodos, id: number): Promise<void> {
  await tx.execute(sql`delete from ${rowsOf(seen)} and id = ${id}`)
}
