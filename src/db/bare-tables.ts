import type { Bulk } from './snapshot'

/** What is taken off a table while it is filled: how to drop it, and how to make it anew. */
interface Part {
  readonly drop: string
  readonly make: string
}

/**
 * Takes the foreign keys and indexes off the tables, and returns a function that makes them anew, as they were. Filling bare tables and
 * indexing them afterwards is several times faster than keeping the indexes up to date row by row, and a foreign key that is checked
 * at once needs no memory for each row. An index that a foreign key refers to stays, unless that is taken off too.
 */
export async function bare(sql: Bulk, tables: readonly string[]): Promise<() => Promise<void>> {
  const keys = await foreignKeysOf(sql, tables)
  for (const { drop } of keys) await sql.unsafe(drop)
  const indexes = await indexesOf(sql, tables)
  for (const { drop } of indexes) await sql.unsafe(drop)
  return async () => {
    for (const { make } of [...indexes, ...keys]) await sql.unsafe(make)
  }
}

const foreignKeysOf = (sql: Bulk, tables: readonly string[]) => sql<Part[]>`
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
  from pg_constraint
  where contype = 'f' and conrelid = any(${names(tables)}::text[]::regclass[])
  order by conrelid, conname`

/** An index behind a constraint goes and comes with that. Primary keys first, as they come first in the tables. */
const indexesOf = (sql: Bulk, tables: readonly string[]) => sql<Part[]>`
  select case when conname is null then format('drop index %s', indexrelid::regclass)
      else format('alter table %s drop constraint %I', indrelid::regclass, conname) end as drop,
    case when conname is null then pg_get_indexdef(indexrelid)
      else format('alter table %s add constraint %I %s', indrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) end as make
  from pg_index left join pg_constraint on conindid = indexrelid and contype in ('p', 'u', 'x')
  where indrelid = any(${names(tables)}::text[]::regclass[])
    and not exists (select from pg_constraint referring where referring.contype = 'f' and referring.conindid = indexrelid)
  order by indrelid, indisprimary desc, indexrelid`

const names = (tables: readonly string[]) => tables.map((name) => `public."${name.replaceAll('"', '""')}"`)
