import { sql } from 'drizzle-orm'
import type { Harness } from '../support/harness'

const MIB = 1024 * 1024
/** Fewer samples than this say nothing about memory. */
const ENOUGH = 8
/** What memory may have more at the end than when it had settled: a quarter, and what a heap takes and gives back. */
const [FACTOR, SLACK] = [1.25, 64 * MIB]

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Whether the memory of a process grew between the time at which it had settled and the end. */
export function growthOf(samples: readonly number[]): string | undefined {
  if (samples.length < ENOUGH) return undefined
  const at = Math.floor(samples.length / 3)
  const [settled, last] = [median(samples.slice(at, at + 3)), median(samples.slice(-3))]
  return last > settled * FACTOR + SLACK
    ? `memory grew from ${Math.round(settled / MIB)} to ${Math.round(last / MIB)} MiB`
    : undefined
}

/** Looks after what may not grow: rows of requests that were refused, connections, memory. */
export class Growth {
  readonly samples: number[] = []
  readonly #h: Pick<Harness, 'db'>
  #counting: string | undefined

  constructor(h: Pick<Harness, 'db'>) {
    this.#h = h
  }

  /** The number of rows of each table. */
  async rows(): Promise<ReadonlyMap<string, number>> {
    const { db } = this.#h
    if (this.#counting === undefined) {
      const tables = await db.execute<{ name: string }>(
        sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
      )
      const parts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as rows from "${name}"`)
      this.#counting = parts.join(' union all ')
    }
    const counted = await db.execute<{ name: string; rows: number }>(sql.raw(this.#counting))
    return new Map(counted.map(({ name, rows }) => [name, rows]))
  }

  /** The tables in which a refused request left rows, or from which it took some. */
  async leftSince(before: ReadonlyMap<string, number>): Promise<string[]> {
    const after = await this.rows()
    return [...after].flatMap(([name, rows]) => (rows === before.get(name) ? [] : [name]))
  }

  /** Of this process, after a round. */
  sample(): void {
    Bun.gc(true)
    this.samples.push(process.memoryUsage().rss)
  }

  /** What grew beyond measure; `connections` is the most that may be open. */
  async problems(connections: number): Promise<string[]> {
    const [open] = await this.#h.db.execute<{ count: number }>(
      sql`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'organiser'`,
    )
    const grown = growthOf(this.samples)
    return [
      ...((open?.count ?? 0) > connections ? [`${open?.count} connections are open`] : []),
      ...(grown === undefined ? [] : [grown]),
    ]
  }
}
