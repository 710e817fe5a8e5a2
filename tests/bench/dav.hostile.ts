import { fileURLToPath } from 'node:url'
import { calendarOf, fileName } from './dav.places'
import * as requests from './dav.requests'
import type { Place, Timed } from './dav.requests'

/** What hostile requests of one user cost another one. */

const EXDATES = 50_000
const HREFS = 10_000
const REPEATS = 3
const OVERRIDES = 7500

interface Hostile {
  readonly name: string
  readonly ask: (place: Place) => Promise<Timed>
}

const hostileText = (uid: string, lines: string) =>
  calendarOf([
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    lines,
    'SUMMARY:Hostile',
    'END:VEVENT',
  ])

const ALL = Array.from({ length: HREFS }, (_, n) => fileName(n))

const HOSTILE: readonly Hostile[] = [
  { name: 'a month, in a quiet calendar', ask: requests.month },
  {
    name: 'PUT of FREQ=SECONDLY',
    ask: (place) => requests.tryPut(place, 'secondly.ics', hostileText('secondly', requests.SECONDLY)),
  },
  { name: 'a century of FREQ=SECONDLY, expanded', ask: requests.century },
  { name: 'a century of FREQ=SECONDLY, as busy times', ask: requests.busyCentury },
  {
    name: 'PUT of 50 000 EXDATEs',
    ask: (place) => requests.tryPut(place, 'exdates.ics', hostileText('exdates', requests.exdates(EXDATES))),
  },
  {
    name: 'PUT of 7 500 overrides',
    ask: (place) => requests.tryPut(place, `${crypto.randomUUID()}.ics`, requests.overridden(OVERRIDES)),
  },
  { name: 'a month, beside all', ask: requests.month },
  { name: 'a century, beside all', ask: requests.century },
  { name: '8 MiB of XML elements', ask: (place) => requests.largeXml(place, 8) },
  { name: '8 MiB of XML comment', ask: (place) => requests.longText(place, 8) },
  { name: '9 MiB of XML comment', ask: (place) => requests.longText(place, 9) },
  {
    name: '10 000 hrefs that lead nowhere',
    ask: (place) =>
      requests.multiget(
        place,
        ALL.map((name) => `no-${name}`),
      ),
  },
  { name: '10 000 hrefs, with their texts', ask: (place) => requests.multiget(place, ALL) },
  { name: '1 000 filters', ask: (place) => requests.manyFilters(place, 1000) },
]

interface MeasuredHostility {
  readonly name: string
  readonly status: number
  readonly ms: number
  /** The longest that the other user waited for a small answer meanwhile. */
  readonly waitMs: number
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export async function measureHostile(place: Place, other: Place): Promise<MeasuredHostility[]> {
  const found: MeasuredHostility[] = []
  for (const { name, ask } of HOSTILE) {
    const rounds: Array<{ readonly answer: Timed; readonly waitMs: number }> = []
    for (let round = 0; round < REPEATS; round++) rounds.push(await beside(other, () => ask(place)))
    const one = {
      name,
      status: rounds[0]?.answer.status ?? 0,
      ms: median(rounds.map(({ answer }) => answer.ms)),
      waitMs: median(rounds.map(({ waitMs }) => waitMs)),
    }
    console.log('hostile ', one.name, one.status, one.ms.toFixed(1), one.waitMs.toFixed(1))
    found.push(one)
  }
  return found
}

const OTHER = fileURLToPath(new URL('./dav.other.ts', import.meta.url))

/** Does the work while another user asks for something small, again and again. */
async function beside(other: Place, work: () => Promise<Timed>) {
  const ready = Promise.withResolvers<void>()
  const waited = Promise.withResolvers<number>()
  const child = Bun.spawn([process.execPath, OTHER, JSON.stringify(other)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (told: unknown) => (told === 'ready' ? ready.resolve() : waited.resolve(Number(told))),
  })
  await ready.promise
  const answer = await work()
  child.send('end')
  const waitMs = await waited.promise
  await child.exited
  return { answer, waitMs }
}
