import { sql } from 'drizzle-orm'
import type { Db } from '../../src/db/client'

/** What all rows of every table come to, in one statement: `await checksum()` is equal as long as nothing has changed. */
export async function checksums(db: Db): Promise<() => Promise<Record<string, unknown>>> {
  const tables = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  )
  const columns = tables.map(({ name }) => {
    const table = sql.identifier(name)
    const rows = sql`string_agg(md5(t::text), '' order by md5(t::text))`
    return sql`(select md5(coalesce(${rows}, '')) from ${table} t) as ${table}`
  })
  const statement = sql`select ${sql.join(columns, sql`, `)}`
  return async () => ({ ...(await db.execute(statement))[0] })
}
