import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import type { JournalItem, ObjectEntry } from '../sources/rules'

/** A list of todos of the user. */
export interface SeenList {
  readonly id: number
  readonly ownerId: number
}

const uid = sql`dav_uid(uid, 'todo', id, created_at)`
const name = sql`dav_name(object_name, ${uid}, id)`
const columns = sql`id, ${name} as name, version, updated_at as "updatedAt"`

interface TodoEntryRow {
  readonly id: number
  readonly name: string
  readonly version: number
  readonly updatedAt: string
  readonly [key: string]: unknown
}

const toEntry = ({ id, version, updatedAt, ...row }: TodoEntryRow): ObjectEntry => ({
  kind: 'todo',
  id,
  name: row.name,
  version,
  updatedAt: new Date(updatedAt),
})

/** All objects of a list, by id. */
export async function list(db: Db | Tx, { id }: SeenList): Promise<ObjectEntry[]> {
  const rows = await db.execute<TodoEntryRow>(
    sql`select ${columns} from todos where list_id = ${id} order by id`,
  )
  return rows.map(toEntry)
}

/** Finds objects of a list by their names, of which each has at most one. */
export async function named(db: Db | Tx, seen: SeenList, names: readonly string[]): Promise<ObjectEntry[]> {
  const found = (condition: SQL) => sql`
    select ${columns} from wanted join todos on list_id = ${seen.id} and ${condition} where ${name} = wanted.given`
  const rows = await db.execute<TodoEntryRow>(sql`
    with wanted as (select given from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) as names (given))
    ${found(sql`object_name = wanted.given`)}
    union ${found(sql`object_name is null and wanted.given like '%.ics' and uid = left(wanted.given, -4)`)}
    union ${found(sql`id = substring(wanted.given, '^(?:todo-)?([1-9][0-9]{0,8})(?:-[0-9]+@organiser[.]invalid)?[.]ics$')::integer`)}`)
  return rows.map(toEntry)
}

/** The object of a list that has this UID. */
export async function withUid(tx: Tx, { id }: SeenList, wanted: string): Promise<ObjectEntry | undefined> {
  const rows = await tx.execute<TodoEntryRow>(sql`
    select ${columns} from todos where list_id = ${id} and (uid = ${wanted} or uid is null and ${uid} = ${wanted}
      and id = substring(${wanted}::text, '^todo-([1-9][0-9]{0,8})-')::integer)`)
  return rows.map(toEntry)[0]
}

interface FollowedTodo extends Omit<TodoEntryRow, 'id'> {
  readonly seq: number
  readonly id: number | null
  readonly name: string
  readonly version: number
  readonly updatedAt: string
  readonly former: readonly string[] | null
}

/** What changed in a list after a place, each object once, in the order of its last change; up to `limit`. */
export async function changedSince(
  tx: Tx,
  { id: listId, ownerId }: SeenList,
  place: number,
  limit: number,
): Promise<JournalItem[]> {
  const rows = await tx.execute<FollowedTodo>(sql`
    select changed.seq::float8 as seq, ${columns}, gone.names as former
    from sync_changes as changed
    left join todos on todos.id = changed.item and list_id = ${listId}
    left join lateral (
      select array_agg(dav_gone.name) as names from dav_gone
      where kind = 'list' and collection = ${listId} and dav_gone.item = changed.item
    ) as gone on true
    where scope_kind = 'u' and scope_id = ${ownerId} and seq > ${place} and type || '' = 'todo'
      and (todos.id is not null or gone.names is not null)
    order by changed.seq limit ${limit}`)
  return rows.map(({ seq, id, former, ...row }) => ({
    seq,
    object: id === null ? null : toEntry({ ...row, id }),
    former: former ?? [],
  }))
}

/** Up to which place deletions of the user's things may be forgotten. */
export async function floorOf(tx: Tx, { ownerId }: SeenList): Promise<number> {
  const [row] = await tx.execute<{ floor: number }>(
    sql`select floor::float8 as floor from sync_scopes where kind = 'u' and id = ${ownerId}`,
  )
  return row?.floor ?? 0
}
