import { is, Param, Placeholder } from 'drizzle-orm'
import type { Db, Tx } from './client'
import { decoderOfRows, type Query, type Statement } from './rows'

type Value = string | number | boolean | null
type Values = Readonly<Record<string, Value>>

/** A statement that the server keeps prepared. Placeholders take values in the driver's format. */
interface Prepared<Row> {
  execute(values?: Values): Promise<Row[]>
}

/** The parts of a query that change its SQL: its conditions and its order. */
type Shape = ReadonlyArray<string | number | boolean | undefined>

/**
 * Builds a query once per shape, on first use, and prepares it: building a Drizzle query takes several times as long as running
 * it. Use few shapes, because each connection keeps its prepared statements.
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

/** The client that Drizzle uses for a database or a transaction. */
function clientOf(db: Db | Tx): Db['$client'] {
  const client: Db['$client'] | undefined = Reflect.get(db._.session, 'client')
  if (typeof client?.unsafe !== 'function') throw new Error('Drizzle keeps its client elsewhere')
  return client
}

/** Writes constant numbers into the SQL, so that the planner knows how many rows are wanted. */
function withNumbers({ sql, params }: Query): Query {
  const left = params.filter((param) => typeof param !== 'number')
  let count = 0
  const text = sql.replaceAll(/\$(\d+)/g, (_, index: string) => {
    const param = params[Number(index) - 1]
    return typeof param === 'number' ? `(${param})` : `$${++count}`
  })
  // A text contains `$1` itself, or the parameters are in another order.
  if (count !== left.length) throw new Error('cannot match the parameters of the statement')
  return { sql: text, params: left }
}

/** Returns how to get a parameter's value: from the placeholder's name, or from the query itself. */
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
