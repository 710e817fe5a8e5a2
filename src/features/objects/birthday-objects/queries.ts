import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import type { Collection } from '../collections/rules'
import type { JournalItem, ObjectEntry } from '../sources/rules'
import { birthdayName, type Celebrated } from './rules'

interface NotedRow {
  readonly id: number
  readonly seq: number
  readonly at: string
  readonly [key: string]: unknown
}

/** The tag moves with the note in the journal, which follows what is shown of a person and nothing else. */
const toEntry = ({ id, seq, at }: NotedRow): ObjectEntry => ({
  kind: 'birthday',
  id,
  name: birthdayName(id),
  version: seq,
  updatedAt: new Date(at),
})

/** The calendar of birthdays of a user. */
type Birthdays = Pick<Collection, 'id' | 'ownerId'>

const noted = ({ id, ownerId }: Birthdays, condition: SQL) => sql`
  select people.id, seq::float8 as seq, sync_changes.at from people
  join sync_changes on scope_kind = 'c' and scope_id = ${id} and type = 'birthday' and item = people.id
  where user_id = ${ownerId} and birthday is not null and ${condition} order by people.id`

/** All birthdays that a user knows, by person. */
export const list = async (db: Db | Tx, seen: Birthdays): Promise<ObjectEntry[]> =>
  (await db.execute<NotedRow>(noted(seen, sql`true`))).map(toEntry)

const idsIn = (ids: readonly number[]) =>
  sql`people.id in (select id::integer from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as given (id))`

/** The birthdays of these people. */
export const find = async (db: Db | Tx, seen: Birthdays, ids: readonly number[]): Promise<ObjectEntry[]> =>
  (await db.execute<NotedRow>(noted(seen, idsIn(ids)))).map(toEntry)

/** What is shown of these people. */
export async function read(
  db: Db | Tx,
  ownerId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Celebrated>> {
  const rows = await db.execute<
    Omit<Celebrated, 'createdAt'> & { readonly createdAt: string; readonly [key: string]: unknown }
  >(sql`
    select id, first_name as "firstName", last_name as "lastName", nickname, birthday, created_at as "createdAt"
    from people where user_id = ${ownerId} and birthday is not null and ${idsIn(ids)}`)
  return new Map(rows.map((row) => [row.id, { ...row, createdAt: new Date(row.createdAt) }]))
}

/** What changed after a place, each once, in the order of its last change; up to `limit`. */
export async function changedSince(
  db: Db | Tx,
  { id, ownerId }: Birthdays,
  place: number,
  limit: number,
): Promise<JournalItem[]> {
  const rows = await db.execute<NotedRow & { readonly isThere: boolean }>(sql`
    select item as id, seq::float8 as seq, at, exists (
      select from people where id = item and user_id = ${ownerId} and birthday is not null
    ) as "isThere"
    from sync_changes
    where scope_kind = 'c' and scope_id = ${id} and seq > ${place} and type || '' = 'birthday' order by seq limit ${limit}`)
  return rows.map((row) => ({
    seq: row.seq,
    object: row.isThere ? toEntry(row) : null,
    former: [birthdayName(row.id)],
  }))
}
