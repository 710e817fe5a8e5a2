import { expect, setDefaultTimeout, test } from 'bun:test'
import { administer, freshDatabaseUrl } from '../support/database'
import { type Service, startService } from '../support/service'
import { tcpProxy } from './tcp-proxy'

setDefaultTimeout(60_000)

const GUESTS = 20
const password = 'correct horse battery'
const MAY = { title: 'Choir', start_at: '2026-05-01T10:00:00Z', end_at: '2026-05-01T11:00:00Z' }

/** The first account, who is connected with twenty others. */
async function befriended(service: Service, databaseUrl: string) {
  const made = await service.post('/api/auth/setup', { username: 'ada', password })
  const cookie = made.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const sql = administer(databaseUrl)
  const guests = await sql<Array<{ id: number }>>`
    insert into users (username, network_name, password_hash, role, created_at, updated_at)
    select 'guest' || n, 'guest' || n, 'x', 'standard', now(), now() from generate_series(1, ${GUESTS}) as n returning id`
  await sql`
    insert into connections (user_id, other_user_id, created_at, updated_at)
    select a.id, b.id, now(), now() from users as a, users as b
    where a.id <> b.id and 'ada' in (a.username, b.username)`
  await sql.end({ timeout: 5 })
  return { cookie, guestIds: guests.map(({ id }) => id) }
}

test('eight invitations of twenty at once, of one user, are all answered by a database that is some way off', async () => {
  await using database = await freshDatabaseUrl()
  using proxy = await tcpProxy(database.url)
  await using service = await startService({
    env: { DATABASE_URL: proxy.url, SECRET_KEYS: 'k1:faults-faults-faults-faults-faults' },
  })
  const { cookie, guestIds } = await befriended(service, database.url)
  const events = await Promise.all(
    Array.from({ length: 8 }, async () => (await service.post('/api/events', MAY, { cookie })).json()),
  )
  proxy.slowDown(4)
  const answers = await Promise.all(
    events.map(({ id }) => service.post(`/api/events/${id}/invitations`, { user_ids: guestIds }, { cookie })),
  )
  expect(answers.map(({ status }) => status)).toEqual(events.map(() => 201))
})
