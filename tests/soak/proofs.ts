import { administer } from '../support/database'
import { until } from '../support/service'
import { BACK_MS } from './disturbing'
import type { Planned } from './script'
import type { Servers } from './servers'

const MIB = 1024 * 1024
/** How much more than after its first quarter an instance may hold at the end. */
const [FACTOR, SLACK_MIB] = [1.25, 48]
const ARRIVES_MS = 120_000
/** Messages of a user that are under way at once: one that is sent, and one whose sender has died before. */
const UNDER_WAY = 2

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

/** A message that came, by the time of the household. */
export interface Arrival {
  readonly title: string
  /** Of the message: a repeated one has the same. */
  readonly id: string
  readonly at: number
}

/** Everything that is due has arrived, or this has taken too long. */
export async function waitForPushes(due: readonly Planned[], arrivals: readonly Arrival[]) {
  const isThere = () => {
    const told = new Set(arrivals.map(({ title }) => title))
    return due.every(({ title }) => told.has(title))
  }
  await until(isThere, ARRIVES_MS).catch(() => undefined)
}

interface Pushes {
  readonly plan: readonly Planned[]
  readonly due: readonly Planned[]
  readonly arrivals: readonly Arrival[]
}

/** What is due was sent, nothing too early; what was under way at a restart may come twice, as the same. */
export function problemsOfPushes({ plan, due, arrivals }: Pushes, restarts: number) {
  const messages = arrivals.filter(({ title }) => title.startsWith('push '))
  const sent = Map.groupBy(messages, ({ title }) => title)
  const times = new Map(plan.map(({ title, at }) => [title, at]))
  const titles = (all: ReadonlyArray<{ readonly title: string }>) => all.map(({ title }) => title).join()
  const lost = due.filter(({ title }) => !sent.has(title))
  const early = messages.filter(({ title, at }) => at < (times.get(title) ?? Infinity) - BACK_MS)
  const others = messages.filter(({ title, id }) => sent.get(title)?.[0]?.id !== id)
  const repeats = messages.length - sent.size
  return {
    told: `${due.length - lost.length} of ${due.length} due messages arrived, ${repeats} of them twice`,
    problems: [
      ...(lost.length > 0 ? [`messages are lost: ${titles(lost)}`] : []),
      ...(early.length > 0 ? [`messages that are not due: ${titles(early)}`] : []),
      ...(others.length > 0 ? [`messages come twice as others: ${titles(others)}`] : []),
      ...(repeats > restarts * UNDER_WAY ? [`${repeats} messages come twice`] : []),
    ],
  }
}

export async function pushProblems({ postgres, flaky, steady }: Servers, pushes: Pushes) {
  const sql = administer(postgres.url)
  const [row] =
    await sql`select (select count(*) from sync_pending) + (select count(*) from sync_marks) as count`
  await sql.end({ timeout: 5 })
  const { told, problems } = problemsOfPushes(pushes, flaky.restarts + steady.restarts + DATABASE_RESTARTS)
  const pending = Number(row?.['count'])
  return {
    told,
    problems: pending > 0 ? [...problems, `${pending} rows of the journal are pending`] : problems,
  }
}

/** Each also leaves a message of which it is not recorded that it was sent. */
const DATABASE_RESTARTS = 16
