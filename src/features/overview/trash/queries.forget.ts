import { sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { hasKey, keyArray, tableNamed } from '../../../db/history-images'
import type { Reference, TableName } from '../../../lib/history-tables'

/** Statements that find and delete what the history has of records that are gone for good. */

interface Within {
  readonly table: TableName
  /** In what its rows stood. */
  readonly parent: Reference
  /** The keys of the parents that are gone. */
  readonly keys: readonly string[]
  /** To whom the parents belonged. */
  readonly ownerId: number
}

/**
 * The keys of rows that stood in these parents last, and are gone, whenever that was. Rows that went with another one name no owner:
 * the operation that took them also touched what they were in.
 */
export async function keysWithin(tx: Tx, { table, parent, keys, ownerId }: Within): Promise<string[]> {
  const parentOf = sql`before ->> ${sql.raw(`'${parent.column}'`)}`
  const isWithin = sql`tab = ${table} and ${parentOf} in (select key from parents)`
  const rows = await tx.execute<{ key: string }>(sql`
    with parents as materialized (select unnest(${keyArray(keys)}) as key),
    parts as materialized (
      select row_key from history where owner_id = ${ownerId}::integer and ${isWithin}
      union
      select row_key from history where ${isWithin} and operation in (
        select operation from history where tab = ${parent.to} and row_key in (select key from parents))
    )
    select row_key as key from parts
    where not exists (select from ${tableNamed(table)} as there where ${hasKey(table, 'there', sql`parts.row_key`)})
      and (select ${parentOf} from history where tab = ${table} and row_key = parts.row_key and before is not null
        order by id desc limit 1) in (select key from parents)`)
  return rows.map(({ key }) => key)
}

/** Forgets everything about these rows. */
export async function forget(tx: Tx, table: TableName, keys: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from history where tab = ${table} and row_key = any(${keyArray(keys)})`)
}
