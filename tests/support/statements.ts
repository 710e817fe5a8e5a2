import type { Sql } from 'postgres'
import type { Db } from '../../src/db/client'

/** A statement as it went to the database. */
export interface Statement {
  readonly text: string
  readonly params: unknown[]
  readonly isInTransaction: boolean
}

/** The statements that `db` sends from now until it is disposed of. */
export function observed(db: Db): Statement[] & Disposable {
  const { session } = db._
  const client: Db['$client'] = Reflect.get(session, 'client')
  const log: Statement[] = []
  Reflect.set(session, 'client', spied(client, log))
  return Object.assign(log, { [Symbol.dispose]: () => void Reflect.set(session, 'client', client) })
}

type Unsafe = (text: string, params?: unknown[], options?: unknown) => unknown
type Begin = (work: (tx: object) => unknown) => unknown

/** `client` of postgres.js, or a transaction of it, that writes down what it is given: Drizzle's statements and prepared ones. */
export function spied<T extends object>(client: T, log: Statement[], isInTransaction = false): T {
  return new Proxy(client, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (key === 'unsafe') {
        return (text: string, params: unknown[] = [], options?: unknown) => {
          log.push({ text, params, isInTransaction })
          return (member as Unsafe).call(target, text, params, options)
        }
      }
      if (key !== 'begin') return member
      return (work: (tx: object) => unknown) => (member as Begin)((tx) => work(spied(tx, log, true)))
    },
  })
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  const text = value instanceof Date ? value.toISOString() : value
  return typeof text === 'string' ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text)
}

/** Times after which PostgreSQL may plan a prepared statement once for all values, as it may do in the service. */
const TIMES = 6

/** Runs the statement as often as it takes; answers what PostgreSQL then does for it. */
export async function planOf(
  client: Pick<Sql, 'unsafe'>,
  { text, params }: Pick<Statement, 'text' | 'params'>,
) {
  const execute = `execute asked ${params.length > 0 ? `(${params.map(literal).join()})` : ''}`
  await client.unsafe(`prepare asked as ${text}`)
  for (let time = 0; time < TIMES; time++) await client.unsafe(execute)
  const [row] = await client.unsafe(`explain (analyze, buffers, timing off, format json) ${execute}`)
  await client.unsafe('deallocate asked')
  return row?.['QUERY PLAN'][0].Plan
}

/** How many pages of the database the statement then reads, whether they were in memory or not. */
export async function pagesReadBy(client: Pick<Sql, 'unsafe'>, statement: Statement): Promise<number> {
  const plan = await planOf(client, statement)
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

/** Runs the statement; answers how many rows of a table it then looks at, those that it leaves out included. */
export async function rowsReadBy(
  client: Pick<Sql, 'unsafe'>,
  { text, params }: Statement,
  table: string,
): Promise<number> {
  await client.unsafe(`prepare counted as ${text}`)
  const execute = `execute counted ${params.length > 0 ? `(${params.map(literal).join()})` : ''}`
  const [row] = await client.unsafe(`explain (analyze, timing off, format json) ${execute}`)
  await client.unsafe('deallocate counted')
  return rowsIn(row?.['QUERY PLAN'][0].Plan, table)
}

/** What is used of a step of a plan. */
export interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Total Cost': number
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}

/** A plan with all steps below it. */
export const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

function rowsIn(plan: Plan, table: string): number {
  const below = (plan.Plans ?? []).reduce((sum, one) => sum + rowsIn(one, table), 0)
  if (plan['Relation Name'] !== table) return below
  const rows =
    plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  return below + rows * plan['Actual Loops']
}
