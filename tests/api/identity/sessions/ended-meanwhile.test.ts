import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  accessTokens,
  auditLog,
  calendarFeeds,
  calendarMembers,
  calendars,
  connections,
  eventInvitations,
  eventTemplates,
  events,
  notifications,
  passkeys,
  people,
  projects,
  projectTasks,
  reminders,
  sessions,
  settings,
  taskComments,
  todos,
  users,
} from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { lockWaiters } from '../../../support/locks'
import { begin, complete, register } from '../../../support/passkeys'
import { PREPARED } from '../../../support/preparations'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const holder = useSql(h)
const watcher = useSql(h)

/** The answer to a request whose session ends while it waits for the row of its user. */
async function endedWhile(ada: Actor, send: () => ReturnType<Actor['request']>) {
  const answer = await holder.begin(async (sql) => {
    await sql`select 1 from users where id = ${ada.row.id} for update`
    const sent = send()
    await lockWaiters(watcher)
    await sql`update sessions set revoked = true where id = ${ada.sid}`
    return { sent }
  })
  return answer.sent
}

test('a passkey that comes too late to unlock has counted on all the same', async () => {
  const ada = await h.signedIn()
  const { authenticator, passkey } = await register(ada)
  const credential = await authenticator.get(await begin(ada))
  const answered = await endedWhile(ada, () => complete(ada, { credential, unlock: true }))
  expect([answered.status, answered.body]).toEqual([401, { detail: 'Session has been revoked or expired' }])
  const [kept] = await h.db.select().from(passkeys).where(eq(passkeys.id, passkey.id))
  expect(kept).toMatchObject({ signCount: 1, lastUsedAt: h.clock.now() })
})

/** What belongs to the user, and what was recorded of them. */
const belongings = async (ada: Actor) => ({
  user: await h.db.select().from(users).where(eq(users.id, ada.row.id)),
  settings: await h.db.select().from(settings).where(eq(settings.userId, ada.row.id)),
  calendars: await h.db
    .select()
    .from(calendars)
    .where(eq(calendars.userId, ada.row.id))
    .orderBy(calendars.id),
  events: await h.db
    .select()
    .from(events)
    .innerJoin(calendars, eq(calendars.id, events.calendarId))
    .where(eq(calendars.userId, ada.row.id)),
  eventTemplates: await h.db.select().from(eventTemplates).where(eq(eventTemplates.userId, ada.row.id)),
  feeds: await h.db.select().from(calendarFeeds),
  tokens: await h.db.select().from(accessTokens).where(eq(accessTokens.userId, ada.row.id)),
  invitations: await h.db.select().from(eventInvitations),
  connections: await h.db.select().from(connections).orderBy(connections.id),
  members: await h.db.select().from(calendarMembers).orderBy(calendarMembers.id),
  allEvents: await h.db.$count(events),
  people: await h.db.select().from(people).where(eq(people.userId, ada.row.id)),
  todos: await h.db.select().from(todos).where(eq(todos.userId, ada.row.id)),
  reminders: await h.db.select().from(reminders).where(eq(reminders.userId, ada.row.id)),
  projects: await h.db
    .select()
    .from(projects)
    .leftJoin(projectTasks, eq(projectTasks.projectId, projects.id))
    .leftJoin(taskComments, eq(taskComments.taskId, projectTasks.id))
    .where(eq(projects.userId, ada.row.id)),
  notifications: await h.db.select().from(notifications).where(eq(notifications.userId, ada.row.id)),
  audited: await h.db.$count(auditLog),
})

test.each(PREPARED)('%s changes nothing for a session that ended meanwhile', async (_, prepare) => {
  const ada = await h.signedIn()
  const request = await prepare(ada, h)
  const other = await h.session(ada.row.id)
  const note = { type: 'system' as const, title: 'T', message: 'M', data: {}, createdAt: h.clock.now() }
  await h.db.insert(notifications).values({ ...note, userId: ada.row.id })
  const before = await belongings(ada)
  const { status, body } = await endedWhile(ada, request)
  expect([status, body]).toEqual([401, { detail: 'Session has been revoked or expired' }])
  expect(await belongings(ada)).toEqual(before)
  expect(await h.db.select().from(sessions).where(eq(sessions.id, other.id))).toMatchObject([
    { revoked: false },
  ])
})
