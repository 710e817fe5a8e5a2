import { performance } from 'node:perf_hooks'
import { administer, freshDatabaseUrl } from '../support/database'
import { seedUsers } from './accounts'
import { measureHostile } from './dav.hostile'
import { eventOf, type Fill, fileName, fillingService, startRadicale } from './dav.places'
import * as requests from './dav.requests'
import type { Place, Timed } from './dav.requests'
import { measureVdirsyncer } from './dav.vdirsyncer'
import type { StartService } from './wrk'

/** What CalDAV costs with a calendar of 10 000 objects while five users are busy, beside Radicale in the same run. */

const OBJECTS = 10_000
const FEW = 100
const BUSY = 5
const CALENDARS = 50
const OWNER = 0
const CROWDED = 1
const FIRST_BUSY = 2
const PAUSE_MS = 50
const PAIRS = 100

const quantile = (values: readonly number[], at: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? Number.NaN

/** What is measured at a server. */
interface Server {
  readonly many: Place
  readonly few: Place
  /** In the home of fifty. */
  readonly crowded: Place
  readonly busy: readonly Place[]
}

async function serverWith(fill: Fill): Promise<Server> {
  const crowded = await fill(CROWDED, 0)
  for (let n = 1; n < CALENDARS; n++) await fill(CROWDED, 0)
  return {
    many: await fill(OWNER, OBJECTS),
    few: await fill(OWNER, FEW),
    crowded,
    busy: await Promise.all(Array.from({ length: BUSY }, (_, n) => fill(FIRST_BUSY + n, FEW))),
  }
}

/** Users who look, read and write one after the other, until it is disposed of. One who is refused goes on. */
function busyUsers(places: readonly Place[]): AsyncDisposable {
  const end = new AbortController()
  const refusals: unknown[] = []
  const loop = async (place: Place) => {
    for (let n = 0; !end.signal.aborted; n = (n + 1) % FEW)
      await visit(place, n).catch((error: unknown) => refusals.push(error))
  }
  const visit = async (place: Place, n: number) => {
    const token = await requests.tokenOf(place)
    await requests.put(place, fileName(n), eventOf(n).replace('SUMMARY:', `SUMMARY:At ${performance.now()} `))
    await requests.syncSince(place, token)
    await requests.multiget(place, [fileName(n)])
    await Bun.sleep(PAUSE_MS)
  }
  const loops = Promise.all(places.map(loop))
  return {
    async [Symbol.asyncDispose]() {
      end.abort()
      await loops
      if (refusals.length > 0) console.log(`busy users were refused ${refusals.length} times:`, refusals[0])
    },
  }
}

interface Figure {
  readonly name: string
  readonly bar: string
  /** How often the service is asked, and how often Radicale, which takes long for some. */
  readonly times: readonly [service: number, radicale: number]
  /** Prepares, and answers what is measured again and again. */
  readonly prepare: (server: Server) => Promise<(round: number) => Promise<Timed>>
  readonly value?: (one: Timed) => number
}

const always = (ask: (server: Server) => Promise<Timed>) => async (server: Server) => async () => ask(server)

/** Ten changes to a calendar, and the sync that tells of them. */
export async function afterTenChanges(place: Place): Promise<() => Promise<Timed>> {
  const token = await requests.tokenOf(place)
  for (let n = 0; n < 10; n++)
    await requests.put(place, fileName(n), eventOf(n).replace('SUMMARY:', `SUMMARY:${crypto.randomUUID()} `))
  return () => requests.syncSince(place, token)
}

const HUNDRED = Array.from({ length: 100 }, (_, n) => fileName(n * 97))

const SYNC_OF_MANY = 'sync after 10 changes, of 10 000'

const FIGURES: readonly Figure[] = [
  {
    name: 'ctag and sync-token',
    bar: '5',
    times: [50, 5],
    prepare: always(({ many }) => requests.tags(many)),
  },
  {
    name: 'etags of 10 000, to the end',
    bar: '1000',
    times: [5, 1],
    prepare: always(({ many }) => requests.listing(many)),
  },
  {
    name: 'etags of 10 000, to the first byte',
    bar: '200',
    times: [5, 1],
    prepare: always(({ many }) => requests.listing(many)),
    value: ({ firstByteMs }) => firstByteMs,
  },
  {
    name: SYNC_OF_MANY,
    bar: '15',
    times: [50, 5],
    prepare: ({ many }) => afterTenChanges(many),
  },
  {
    name: 'home of 50 calendars',
    bar: '40',
    times: [30, 5],
    prepare: always(({ crowded }) => requests.home(crowded)),
  },
  {
    name: 'multiget of 100',
    bar: '40',
    times: [30, 5],
    prepare: always(({ many }) => requests.multiget(many, HUNDRED)),
  },
  {
    name: 'PUT of a new event',
    bar: '15',
    times: [100, 10],
    prepare: async ({ many }) => {
      const run = crypto.randomUUID()
      return (round) => {
        const text = eventOf(round).replace(/UID:.*/, `UID:${run}-${round}`)
        return requests.put(many, `${run}-${round}.ics`, text)
      }
    },
  },
  {
    name: 'events of a month',
    bar: '150',
    times: [20, 3],
    prepare: always(({ many }) => requests.month(many)),
  },
  {
    name: 'events from a day on',
    bar: '400',
    times: [10, 2],
    prepare: always(({ many }) => requests.fromNow(many)),
  },
]

interface Measured {
  readonly best: number
  readonly p50: number
  readonly p95: number
}

async function measured(figure: Figure, server: Server, times: number): Promise<Measured> {
  const { prepare, value = ({ ms }: Timed) => ms } = figure
  const ask = await prepare(server)
  if (times > 1) await ask(times)
  const all: number[] = []
  for (let round = 0; round < times; round++) all.push(value(await ask(round)))
  return { best: Math.min(...all), p50: quantile(all, 0.5), p95: quantile(all, 0.95) }
}

async function figuresOf(server: Server, of: 0 | 1): Promise<ReadonlyMap<string, Measured>> {
  await using _ = busyUsers(server.busy)
  const found = new Map<string, Measured>()
  for (const figure of FIGURES) {
    const one = await measured(figure, server, figure.times[of])
    console.log(
      of === 0 ? 'service ' : 'radicale',
      figure.name,
      one.best.toFixed(1),
      one.p50.toFixed(1),
      one.p95.toFixed(1),
    )
    found.set(figure.name, one)
  }
  return found
}

type Row = readonly string[]
const table = (header: Row, rows: readonly Row[]): string =>
  [header, header.map((_, i) => (i === 0 ? '---' : '--:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

const shown = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? '' : value.toFixed(value < 10 ? 1 : 0)

/** The figures of the service and of Radicale, with their bars, in ms. */
function figuresTable(
  service: ReadonlyMap<string, Measured>,
  radicale?: ReadonlyMap<string, Measured>,
): string {
  return table(
    ['CalDAV, ms', 'Bar', 'Best', 'p50', 'p95', 'Radicale p50', 'Radicale, times the service'],
    FIGURES.map(({ name, bar }) => {
      const [own, other] = [service.get(name), radicale?.get(name)]
      const ratio = own && other ? shown(other.p50 / own.p50) : ''
      return [name, bar, shown(own?.best), shown(own?.p50), shown(own?.p95), shown(other?.p50), ratio]
    }),
  )
}

/** How long a sync takes in the large calendar, times that in the small one, asked in turn so that both see the same machine. */
async function syncRatio({ many, few, busy }: Server): Promise<number> {
  await using _ = busyUsers(busy)
  const [ofMany, ofFew] = [await afterTenChanges(many), await afterTenChanges(few)]
  const ratios: number[] = []
  for (let round = 0; round < PAIRS; round++) ratios.push((await ofMany()).ms / (await ofFew()).ms)
  return quantile(ratios, 0.5)
}

/** The database does so by itself, but not before a minute has passed. */
async function analyse(url: string): Promise<void> {
  const admin = administer(url)
  await admin`analyze`
  await admin.end({ timeout: 5 })
}

/** Measures the service alone where `only` says so, and the client besides where it is `vdirsyncer`; answers the tables. */
export async function measureDav(startService: StartService, only = ''): Promise<string> {
  await using database = await freshDatabaseUrl()
  const sessions = await seedUsers(database.url)
  const { base, program } = await startService(database.url)
  await using _ = program
  const filling = fillingService(base, sessions)
  const fill: Fill = async (user, objects) => {
    const place = await filling(user, objects)
    if (objects > 0) await analyse(database.url)
    return place
  }
  const server = await serverWith(fill)
  if (only === 'vdirsyncer') return await measureVdirsyncer(await fill(OWNER, OBJECTS), `user${OWNER}`)
  const service = await figuresOf(server, 0)
  const growth = await syncRatio(server)
  const hostile = await measureHostile(await fill(OWNER, OBJECTS), server.crowded)
  const radicale = only === 'alone' ? undefined : await radicaleFigures()
  const tables = [
    figuresTable(service, radicale),
    `A sync after 10 changes among 10 000 objects takes ${growth.toFixed(2)} times that among 100.`,
    table(
      ['Hostile', 'Status', 'ms', 'Longest wait of another user, ms'],
      hostile.map(({ name, status, ms, waitMs }) => [name, String(status), shown(ms), shown(waitMs)]),
    ),
  ]
  return tables.join('\n\n')
}

async function radicaleFigures(): Promise<ReadonlyMap<string, Measured> | undefined> {
  await using radicale = await startRadicale()
  if (radicale) return await figuresOf(await serverWith(radicale.fill), 1)
  console.log('Radicale is not installed: the service is measured alone')
  return undefined
}
