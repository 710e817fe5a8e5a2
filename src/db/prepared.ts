import { is, Param, Placeholder } from 'drizzle-orm'
import type { Db } from './client'
import { decoderOfRows, type Statement } from './rows'

type Value = string | number | boolean
type Values = Readonly<Record<string, Value>>

/** A statement that is known to the server; placeholders take values as the driver sends them. */
export interface Prepared<Row> {
  readonly sql: string
  execute(values?: Values): Promise<Row[]>
}

/**
 * A query that is built and prepared once per database, on first use: building a Drizzle query per call costs several
 * times what running it does.
 */
export function prepared<Row>(build: (db: Db) => Statement<Row>): (db: Db) => Prepared<Row> {
  const known = new WeakMap<Db, Prepared<Row>>()
  return (db) => {
    const found = known.get(db)
    if (found) return found
    const statement = build(db)
    const { sql, params } = statement.getQuery()
    const decode = decoderOfRows<Row>(statement)
    const fill = params.map(filler)
    const query: Prepared<Row> = {
      sql,
      async execute(values = {}) {
        const given = fill.map((value) => value(values))
        const rows = await db.$client.unsafe(sql, given, { prepare: true }).values()
        return rows.map(decode)
      },
    }
    known.set(db, query)
    return query
  }
}

/** Where a parameter's value comes from: a placeholder's name, or the query itself. */
function filler(param: unknown): (values: Values) => Value {
  const value = is(param, Param) ? param.value : param
  if (is(value, Placeholder)) {
    const { name } = value
    return (values) => {
      const given = values[name]
      if (given === undefined) throw new Error(`the prepared statement is given no ${name}`)
      return given
    }
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new Error('a prepared statement takes texts, numbers and booleans only')
  }
  return () => value
}

/** Runs a query of which many rows may come: decoding them as those of a prepared statement takes a third of the time. */
export async function manyRows<Row>(
  db: Db,
  query: { prepare(name: string): Statement<Row> },
): Promise<Row[]> {
  const statement = query.prepare('')
  const { sql, params } = statement.getQuery()
  const given = params.map((param) => filler(param)({}))
  // Without a name, so that it is planned for its values.
  const rows = await db.$client.unsafe(sql, given).values()
  const decode = decoderOfRows(statement)
  return rows.map((values) => decode(values))
}
