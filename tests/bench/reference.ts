import { Elysia } from 'elysia'
import postgres from 'postgres'
import { drizzle } from 'drizzle-orm/postgres-js'
import { connect } from '../../src/db/client'
import { findLiveWithOwner, findLiveWithStatus } from '../../src/features/sessions/queries'

/**
 * What the service is measured against: Elysia and one prepared query per endpoint, the very SQL of the service, with
 * nothing around it.
 */
const [, , port, url = '', pool, id = '', userId] = process.argv
const sql = postgres(url, { max: Number(pool), onnotice: () => {} })
drizzle(sql)
const { db, close } = connect(url, { pool: 1 })
const now = new Date().toISOString()
const status = findLiveWithStatus(db).sql
const settings = findLiveWithOwner(db).sql
await close()

const run = (text: string) => sql.unsafe(text, [id, Number(userId), false, now], { prepare: true })
const app = new Elysia()
  .get('/api/auth/status', async () => (await run(status))[0])
  .get('/api/settings', async () => (await run(settings))[0])

Bun.serve({ port: Number(port), hostname: '127.0.0.1', fetch: app.fetch })
