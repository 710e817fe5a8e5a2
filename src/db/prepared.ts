import { is, Param, Placeholder } from 'drizzle-orm'
import type { Db, Tx } from './client'
import { decoderOfRows, type Query, type Statement } from './rows'

type Value = string | number | boolean | null
type Values = Readonly<Record<string, Value>>

/** A statement that the server keeps prepared; placeholders take values as the driver sends them. */
interface Prepared<Row> {
  execute(values?: Values): Promise<Row[]>
}

/** What makes another statement of a query: which conditions it has, how it is sorted. */
type Shape = ReadonlyArray<string | number | boolean | undefined>

/**
 * A query that is built once per shape, on first use, and prepared: building a Drizzle query per call costs several times
 * what running it does. There must be few shapes, as each connection keeps what it has prepared.
 */
export function prepared<Row, S extends Shape = []>(
  build: (db: Db | Tx, ...shape: S) => Statement<Row>,
): (db: Db | Tx, ...shape: S) => Prepared<Row> {
  const known = new Map<string, Built<Row>>()
  return (db, ...shape) => {
    const key = shape.join()
    const built = known.get(key) ?? toBuilt(build(db, ...shape))
    known.set(key, built)
    return { execute: (values = {}) => run(db, built, values) }
  }
}

interface Built<Row> {
  readonly sql: string
  readonly fill: ReadonlyArray<(values: Values) => Value>
  readonly decode: (values: readonly unknown[]) => Row
}

function toBuilt<Row>(statement: Statement<Row>): Built<Row> {
  const { sql, params } = withNumbers(statement.getQuery())
  return { sql, fill: params.map(filler), decode: decoderOfRows<Row>(statement) }
}

async function run<Row>(db: Db | Tx, { sql, fill, decode }: Built<Row>, values: Values): Promise<Row[]> {
  const given = fill.map((value) => value(values))
  const rows = await clientOf(db).unsafe(sql, given, { prepare: true }).values()
  return rows.map(decode)
}

/** The client that Drizzle runs the statements of a database or a transaction on. */
function clientOf(db: Db | Tx): Db['$client'] {
  const client: Db['$client'] | undefined = Reflect.get(db._.session, 'client')
  if (typeof client?.unsafe !== 'function') throw new Error('Drizzle keeps its client elsewhere')
  return client
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
  if (isValue(value)) return () => value
  throw new Error('a prepared statement takes texts, numbers, booleans and null only')
}

const isValue = (value: unknown): value is Value =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
