import { Elysia } from 'elysia'
import postgres from 'postgres'
import { drizzle } from 'drizzle-orm/postgres-js'
import { connect } from '../../src/db/client'
import { MONTH } from './events'
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

/** The rows that the service reads for the month, and nothing made of them. */
const eventsOf = ({ from, to }: typeof MONTH) => sql`
  select e.*, i.* from events e
  left join event_invitations i on i.event_id = e.id and i.user_id = ${Number(userId)}
  where e.calendar_id in (select id from calendars where user_id = ${Number(userId)} and is_visible)
    and e.start_at < ${to}::timestamptz and (e.last_end_at >= ${from}::timestamptz or e.last_end_at is null)`

const run = (text: string) => sql.unsafe(text, [id, Number(userId), false, now], { prepare: true })
const app = new Elysia()
  .get('/api/auth/status', async () => (await run(status))[0])
  .get('/api/settings', async () => (await run(settings))[0])
  .get('/api/events', async () => ({ events: await eventsOf(MONTH) }))

Bun.serve({ port: Number(port), hostname: '127.0.0.1', fetch: app.fetch })
