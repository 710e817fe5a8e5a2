import { is, Param, Placeholder } from 'drizzle-orm'
import type { Db } from './client'
import { decoderOfRows, type Query, type Statement } from './rows'

type Value = string | number | boolean
type Values = Readonly<Record<string, Value>>

/** A statement that is known to the server; placeholders take values as the driver sends them. */
export interface Prepared<Row> {
  readonly sql: string
  execute(values?: Values): Promise<Row[]>
}

/** What makes another statement of a query: which conditions it has, how it is sorted. */
type Shape = ReadonlyArray<string | number | boolean | undefined>

/**
 * A query that is built and prepared once per database and shape, on first use: building a Drizzle query per call costs
 * several times what running it does. There must be few shapes, as each connection keeps what it has prepared.
 */
export function prepared<Row, S extends Shape = []>(
  build: (db: Db, ...shape: S) => Statement<Row>,
): (db: Db, ...shape: S) => Prepared<Row> {
  const known = new WeakMap<Db, Map<string, Prepared<Row>>>()
  return (db, ...shape) => {
    const key = shape.join()
    const found = known.get(db)?.get(key)
    if (found) return found
    const made = prepare(db, build(db, ...shape))
    known.set(db, (known.get(db) ?? new Map<string, Prepared<Row>>()).set(key, made))
    return made
  }
}

function prepare<Row>(db: Db, statement: Statement<Row>): Prepared<Row> {
  const { sql, params } = withNumbers(statement.getQuery())
  const decode = decoderOfRows<Row>(statement)
  const fill = params.map(filler)
  return {
    sql,
    async execute(values = {}) {
      const given = fill.map((value) => value(values))
      const rows = await db.$client.unsafe(sql, given, { prepare: true }).values()
      return rows.map(decode)
    },
  }
}

/** A query with the numbers that are always the same in its text: the planner knows how many rows are wanted. */
function withNumbers({ sql, params }: Query): Query {
  const left = params.filter((param) => typeof param !== 'number')
  let count = 0
  const text = sql.replaceAll(/\$(\d+)/g, (_, index: string) => {
    const param = params[Number(index) - 1]
    return typeof param === 'number' ? `(${param})` : `$${++count}`
  })
  // A text with a `$1` of its own, or parameters in another order.
  if (count !== left.length) throw new Error('the parameters of the statement cannot be told')
  return { sql: text, params: left }
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
