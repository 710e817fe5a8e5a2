import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { bigints, columnNamed, hasKey, keyArray, tableNamed } from '../../../db/history-images'
import { FINAL_SETTINGS } from './queries.settings'
import { equal } from './queries.taken'
import { rulesOf, type TableName } from '../../../lib/history-tables'

/** Statements that make rows as they were. */

/** Columns that no image has, or that nobody may set. */
const LEFT_OUT: Readonly<Partial<Record<TableName, readonly string[]>>> = { settings: FINAL_SETTINGS }

/** The columns of a table that an image restores. */
export async function columnsOf(tx: Tx, table: TableName): Promise<string[]> {
  if (table === 'users') return ['date_of_birth', 'updated_at']
  const rows = await tx.execute<{ name: string }>(sql`
    select attname as name from pg_attribute where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' order by attnum`)
  const names = rows.map(({ name }) => name)
  return names.filter((name) => !LEFT_OUT[table]?.includes(name))
}

const field = (name: string) => sql`(image ->> ${name}::text)`
const idField = (name: string) => sql`${field(name)}::integer`

/** Another default calendar or list stays the default. */
const isStillDefault = (
  table: 'calendars' | 'todo_lists',
) => sql`jsonb_build_object('is_default', ${field('is_default')}::boolean and not exists (
    select from ${tableNamed(table)} as other
    where other.user_id = ${idField('user_id')} and other.is_default and other.id <> ${idField('id')}))`

/** The address book, or the default one where it is gone. */
const bookOrDefault = sql`coalesce(
    (select id from address_books where id = ${idField('book_id')} and user_id = ${idField('user_id')}),
    (select id from address_books where user_id = ${idField('user_id')} and is_default))`

const listStill = sql`(
    select id from todo_lists where id = ${idField('list_id')} and user_id = ${idField('user_id')})`

/** What an image must not bring back as it was, because the rest of the database has moved on. */
const CORRECTIONS: Readonly<Partial<Record<TableName, SQL>>> = {
  calendars: isStillDefault('calendars'),
  todo_lists: isStillDefault('todo_lists'),
  // A trigger puts a todo without a list into the default one, and another takes from it what another todo is called there.
  todos: sql`jsonb_build_object('list_id', ${listStill})`,
  // One that has the name of another object by now has the name that objects have by themselves.
  events: sql`jsonb_build_object('object_name', case when not exists (
    select from events as other where other.calendar_id = ${idField('calendar_id')} and other.object_name = ${field('object_name')}
      and other.id <> ${idField('id')}) then ${field('object_name')} end)`,
  event_templates: sql`jsonb_build_object('calendar_id', (
    select id from calendars where id = ${idField('calendar_id')} and user_id = ${idField('user_id')}))`,
  event_invitations: sql`jsonb_build_object('display_calendar_id', (
    select id from calendars where id = ${idField('display_calendar_id')} and user_id = ${idField('user_id')}))`,
  loose_cards: sql`jsonb_build_object('book_id', ${bookOrDefault})`,
  people: sql`jsonb_build_object('book_id', ${bookOrDefault}, 'linked_user_id', (
    select other_user_id from connections where user_id = ${idField('user_id')} and other_user_id = ${idField('linked_user_id')}
      and not exists (select from people as other where other.user_id = ${idField('user_id')}
        and other.linked_user_id = ${idField('linked_user_id')} and other.id <> ${idField('id')})))`,
}

/** Rows that come back only where they still may: invitations of connected users, with their answers. */
const CONDITIONS: Readonly<Partial<Record<TableName, SQL>>> = {
  event_invitations: sql`exists (
    select from events join calendars on calendars.id = events.calendar_id
      join connections on connections.user_id = calendars.user_id
    where events.id = restored.event_id and connections.other_user_id = restored.user_id
      and connections.created_at <= images.kept_at)`,
  occurrence_responses: sql`exists (select from event_invitations where id = restored.invitation_id)`,
}

export interface Restored {
  readonly table: TableName
  readonly columns: readonly string[]
  /** The rows of the history with the images. */
  readonly historyIds: readonly number[]
  /** What differs from the images, by row of the history. */
  readonly patches: ReadonlyMap<number, Readonly<Record<string, unknown>>>
  readonly now: Date
}

/** The images with their corrections, as rows of the table; `version` is the highest that each has ever had. */
function images({ table, columns, historyIds, patches, now }: Restored): SQL {
  const given = JSON.stringify(Object.fromEntries(patches))
  const version = columns.includes('version')
    ? sql`|| jsonb_build_object('version', coalesce((
        select max((before ->> 'version')::integer) from history as known
        where known.tab = ${table} and known.row_key = history.row_key), 0))`
    : sql``
  const changedAt = columns.includes('updated_at')
    ? sql`|| jsonb_build_object('updated_at', ${now.toISOString()}::text)`
    : sql``
  return sql`(
    select history.row_key as restored_key, history.at as kept_at, image || ${CORRECTIONS[table] ?? sql`'{}'::jsonb`} as image
    from history cross join lateral (
      select history.before || coalesce(${given}::jsonb -> history.id::text, '{}'::jsonb) ${version} ${changedAt} as image
    ) as corrected
    where history.id = any(${bigints(historyIds)})
  ) as images cross join lateral jsonb_populate_record(null::${tableNamed(table)}, images.image) as restored`
}

/** Inserts rows with their former ids. */
export async function insertAll(tx: Tx, restored: Restored): Promise<void> {
  const { table, columns } = restored
  const names = sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  )
  const values = columns.map((column) =>
    column === 'version' ? sql`restored.version + 1` : columnNamed('restored', column),
  )
  await tx.execute(sql`
    insert into ${tableNamed(table)} (${names}) overriding system value
    select ${sql.join(values, sql`, `)} from ${images(restored)} where ${CONDITIONS[table] ?? sql`true`}`)
}

/** Locks how many answers the guests have by ascending user: triggers count answers that come back guest by guest, in any order. */
export async function holdCounts(tx: Tx, answers: readonly string[]): Promise<void> {
  await tx.execute(sql`
    select from tallies where kind = 'responses' and owner_id in (
      select user_id from event_invitations where id in (
        select split_part(answer, '/', 1)::integer from unnest(${keyArray(answers)}) as answer
      )
    ) order by owner_id for update`)
}

/** Makes rows that are there as they were. */
export async function updateAll(tx: Tx, restored: Restored): Promise<void> {
  const { table, columns } = restored
  const { key } = rulesOf(table)
  const sets = columns
    .filter((column) => !key.includes(column))
    .map((column) =>
      column === 'version'
        ? sql`version = greatest(there.version, restored.version) + 1`
        : sql`${sql.identifier(column)} = ${columnNamed('restored', column)}`,
    )
  if (sets.length === 0) return
  await tx.execute(sql`
    update ${tableNamed(table)} as there set ${sql.join(sets, sql`, `)}
    from ${images(restored)} where ${hasKey(table, 'there', sql`images.restored_key`)}`)
}

interface Relinked {
  /** What deleted the calendar. */
  readonly operation: string
  readonly key: string
  readonly now: Date
}

/** Makes rows of the same user that named the calendar name it again, unless they name another one meanwhile. */
export async function relink(tx: Tx, table: TableName, { operation, key, now }: Relinked): Promise<void> {
  const { link } = rulesOf(table)
  if (!link) return
  const isVersioned = (await columnsOf(tx, table)).includes('version')
  await tx.execute(sql`
    update ${tableNamed(table)} as there set ${sql.identifier(link.column)} = target.id,
      updated_at = ${now.toISOString()}::timestamptz ${isVersioned ? sql`, version = version + 1` : sql``}
    from history as was join ${tableNamed(link.to)} as target on target.id = (was.before ->> ${link.column}::text)::integer
    where was.operation = ${operation}::uuid and was.tab = ${table} and was.before ->> ${link.column}::text = ${key}
      and ${hasKey(table, 'there', sql`was.row_key`)}
      and ${columnNamed('there', link.column)} is null and there.user_id = target.user_id`)
}

export async function deleteAll(tx: Tx, table: TableName, keys: readonly string[]): Promise<void> {
  await tx.execute(sql`
    delete from ${tableNamed(table)} as there using unnest(${keyArray(keys)}) as gone (key)
    where ${hasKey(table, 'there', sql`gone.key`)}`)
}

/** What rows give up, so that they can take it from each other: the column, and its value meanwhile; always, or only where another row wants it. */
type Release = readonly [column: string, value: SQL, when?: 'wanted']

const RELEASES: Readonly<Partial<Record<TableName, readonly Release[]>>> = {
  calendars: [['is_default', sql`false`]],
  todo_lists: [['is_default', sql`false`]],
  people: [
    ['linked_user_id', sql`null::integer`],
    ['vcard_uid', sql`'urn:released:' || there.id`, 'wanted'],
    ['object_name', sql`null::text`, 'wanted'],
  ],
  loose_cards: [
    ['uid', sql`'urn:released:' || there.id`, 'wanted'],
    ['object_name', sql`null::text`, 'wanted'],
  ],
}

/** A place after all siblings, and after those that others of the rows take meanwhile. */
function placeAside(table: TableName, list: readonly string[]): SQL {
  const isSibling = list.map((column) =>
    equal(columnNamed('sibling', column), columnNamed('there', column), column),
  )
  return sql`(select floor(max(sibling.rank)) from ${tableNamed(table)} as sibling
    where ${sql.join(isSibling, sql` and `)}) + 1000000 + row_number() over (order by there.id)`
}

/** Takes rows that will be gone, or have something else that is unique, out of the way of the others. */
export async function release(tx: Tx, table: TableName, historyIds: readonly number[]): Promise<void> {
  const { list } = rulesOf(table)
  if (list) await releaseColumn(tx, table, historyIds, ['rank', placeAside(table, list)])
  for (const given of RELEASES[table] ?? []) await releaseColumn(tx, table, historyIds, given)
}

async function releaseColumn(
  tx: Tx,
  table: TableName,
  historyIds: readonly number[],
  [column, value, when]: Release,
): Promise<void> {
  const name = sql.identifier(column)
  const isWanted = sql`there.${name} in (select before ->> ${column}::text from history where id = any(${bigints(historyIds)}))`
  await tx.execute(sql`
    update ${tableNamed(table)} as there set ${name} = aside.value
    from (
      select there.id, ${value} as value from ${tableNamed(table)} as there join history on history.row_key::integer = there.id
        left join lateral jsonb_populate_record(null::${tableNamed(table)}, history.before) as image on true
      where history.id = any(${bigints(historyIds)}) and there.${name} is distinct from image.${name}
        ${when ? sql`and ${isWanted}` : sql``}
    ) as aside
    where aside.id = there.id`)
}
