import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { operations } from '../../../db/schema'
import { hasKey, keyArray, tableNamed, titleOf } from '../../../db/history-images'
import { isFinal } from './queries.settings'
import type { TouchedRow } from './rules'
import { type TableName, tableOf, TRASH_TYPES } from '../../../lib/history-tables'

export type OperationRow = typeof operations.$inferSelect

export const find = async (db: Db | Tx, id: string): Promise<OperationRow | undefined> =>
  (await db.select().from(operations).where(eq(operations.id, id)))[0]

/** Locks the operation, so that it is undone once. */
export const lock = async (tx: Tx, id: string): Promise<OperationRow | undefined> =>
  (await tx.select().from(operations).where(eq(operations.id, id)).for('update'))[0]

/** Notes by what an operation was undone. What that one had undone itself can be undone again. */
export async function markUndone(tx: Tx, id: string, undoneBy: string): Promise<void> {
  await tx.update(operations).set({ undoneBy }).where(eq(operations.id, id))
  await tx.update(operations).set({ undoneBy: null }).where(eq(operations.undoneBy, id))
}

/** An operation in the list, with the first rows that it has touched, and what the first of them is called. */
export interface ListedOperation {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly isUndone: boolean
  readonly isRenaming: boolean
  readonly isFinal: boolean
  readonly hasHistory: boolean
  readonly sessionId: string | null
  readonly userAgent: string | null
  readonly tokenId: number | null
  readonly tokenName: string | null
  readonly title: string | null
  readonly rows: ReadonlyArray<Pick<TouchedRow, 'table' | 'key' | 'wasIn' | 'isIn'>> | null
}

/** Enough rows to name twenty items. */
const FIRST_ROWS = 60

/** What a row without an image is called now. */
const titleNow: SQL = sql`case first.tab ${sql.join(
  TRASH_TYPES.map(tableOf).map(
    (
      table,
    ) => sql`when ${table} then (select ${titleOf(sql`to_jsonb(there)`)} from ${tableNamed(table)} as there
      where first.tab = ${table} and ${hasKey(table, 'there', sql`first.row_key`)})`,
  ),
  sql` `,
)} end`

interface Listing {
  readonly userId: number
  /** The tables whose rows the reader may know of. */
  readonly tables: readonly TableName[]
  readonly after: string | undefined
  readonly limit: number
}

/** The operations of the user after the one with this id, newest first. */
export async function list(db: Db, { userId, tables, after, limit }: Listing): Promise<ListedOperation[]> {
  const before = after === undefined ? sql`true` : sql`id < ${after}::uuid`
  return db.execute<ListedOperation & Record<string, unknown>>(sql`
    select page.id, page.name, to_char(page.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      page.undone_by is not null as "isUndone", touched.rows is not null as "hasHistory",
      exists (select from history where operation = page.id and tab = 'users' and before -> 'is_renamed' = 'true'::jsonb) as "isRenaming",
      ${isFinal(sql`page.id`)} as "isFinal",
      sessions.public_id as "sessionId", sessions.user_agent as "userAgent",
      access_tokens.id as "tokenId", access_tokens.name as "tokenName", touched.rows, first.title
    from (
      select * from operations where user_id = ${userId}::integer and ${before} order by id desc limit ${limit}::integer
    ) as page
      left join sessions on sessions.id = page.credential
      left join access_tokens on access_tokens.id = substring(page.credential, '^token-([0-9]{1,9})$')::integer
      left join lateral (
        select jsonb_agg(jsonb_build_object('table', tab, 'key', row_key, 'wasIn', (before ->> 'event_id')::integer, 'isIn', null)
          order by id) as rows
        from (
          select id, tab, row_key, before from history
          where operation = page.id and owner_id is not null and tab = any(${keyArray(tables)}) order by id limit ${FIRST_ROWS}::integer
        ) as firsts
      ) as touched on true
      left join lateral (
        select case when first.before is not null then ${titleOf(sql`first.before`)} else coalesce(
            (select ${titleOf(sql`later.before`)} from history as later
              where later.tab = first.tab and later.row_key = first.row_key and later.id > first.id and later.before is not null
              order by later.id limit 1),
            ${titleNow}
          ) end as title
        from (
          select * from history where operation = page.id and owner_id is not null and tab = any(${keyArray(tables)})
            and tab = any(${keyArray(TRASH_TYPES.map(tableOf))}) order by id limit 1
        ) as first
      ) as first on true
    order by page.id desc`)
}
