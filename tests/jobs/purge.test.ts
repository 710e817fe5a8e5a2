import { eq } from 'drizzle-orm'
import { expect, test } from 'bun:test'
import {
  accessTokens,
  jobRuns,
  notifications,
  oidcBegins,
  pushDeliveries,
  seenUserAgents,
  sentInvitations,
  sessions,
  webauthnChallenges,
  mfaTokens,
} from '../../src/db/schema'
import { addDays } from '../../src/lib/time/time'
import { purge } from '../../src/jobs/purge'
import { createJobs } from '../../src/jobs/schedule'
import { insertToken } from '../support/tokens'
import { usePushing } from '../support/use-pushing'

const { h, moveTo } = usePushing()

/** One of each that has had its time, and one of each that has not. */
async function litter() {
  const ada = await h.signedIn()
  const userId = ada.row.id
  const now = h.clock.now()
  const message = {
    userId,
    kind: 'todo',
    itemId: 1,
    occurrence: '',
    about: '',
    title: 't',
    fireAt: now,
    dueAt: now,
    expiresAt: now,
    status: 'failed',
  } as const
  for (const [name, days] of [
    ['old', 400],
    ['new', 1],
  ] as const) {
    const createdAt = addDays(now, -days)
    const expiresAt = addDays(now, name === 'old' ? -1 : 1)
    await h.db
      .insert(notifications)
      .values({ userId, type: 'system', title: name, message: '', data: {}, createdAt })
    await h.db.insert(pushDeliveries).values({ ...message, key: `${name}:${userId}`, createdAt })
    await h.session(userId, { expiresAt })
    await h.db.insert(seenUserAgents).values({ userId, userAgent: name, lastSeenAt: createdAt })
    const sentAt = name === 'old' ? createdAt : now
    await h.db.insert(sentInvitations).values({ senderId: userId, receiverId: userId, createdAt: sentAt })
    await h.db
      .insert(webauthnChallenges)
      .values({ challengeHash: `${name}:${userId}`, purpose: 'sign_in', createdAt, expiresAt })
    await h.db
      .insert(mfaTokens)
      .values({ tokenHash: `${name}:${userId}`, userId, purpose: 'sign_in', createdAt, expiresAt })
    await h.db.insert(oidcBegins).values({
      stateHash: `${name}:${userId}`,
      browserHash: '',
      nonce: '',
      codeVerifier: '',
      purpose: 'sign-in',
      next: '/',
      createdAt,
      expiresAt,
    })
    await insertToken(h, userId, { name, expiresAt: addDays(expiresAt, -30) })
  }
  // It is kept until it expires: recent sign-ins are told from the sessions.
  await h.session(userId, { revoked: true })
}

const counts = async () => ({
  notifications: await h.db.$count(notifications),
  deliveries: await h.db.$count(pushDeliveries),
  sent: await h.db.$count(sentInvitations),
  sessions: await h.db.$count(sessions),
  challenges: await h.db.$count(webauthnChallenges),
  tokens: await h.db.$count(mfaTokens),
  begins: await h.db.$count(oidcBegins),
  accessTokens: await h.db.$count(accessTokens),
  userAgents: await h.db.$count(seenUserAgents),
})

test('expired records are deleted once a day at 03:00 of the server, or later where nothing ran then', async () => {
  moveTo('2026-03-04T12:00:00+01:00')
  await h.tick()
  await litter()
  const before = await counts()
  moveTo('2026-03-05T02:59:00+01:00')
  await h.tick()
  expect(await counts()).toEqual(before)
  moveTo('2026-03-05T05:00:00+01:00')
  await h.tick()
  expect(await counts()).toEqual({
    notifications: 1,
    deliveries: 1,
    sessions: 3,
    challenges: 1,
    tokens: 1,
    begins: 1,
    accessTokens: 1,
    userAgents: 1,
    sent: 1,
  })
  const [run] = await h.db.select().from(jobRuns)
  expect(run).toEqual({ job: 'purge', lastRunAt: new Date('2026-03-05T03:00:00+01:00'), leasedUntil: null })
  await litter()
  const after = await counts()
  moveTo('2026-03-05T23:00:00+01:00')
  await h.tick()
  expect((await counts()).notifications).toBe(after.notifications)
})

test('one of several instances purges, and a purge that an instance did not finish is done by another', async () => {
  moveTo('2026-03-05T03:00:00+01:00')
  await h.tick()
  moveTo('2026-03-06T03:00:00+01:00')
  await h.db.update(jobRuns).set({ leasedUntil: new Date(+h.clock.now() + 60_000) })
  await h.tick()
  const [leased] = await h.db.select().from(jobRuns)
  expect(leased?.lastRunAt).toEqual(new Date('2026-03-05T03:00:00+01:00'))
  h.clock.advance({ minutes: 1 })
  await Promise.all([createJobs(h.deps).tick(), createJobs(h.deps).tick()])
  const [done] = await h.db.select().from(jobRuns)
  expect(done?.lastRunAt).toEqual(new Date('2026-03-06T03:00:00+01:00'))
})

test('a purge of more than one batch deletes all expired records, and nothing else', async () => {
  const ada = await h.signedIn()
  const now = h.clock.now().toISOString()
  await h.db.execute(`insert into notifications (user_id, type, title, message, data, created_at)
    select ${ada.row.id}, 'system', 'n', '', '{}', timestamptz '${now}' - n * interval '1 hour' from generate_series(1, 5000) n`)
  await h.db
    .execute(`insert into push_deliveries (user_id, key, kind, item_id, occurrence, about, title, fire_at, status, due_at, expires_at, created_at)
    select ${ada.row.id}, 'k' || n, 'todo', n, '', '', 't', '${now}', 'failed', '${now}', '${now}', timestamptz '${now}' - n * interval '1 hour'
    from generate_series(1, 5000) n`)
  const own = async () => [
    await h.db.$count(notifications, eq(notifications.userId, ada.row.id)),
    await h.db.$count(pushDeliveries, eq(pushDeliveries.userId, ada.row.id)),
  ]
  await h.tick()
  // 90 days and 7 days of hours.
  expect(await own()).toEqual([2160, 168])
})

test('a purge that is stopped ends between two batches, and another instance goes on', async () => {
  const ada = await h.signedIn()
  await h.db.execute(`insert into notifications (user_id, type, title, message, data, created_at)
    select ${ada.row.id}, 'system', 'n', '', '{}', timestamptz '2020-01-01' from generate_series(1, 5000) n`)
  const left = () => h.db.$count(notifications, eq(notifications.userId, ada.row.id))
  let asked = 0
  await purge(h.deps, () => ++asked > 2)
  expect(await left()).toBeWithin(1, 5000)
  const [run] = await h.db.select().from(jobRuns)
  expect(run).toMatchObject({ lastRunAt: null, leasedUntil: null })
  await createJobs(h.deps).tick()
  expect(await left()).toBe(0)
})
