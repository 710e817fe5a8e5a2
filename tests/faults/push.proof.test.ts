import { expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { fileURLToPath } from 'node:url'
import { jobRuns, pushDeliveries, reminders } from '../../src/db/schema'
import { addMinutes } from '../../src/lib/time/time'
import { startHarness } from '../support/harness'
import { configure, fakeNtfy } from '../support/ntfy'
import { type Service, startService, until } from '../support/service'

setDefaultTimeout(180_000)

const INSTANCE = fileURLToPath(new URL('push-instance.ts', import.meta.url))
const BEGIN = Date.parse('2026-03-04T09:30:00Z')
/** How many times as fast time passes for the instances. */
const SPEED = 8
const KILL_EVERY_MS = 2000
const USERS = 20
/** Messages of an instance that are under way to one server at once. */
const UNDER_WAY = 8

/** `items` reminders of 20 users, evenly over so many minutes of the instances' time, which begins as it returns. */
async function stage(items: number, minutes: number) {
  const ntfy = fakeNtfy()
  const h = await startHarness({ env: { NTFY_ALLOW_PRIVATE: 'true' } })
  const users: number[] = []
  for (let i = 0; i < USERS; i++) {
    const user = await h.signedIn()
    await configure(user, { ntfy_enabled: true, ntfy_server_url: ntfy.url, ntfy_topic: user.row.username })
    users.push(user.row.id)
  }
  const step = (minutes * 60_000) / items
  await h.db.insert(reminders).values(
    Array.from({ length: items }, (_, i) => {
      const remindAt = new Date(BEGIN + Math.round(i * step))
      const seriesWall = remindAt.toISOString().slice(0, -1)
      return {
        userId: users[i % USERS] ?? 0,
        title: `item ${i}`,
        timeZone: 'UTC',
        remindAt,
        seriesStart: remindAt,
        seriesWall,
        createdAt: addMinutes(remindAt, -60),
        updatedAt: addMinutes(remindAt, -60),
      }
    }),
  )
  const env = {
    DATABASE_URL: h.url,
    SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests',
    NTFY_ALLOW_PRIVATE: 'true',
    DATABASE_POOL: '4',
    HASH_WORKERS: '1',
    CLOCK: `${BEGIN} ${Date.now()} ${SPEED}`,
  }
  const instances = new Set<Service>()
  return {
    ntfy,
    h,
    instances,
    /** An instance more. */
    async join(more: Record<string, string> = {}) {
      instances.add(await startService({ env: { ...env, ...more }, args: [INSTANCE] }))
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...instances].map((instance) => instance[Symbol.asyncDispose]()))
      await h[Symbol.asyncDispose]()
      await ntfy[Symbol.asyncDispose]()
    },
  }
}

const titlesOf = (items: number) => Array.from({ length: items }, (_, i) => `item ${i}`).toSorted()

test('three instances send what is due once each', async () => {
  await using staged = await stage(500, 1)
  await Promise.all([staged.join(), staged.join(), staged.join()])
  const { published } = staged.ntfy
  await until(() => published.length >= 500)
  expect(published.map(({ title }) => title).toSorted()).toEqual(titlesOf(500))
})

test('of three instances one is killed every two seconds: nothing is lost, and only what was under way comes twice, as the same', async () => {
  const items = 2000
  await using staged = await stage(items, 5)
  const { instances } = staged
  const { published } = staged.ntfy
  await Promise.all([staged.join(), staged.join(), staged.join()])
  const isAllThere = () => new Set(published.map(({ title }) => title)).size === items
  const starting: Array<Promise<void>> = []
  let kills = 0
  /** What was recorded is not sent again. */
  const recordings: Array<{ readonly titles: ReadonlySet<string>; readonly publishedBefore: number }> = []
  async function replace(victim: Service) {
    victim.kill('SIGKILL')
    await staged.join()
    const rows = await staged.h.db.select().from(pushDeliveries).where(eq(pushDeliveries.status, 'sent'))
    const titles = new Set(rows.map(({ title }) => title))
    recordings.push({ titles, publishedBefore: published.length })
  }
  const killing = setInterval(() => {
    const [victim, ...others] = instances
    // A machine that is slow to start them is not left without any.
    if (!victim || others.length === 0) return
    instances.delete(victim)
    kills++
    starting.push(replace(victim))
  }, KILL_EVERY_MS)
  try {
    await until(isAllThere, 100_000)
  } finally {
    clearInterval(killing)
    await Promise.all(starting)
  }
  expect(kills).toBeGreaterThanOrEqual(5)
  expect([...new Set(published.map(({ title }) => title))].toSorted()).toEqual(titlesOf(items))
  const repeats = published.length - items
  expect(repeats).toBeLessThanOrEqual(kills * UNDER_WAY)
  for (const { titles, publishedBefore } of recordings) {
    expect(published.slice(publishedBefore).filter(({ title }) => titles.has(title))).toEqual([])
  }
  const sequences = Map.groupBy(published, ({ title }) => title)
  for (const same of sequences.values()) {
    expect(new Set(same.map(({ sequence_id: id }) => id)).size).toBe(1)
  }
  expect(new Set(published.map(({ sequence_id: id }) => id)).size).toBe(items)
})

test('an instance without jobs sends and purges nothing, while another with them does', async () => {
  await using idle = await stage(20, 0.01)
  await idle.join({ JOBS: 'off' })
  await using busy = await stage(20, 0.01)
  await busy.join()
  await until(() => busy.ntfy.published.length >= 20)
  await until(async () => (await busy.h.db.$count(jobRuns)) > 0)
  expect(idle.ntfy.published).toEqual([])
  expect([await idle.h.db.$count(jobRuns), await idle.h.db.$count(pushDeliveries)]).toEqual([0, 0])
  await idle.join()
  await until(() => idle.ntfy.published.length >= 20)
  expect(idle.ntfy.published.map(({ title }) => title).toSorted()).toEqual(titlesOf(20))
})

test('SIGTERM lets the running batch end, gives the rest back, and another instance sends it, each once', async () => {
  await using staged = await stage(100, 0.01)
  const { ntfy, instances } = staged
  await staged.join()
  await until(() => ntfy.published.length > 0)
  const [first] = instances
  expect(await first?.stop()).toBe(0)
  await staged.join()
  await until(() => ntfy.published.length >= 100)
  expect(ntfy.published.map(({ title }) => title).toSorted()).toEqual(titlesOf(100))
})
