import { readFile } from 'node:fs/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import { Elysia } from 'elysia'
import postgres, { type Sql } from 'postgres'
import type { Recorded } from './recording'

/**
 * What the service is measured against: Elysia and the very statements of the service, prepared, with nothing around them:
 * reads all at once, writes one after the other. Every column goes out as it comes in.
 */
const [, , port, url = '', pool, file = ''] = process.argv
const sql = postgres(url, { max: Number(pool), onnotice: () => {} })
// Drizzle puts its conversions into the client.
drizzle(sql)

type Parameters = Array<string | number | boolean | null>

const run = (client: Pick<Sql, 'unsafe'>, { text, params }: Recorded['statements'][number]) =>
  client.unsafe(text, params as Parameters, { prepare: true })

async function answer({ statements }: Recorded) {
  const before = await Promise.all(
    statements.filter(({ isInTransaction }) => !isInTransaction).map((statement) => run(sql, statement)),
  )
  const written = statements.filter(({ isInTransaction }) => isInTransaction)
  if (written.length === 0) return before
  return sql.begin(async (tx) => {
    const rows: unknown[] = []
    for (const statement of written) rows.push(await run(tx, statement))
    return rows
  })
}

const app = new Elysia().get('/', () => 'ready')
for (const one of JSON.parse(await readFile(file, 'utf8')) as Recorded[]) {
  app.route(one.method, one.path.split('?')[0] ?? '', () => answer(one))
}

Bun.serve({ port: Number(port), hostname: '127.0.0.1', fetch: app.fetch })
