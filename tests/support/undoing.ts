import { sql } from 'drizzle-orm'
import { IN_ORDER } from '../../src/lib/history-tables'
import type { Db } from '../../src/db/client'
import type { Actor, Harness } from './harness'
import type { Answered } from './inviting'

/** What the tests of undoing do over and over. */

export type Undoer = Pick<Actor, 'request'>

/** Sends what has to succeed, and returns the answer with the id of its operation. */
export async function did(actor: Undoer, request: string, body?: unknown, type?: string) {
  const [method = '', path = ''] = request.split(' ')
  const answered = await actor.request(method, path, {
    ...(body !== undefined && { body }),
    ...(type !== undefined && { headers: { 'content-type': type } }),
  })
  if (answered.status >= 300)
    throw new Error(`${request}: ${answered.status} ${JSON.stringify(answered.body)}`)
  return { operation: answered.headers.get('x-operation-id') ?? '', body: answered.body }
}

export const undo = (actor: Undoer, operation: string): Promise<Answered> =>
  actor.request('POST', `/api/operations/${operation}/undo`)

/** Undoes what has to be undoable, and returns the id of the undoing. */
export async function undone(actor: Undoer, operation: string): Promise<string> {
  const answered = await undo(actor, operation)
  if (answered.status !== 200) throw new Error(`${answered.status} ${JSON.stringify(answered.body)}`)
  return answered.body.operation_id
}

/** All rows of which history is kept, by table and key, but for versions and the times of changes. */
export async function rowsOf(db: Db): Promise<ReadonlyMap<string, unknown>> {
  const all = new Map<string, unknown>()
  for (const table of IN_ORDER) {
    const rows = await db.execute<{ row: Readonly<Record<string, unknown>> }>(
      sql`select to_jsonb(t) - 'version' - 'updated_at' - 'search' as row from ${sql.identifier(table)} as t order by t::text collate "C"`,
    )
    const sorted = rows.map(({ row }) => JSON.stringify(row)).toSorted()
    for (const [place, row] of sorted.entries()) all.set(`${table} ${place}`, JSON.parse(row))
  }
  return all
}

/** What clients read of all of somebody's things, but for versions and the times of changes. */
export async function exported({ request }: Undoer): Promise<unknown> {
  const { body } = await request('GET', '/api/export')
  return JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    ['version', 'updated_at', 'exported_at'].includes(name) ? undefined : value,
  )
}

/** Number of rows in the history. */
export async function historyRows({ db }: Pick<Harness, 'db'>, operation?: string): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    operation === undefined
      ? sql`select count(*)::integer as count from history`
      : sql`select count(*)::integer as count from history where operation = ${operation}::uuid`,
  )
  return row?.count ?? 0
}

/** What became of an undoing, in short: `409 Changed since`. */
export const brief = ({ status, body }: Answered): string => `${status} ${body.detail ?? 'undone'}`
