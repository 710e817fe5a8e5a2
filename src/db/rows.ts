import { Column, type DriverValueDecoder, getTableName, is, noopDecoder, SQL } from 'drizzle-orm'
import { PgTimestamp } from 'drizzle-orm/pg-core'

export interface Query {
  readonly sql: string
  readonly params: unknown[]
}

/** The result of Drizzle's `.prepare('<unique name>')`. */
export interface Statement<Row> {
  getQuery(): Query
  execute(values?: Record<string, unknown>): Promise<Row[]>
}

type RowValues = readonly unknown[]

type Decode = (value: unknown) => unknown

interface Field {
  readonly name: string
  readonly index: number
  /** Undefined when the driver already returns the right value. */
  readonly decode: Decode | undefined
}

/** The columns of one table, or the columns at the top level of a row. */
interface Group {
  readonly name: string | undefined
  readonly fields: readonly Field[]
  /** The group is null when its first field is null: the join found no row of that table. */
  readonly isOptional: boolean
}

/**
 * Decodes rows with the columns' own decoders, with the same result as Drizzle. Drizzle works out anew for each value where it
 * belongs, which takes a tenth of the time of a hot read, and a third of that of a list of thousands.
 */
export function decoderOfRows<Row>(statement: Statement<Row>): (values: RowValues) => Row {
  const selected: unknown = Reflect.get(statement, 'fields')
  if (!Array.isArray(selected) || selected.length === 0)
    throw new Error('Drizzle tells no fields of the statement')
  const fields = selected.map((one: Selected, index) => ({ ...one, index }))
  const joined: Joined | undefined = Reflect.get(statement, 'joinsNotNullableMap')
  const groups = [...Map.groupBy(fields, groupName)].map(([name, own]) => toGroup(name, own, joined))
  const decode = (values: RowValues) => {
    const row: Record<string, unknown> = {}
    for (const group of groups) {
      if (group.name === undefined) fill(row, group, values)
      else row[group.name] = isMissing(group, values) ? null : fill({}, group, values)
    }
    return row
  }
  return (values) => Object(decode(values))
}

interface Selected {
  readonly path: readonly string[]
  readonly field: unknown
}

/** For each table: whether every result has a row of it. */
type Joined = Readonly<Record<string, boolean>>

function groupName({ path }: Selected): string | undefined {
  if (path.length > 2) throw new Error('a row is nested deeper than tables and columns')
  return path.length === 2 ? path[0] : undefined
}

function toGroup(
  name: string | undefined,
  selected: ReadonlyArray<Selected & { readonly index: number }>,
  joined: Joined | undefined,
): Group {
  if (name !== undefined && typeof joined !== 'object') throw new Error('Drizzle tells nothing of the joins')
  const fields = selected.map(({ path, field, index }) => ({
    name: path.at(-1) ?? '',
    index,
    decode: decoderOf(field),
  }))
  const tables = new Set(selected.map(({ field }) => (is(field, Column) ? getTableName(field.table) : '')))
  const [table = ''] = tables
  return { name, fields, isOptional: tables.size === 1 && joined?.[table] === false }
}

const isMissing = ({ isOptional, fields: [first] }: Group, values: RowValues) =>
  isOptional && first !== undefined && values[first.index] === null

function fill(target: Record<string, unknown>, { fields }: Group, values: RowValues) {
  for (const { name, index, decode } of fields) {
    const value = values[index]
    target[name] = value === null || decode === undefined ? value : decode(value)
  }
  return target
}

function decoderOf(field: unknown): Decode | undefined {
  if (is(field, SQL.Aliased)) return decoderOf(field.sql)
  if (is(field, SQL)) return decoderOfSql(field)
  if (is(field, Column)) return decoderOfColumn(field)
  throw new Error('only columns and SQL can be selected')
}

function decoderOfSql(field: SQL): Decode | undefined {
  const decoder: DriverValueDecoder<unknown, unknown> | undefined = Reflect.get(field, 'decoder')
  if (typeof decoder?.mapFromDriverValue !== 'function')
    throw new Error('Drizzle tells no decoder of the SQL')
  return decoder === noopDecoder ? undefined : (value) => decoder.mapFromDriverValue(value)
}

function decoderOfColumn(column: Column): Decode | undefined {
  const map: Decode | undefined = Reflect.get(column, 'mapFromDriverValue')
  if (typeof map !== 'function') throw new Error('Drizzle tells no decoder of the column')
  if (map === Column.prototype.mapFromDriverValue) return undefined
  // A subquery's column is a proxy of a proxy, and a timestamp column checks its time zone for each value, so both are slow.
  if (is(column, PgTimestamp) && column.withTimezone) return (value) => new Date(String(value))
  return (value) => map.call(column, value)
}
