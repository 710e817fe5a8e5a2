import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { calendars, settings } from '../../../../src/db/schema'
import { newcomer } from '../../../support/accounts'
import { type Actor, PASSWORD } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ env: { AUTH_RATE_LIMIT: 'off' } })

/** Users who came in each of the ways in which there can be one. */
const ids: number[] = []
beforeAll(async () => {
  await h.request('POST', '/api/auth/setup', { body: newcomer('root') })
  const admin = await h.signedIn({ role: 'admin' })
  await admin.request('PUT', '/api/admin/config', { body: { allow_registration: true } })
  await h.request('POST', '/api/auth/register', { body: newcomer('registered') })
  await admin.request('POST', '/api/admin/users', { body: { username: 'created', password: PASSWORD } })
  for (const name of ['root', 'registered', 'created']) ids.push(await idOf(admin, name))
})

const idOf = async (admin: Actor, name: string): Promise<number> => {
  const { body } = await admin.request('GET', `/api/admin/users?q=${name}`)
  if (body.users.length !== 1) throw new Error(`${body.users.length} users are called ${name}`)
  return body.users[0].id
}

test('Every new user has one row of settings, and the database refuses a second', async () => {
  for (const userId of ids) {
    expect(await h.db.$count(settings, eq(settings.userId, userId))).toBe(1)
    const now = h.clock.now()
    const second = h.db.insert(settings).values({ userId, createdAt: now, updatedAt: now })
    expect(await second.then(undefined, () => 'refused')).toBe('refused')
  }
  expect(ids).toHaveLength(3)
})

test('Every new user has the calendar Personal, which is the default, and Birthdays, which is the system’s', async () => {
  for (const id of ids) {
    const rows = await h.db.select().from(calendars).where(eq(calendars.userId, id)).orderBy(calendars.name)
    const table = rows.map((row) => [row.name, row.color, row.isDefault, row.isSystem, row.isVisible])
    expect(table).toEqual([
      ['Birthdays', '#f59e0b', false, true, true],
      ['Personal', '#3b82f6', true, false, true],
    ])
  }
  expect(ids).toHaveLength(3)
})
