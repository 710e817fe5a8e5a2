import { administer } from '../support/database'
import type { fakeNtfy } from '../support/ntfy'
import { until } from '../support/service'
import type { RunningTime } from './clock'
import type { Planned } from './script'
import type { Servers } from './servers'

type Published = ReturnType<typeof fakeNtfy>['published']

const MIB = 1024 * 1024
/** How much more than after its first quarter an instance may hold at the end. */
const [FACTOR, SLACK_MIB] = [1.25, 48]
const ARRIVES_MS = 120_000
/** Messages of an instance that are under way to one server at once. */
const UNDER_WAY = 8

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Whether the memory of an instance that ran all the time is flat once it has settled, and how much it rises each hour. */
export function growthOfMemory(samples: readonly number[]) {
  const settledSamples = samples.slice(Math.floor(samples.length / 4))
  const part = Math.max(1, Math.floor(settledSamples.length / 5))
  const [settled, last] = [median(settledSamples.slice(0, part)), median(settledSamples.slice(-part))]
  const told = `memory ${Math.round(settled / MIB)} MiB once settled, ${Math.round(last / MIB)} MiB at the end, slope ${slopeOf(settledSamples)} MiB an hour`
  const isFlat = last <= settled * FACTOR + SLACK_MIB * MIB
  return { told, problem: isFlat ? undefined : told }
}

/** By least squares; a sample comes each five seconds. */
function slopeOf(samples: readonly number[]): string {
  const middle = (samples.length - 1) / 2
  const mean = samples.reduce((sum, value) => sum + value, 0) / Math.max(1, samples.length)
  let [top, bottom] = [0, 0]
  for (const [at, value] of samples.entries()) {
    top += (at - middle) * (value - mean)
    bottom += (at - middle) ** 2
  }
  return bottom === 0 ? '0' : ((top / bottom / MIB) * 720).toFixed(1)
}

/** Everything that is due by now has arrived, or this has taken too long. */
export async function waitForPushes(plan: readonly Planned[], time: RunningTime, published: Published) {
  const due = dueOf(plan, time)
  const isThere = () => {
    const told = new Set(published.map(({ title }) => title))
    return due.every(({ title }) => told.has(title))
  }
  await until(isThere, ARRIVES_MS).catch(() => undefined)
}

const dueOf = (plan: readonly Planned[], time: RunningTime) => {
  const now = time.now().getTime()
  return plan.filter(({ at }) => at <= now)
}

/** Each message of the plan was sent once, or is recorded; what was under way at a restart may come twice, as the same. */
export async function pushProblems(servers: Servers, plan: readonly Planned[], published: Published) {
  const { postgres, time, flaky, steady } = servers
  const sql = administer(postgres.url)
  const recorded = await sql`select title, status from push_deliveries`
  const [pending] =
    await sql`select (select count(*) from sync_pending) + (select count(*) from sync_marks) as count`
  await sql.end({ timeout: 5 })
  const known = new Set(recorded.map(({ title }) => String(title)))
  const messages = published.filter(({ title }) => title.startsWith('push '))
  const sent = Map.groupBy(messages, ({ title }) => title)
  const due = dueOf(plan, time)
  const lost = due.filter(({ title }) => !sent.has(title) && !known.has(title)).map(({ title }) => title)
  const repeats = messages.length - sent.size
  const others = [...sent].filter(([, same]) => new Set(same.map(({ sequence_id: id }) => id)).size > 1)
  const early = [...sent.keys()].filter((title) => !due.some((one) => one.title === title))
  return {
    told: `${sent.size} of ${due.length} messages arrived, ${repeats} of them twice`,
    problems: [
      ...(lost.length > 0 ? [`messages are lost: ${lost.join()}`] : []),
      ...(others.length > 0
        ? [`messages come twice as others: ${others.map(([title]) => title).join()}`]
        : []),
      ...(repeats > (flaky.restarts + steady.restarts + DATABASE_RESTARTS) * UNDER_WAY
        ? [`${repeats} messages come twice`]
        : []),
      ...(early.length > 0 ? [`messages that are not due: ${early.join()}`] : []),
      ...(Number(pending?.['count']) > 0 ? [`${pending?.['count']} rows of the journal are pending`] : []),
    ],
  }
}

/** Each also leaves messages of which it is not recorded that they were sent. */
const DATABASE_RESTARTS = 16
