import { performance } from 'node:perf_hooks'
import type { Session } from './accounts'
import { DASHBOARD } from './dashboard'
import { afterTenChanges } from './dav'
import * as requests from './dav.requests'
import { ENDPOINTS, fixed, median, nameOf, table } from './endpoints'
import { MONTH } from './events'
import type { Side } from './large.sides'
import { cpuSeconds, openAll, portOf, quantile } from './live'
import { wrk } from './wrk'

/** How fast the service answers on a large database, beside a small one in turn. */

const ROUNDS = 5
const SECONDS = 3
const DAV_REQUESTS = 30
const STREAMS_OF_USER = 10
const IDLE_SECONDS = 10
const WRITES = 150
const BAR = 0.8

/** Something that is better the greater it is. What it prepares is not measured. */
interface Figure {
  readonly name: string
  readonly unit: string
  readonly prepare: (side: Side) => Promise<() => Promise<number>>
}

interface Asked {
  readonly name: string
  readonly path: string
  readonly connections: number
  readonly who: (side: Side) => Session | undefined
  readonly body?: object | undefined
}

const loaded = ({ name, path, connections, who, body }: Asked): Figure => ({
  name: `${name}, ${connections} at once`,
  unit: 'req/s',
  prepare: async (side) => {
    const cookie = who(side)?.cookie ?? ''
    const target = { url: `${side.base}${path}`, connections, seconds: SECONDS, cookie, body }
    return async () => {
      const { requestsPerSecond, errors } = await wrk(target)
      if (errors > 0) throw new Error(`${name}: ${errors} requests were refused`)
      return requestsPerSecond
    }
  },
})

const month = `/api/events?from=${MONTH.from}&to=${MONTH.to}`
const asOne = (who: string, find: Asked['who']) =>
  [
    ['GET /api/todos', '/api/todos'],
    ['GET /api/events', month],
    ['GET /api/dashboard', DASHBOARD],
    ['GET /api/search', '/api/search?q=dentist'],
  ].map(([name = '', path = '']) => loaded({ name: `\`${name}\` ${who}`, path, connections: 8, who: find }))

/** A poll that hears of nothing. */
const POLL: Figure = {
  name: 'a poll of changes, 8 at once',
  unit: 'req/s',
  prepare: async (side) => {
    const cookie = side.power.cookie
    const headers = { cookie: `session=${cookie}` }
    const { next } = (await (await fetch(`${side.base}/api/changes?since=now`, { headers })).json()) as {
      next: string
    }
    const url = `${side.base}/api/changes?since=${encodeURIComponent(next)}`
    return async () => (await wrk({ url, connections: 8, seconds: SECONDS, cookie })).requestsPerSecond
  },
}

/** How often a second one client is answered that asks again and again. */
const asking = (name: string, prepare: (side: Side) => Promise<() => Promise<unknown>>): Figure => ({
  name,
  unit: 'req/s',
  prepare: async (side) => {
    const ask = await prepare(side)
    await ask()
    return async () => {
      const startedAt = performance.now()
      for (let n = 0; n < DAV_REQUESTS; n++) await ask()
      return (DAV_REQUESTS * 1000) / (performance.now() - startedAt)
    }
  },
})

const FIGURES: readonly Figure[] = [
  ...ENDPOINTS.flatMap(({ as, at, ...asked }) =>
    at.map((connections) =>
      loaded({
        name: `\`${nameOf({ as, at, ...asked })}\``,
        path: asked.path,
        body: asked.body,
        connections,
        who: ({ users }) => users[as],
      }),
    ),
  ),
  ...asOne('of one with 50 000 todos', ({ power }) => power),
  ...asOne('of one in a household', ({ member }) => member),
  POLL,
  asking('DAV sync-collection after ten changes', ({ place }) => afterTenChanges(place)),
  asking(
    'DAV PROPFIND of a home',
    async ({ place }) =>
      () =>
        requests.home(place),
  ),
]

/** Reads beside idle streams, what these cost, and how soon streams hear of a change. */
async function measureStreams(side: Side) {
  const heardAt = new Map<string, number>()
  const heard = (text: string) => {
    for (const [, title = ''] of text.matchAll(/"title":"(write \d+)"/g))
      heardAt.set(title, performance.now())
  }
  const readers = await openAll(
    side.listeners.flatMap(({ cookie }) =>
      Array.from({ length: STREAMS_OF_USER }, () => ({ port: portOf(side.base), cookie, heard })),
    ),
  )
  const [cpu, startedAt] = [await cpuSeconds(side.pid), performance.now()]
  await Bun.sleep(IDLE_SECONDS * 1000)
  const share = ((await cpuSeconds(side.pid)) - cpu) / ((performance.now() - startedAt) / 1000)
  const beside = await wrk({
    url: `${side.base}/api/settings`,
    connections: 8,
    seconds: SECONDS,
    cookie: side.member.cookie,
  })
  const answeredAt = new Map<string, number>()
  for (let n = 0; n < WRITES; n++) {
    const cookie = side.listeners[n % side.listeners.length]?.cookie
    await fetch(`${side.base}/api/todos`, {
      method: 'POST',
      headers: { cookie: `session=${cookie}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: `write ${n}` }),
    })
    answeredAt.set(`write ${n}`, performance.now())
    await Bun.sleep(20)
  }
  await Bun.sleep(1000)
  for (const { close } of readers) close()
  const delays = [...answeredAt].map(([title, at]) => (heardAt.get(title) ?? Number.POSITIVE_INFINITY) - at)
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)]
  return { share, reads: beside.requestsPerSecond, p50: Math.max(p50, 1), p99: Math.max(p99, 1) }
}

type Streams = Awaited<ReturnType<typeof measureStreams>>

const row = (name: string, unit: string, values: readonly [small: number, large: number], ratio: number) => [
  name,
  unit,
  ...values.map((value) => fixed(value, value < 10 ? 2 : 0)),
  fixed(ratio, 2),
  String(BAR),
]

/** Both in turn, round after round, so that whatever else the machine does hits both. */
export async function measureRates(small: Side, large: Side): Promise<string> {
  const rows: string[][] = []
  for (const { name, unit, prepare } of FIGURES) {
    const [ofSmall, ofLarge] = [await prepare(small), await prepare(large)]
    const rounds: Array<[number, number]> = []
    for (let round = 0; round < ROUNDS; round++) rounds.push([await ofSmall(), await ofLarge()])
    const ratio = median(rounds.map(([one, other]) => other / one))
    rows.push(
      row(name, unit, [median(rounds.map(([one]) => one)), median(rounds.map(([, one]) => one))], ratio),
    )
    console.log(rows.at(-1)?.join('  '))
  }
  rows.push(...(await streamRows(small, large)))
  return table(['Rate', 'Unit', 'Small', 'Large', 'Ratio', 'Bar'], rows)
}

async function streamRows(small: Side, large: Side): Promise<string[][]> {
  const rounds: Array<[Streams, Streams]> = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push([await measureStreams(small), await measureStreams(large)])
  const streams = STREAMS_OF_USER * small.listeners.length
  const of = (name: string, unit: string, figure: keyof Streams, isRate = false) => {
    const [one, other] = [0, 1].map((side) =>
      median(rounds.map((both) => both[side]?.[figure] ?? Number.NaN)),
    )
    const ratios = rounds.map(([a, b]) => (isRate ? b[figure] / a[figure] : a[figure] / b[figure]))
    return row(name, unit, [one ?? Number.NaN, other ?? Number.NaN], median(ratios))
  }
  return [
    of(`${streams} idle streams: share of a core`, 'of 1', 'share'),
    of(`\`GET /api/settings\` beside ${streams} idle streams, 8 at once`, 'req/s', 'reads', true),
    of('from a write to a stream, p50', 'ms', 'p50'),
    of('from a write to a stream, p99', 'ms', 'p99'),
  ]
}
