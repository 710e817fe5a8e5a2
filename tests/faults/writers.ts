import { expect } from 'bun:test'
import { createDavWriters } from './dav-writers'

/** Where the writers send their requests, and as whom. */
export interface Target {
  readonly url: string
  readonly cookie: string
  /** Sends the requests; by default `fetch`. */
  readonly ask?: Ask
}

export type Ask = (url: string, init: RequestInit) => Promise<Response>

type Record = Readonly<{ [field: string]: unknown }>

const isRecord = (value: unknown): value is Record => typeof value === 'object' && value !== null

const send = (
  { url, cookie, ask = fetch }: Target,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> =>
  ask(`${url}${path}`, {
    method,
    headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

async function read(target: Target, path: string): Promise<Record> {
  const response = await send(target, 'GET', path)
  const body: unknown = await response.json()
  expect([path, response.status]).toEqual([path, 200])
  return isRecord(body) ? body : {}
}

const listIn = (body: Record, name: string): Record[] => {
  const list = body[name]
  return Array.isArray(list) ? list.filter(isRecord) : []
}

/** A todo that one writer changes again and again: every version names itself twice. */
interface Changed {
  readonly path: string
  acknowledged: number
  attempted: number
}

/** So many series begin in each year, on one day: the answer to a window has a limit, of 5000 occurrences. */
const SERIES_A_YEAR = 500
const OCCURRENCES = 4

const yearOf = (series: number) => 2026 + Math.floor(series / SERIES_A_YEAR)
const windowOf = (year: number) => `from=${year}-03-01&to=${year}-03-20`

/** A series of which it is known that it was split in two. */
interface Halves {
  readonly year: number
  readonly earlier: string
  readonly later: string
}

/** What is wrong with the series that have so many occurrences: all that were acknowledged are there, and each is whole. */
export const problemsOfSeries = (
  acknowledged: readonly string[],
  occurrences: ReadonlyMap<string, number>,
): string[] => [
  ...acknowledged.filter((title) => !occurrences.has(title)).map((title) => `${title} is lost`),
  ...[...occurrences]
    .filter(([, count]) => count !== OCCURRENCES)
    .map(([title, count]) => `${title} has ${count} occurrences`),
]

const nameOf = (writer: number, number: number) => `writer ${writer}, change ${number}`

/**
 * Sixteen clients that write until they are told to stop, and remember what was acknowledged: records that they make, one
 * that each of them changes, series that they split in two, and accounts. Beside them phones write to /dav.
 */
export function createWriters() {
  const made = new Map<string, Record>()
  const changed = new Map<number, Changed>()
  const accounts = new Set<string>()
  const planned: string[] = []
  const halves: Halves[] = []
  let [count, series] = [0, 0]
  let refused = 0
  let unexpected: string[] = []
  const phones = createDavWriters()

  /** The record of a 2xx, undefined where nothing is known: the answer was a 503 or a 429, or did not come. */
  async function attempt(target: Target, method: string, path: string, body: unknown) {
    try {
      const response = await send(target, method, path, body)
      const answer: unknown = await response.json()
      if (response.ok && isRecord(answer)) return answer
      if (response.status !== 503 && response.status !== 429)
        unexpected.push(`${method} ${path}: ${response.status}`)
    } catch {
      // The connection broke: whether it was written is not known.
    }
    refused += 1
    return undefined
  }

  async function make(target: Target, path: string, body: unknown) {
    const record = await attempt(target, 'POST', path, body)
    if (!record) return
    const place = `${path}/${String(record['id'])}`
    // Who loses a record may give its number to the next.
    if (made.has(place)) unexpected.push(`${place} was made twice`)
    made.set(place, record)
  }

  async function change(target: Target, writer: number) {
    let mine = changed.get(writer)
    if (!mine) {
      const title = nameOf(writer, 0)
      const todo = await attempt(target, 'POST', '/api/todos', { title, description: title })
      if (!todo) return
      mine = { path: `/api/todos/${String(todo['id'])}`, acknowledged: 0, attempted: 0 }
      changed.set(writer, mine)
    }
    const number = (mine.attempted += 1)
    const title = nameOf(writer, number)
    if (await attempt(target, 'PUT', mine.path, { title, description: title })) mine.acknowledged = number
  }

  async function split(target: Target) {
    const title = `series ${(series += 1)}`
    const year = yearOf(series)
    const whole = await attempt(target, 'POST', '/api/events', {
      title,
      start_at: `${year}-03-01T09:00:00Z`,
      end_at: `${year}-03-01T10:00:00Z`,
      recurrence_rule: `FREQ=DAILY;COUNT=${OCCURRENCES}`,
    })
    if (!whole) return
    planned.push(title)
    const earlier = `/api/events/${String(whole['id'])}`
    const from = `${earlier}?scope=following&occurrence_start=${year}-03-02T09:00:00Z`
    const half = await attempt(target, 'PUT', from, { title: `later half of ${title}` })
    if (half) halves.push({ year, earlier, later: `/api/events/${String(half['id'])}` })
  }

  async function openAccount(target: Target) {
    const username = `user${(count += 1)}`
    const password = 'correct horse battery'
    if (await attempt(target, 'POST', '/api/admin/users', { username, password })) accounts.add(username)
  }

  const kinds = [
    change,
    (target: Target) => make(target, '/api/todos', { title: `todo ${(count += 1)}`, priority: 'high' }),
    (target: Target) =>
      make(target, '/api/people', { first_name: `person ${(count += 1)}`, birthday: '--02-29' }),
    split,
    change,
    (target: Target) => make(target, '/api/projects', { name: `project ${(count += 1)}` }),
    change,
    openAccount,
  ]

  return {
    get acknowledged() {
      const changes = [...changed.values()].reduce((sum, { acknowledged }) => sum + acknowledged, 0)
      return made.size + planned.length + halves.length + accounts.size + changes + phones.acknowledged
    },
    get refused() {
      return refused + phones.refused
    },
    get phone() {
      return phones.phone
    },
    /** Writes until `isOver`. */
    async run(target: Target, isOver: () => boolean): Promise<void> {
      const writer = async (_: unknown, index: number) => {
        while (!isOver()) await kinds[index % kinds.length]?.(target, index)
      }
      await Promise.all([phones.run(target, isOver), ...Array.from({ length: 16 }, writer)])
    },
    /** Every acknowledged write is there and whole, and every other is there as a whole or not at all. */
    async verify(target: Target): Promise<void> {
      expect(unexpected).toEqual([])
      await Promise.all([
        verifyMade(target),
        verifyChanged(target),
        verifyHalves(target),
        verifyAccounts(target),
        phones.verify(target),
      ])
      unexpected = []
    },
  }

  /** Positions count: they are those of the others, too. */
  async function verifyMade(target: Target) {
    for (const [path, record] of made) {
      expect({ ...(await read(target, path)), position: 0 }).toEqual({ ...record, position: 0 })
    }
  }

  async function verifyChanged(target: Target) {
    for (const [writer, { path, acknowledged, attempted }] of changed) {
      const todo = await read(target, path)
      const number = Number(/\d+$/.exec(String(todo['title']))?.[0])
      expect(number).toBeGreaterThanOrEqual(acknowledged)
      expect(number).toBeLessThanOrEqual(attempted)
      expect(todo).toMatchObject({ title: nameOf(writer, number), description: nameOf(writer, number) })
    }
  }

  async function verifyHalves(target: Target) {
    for (const { year, earlier, later } of halves) {
      const days = async (path: string) =>
        listIn(await read(target, `${path}/occurrences?${windowOf(year)}`), 'occurrences').length
      expect([await days(earlier), await days(later)]).toEqual([1, 3])
    }
    // A split of which nothing is known has happened on both sides, or on none.
    const titles = new Map<string, number>()
    for (let year = yearOf(0); year <= yearOf(series); year++) {
      for (const { title } of listIn(await read(target, `/api/events?${windowOf(year)}`), 'events')) {
        const name = String(title).replace('later half of ', '')
        if (name.startsWith('series ')) titles.set(name, (titles.get(name) ?? 0) + 1)
      }
    }
    expect(problemsOfSeries(planned, titles)).toEqual([])
  }

  async function verifyAccounts(target: Target) {
    const seen = new Set<string>()
    for (let cursor = ''; ;) {
      const page = await read(target, `/api/admin/users?limit=200${cursor}`)
      for (const user of listIn(page, 'users')) {
        seen.add(String(user['username']))
        if (user['username'] === 'ada') continue
        const { counts } = await read(target, `/api/admin/users/${String(user['id'])}`)
        expect(counts).toMatchObject({ calendars: 2 })
      }
      if (typeof page['next_cursor'] !== 'string') break
      cursor = `&cursor=${encodeURIComponent(page['next_cursor'])}`
    }
    expect([...accounts].filter((username) => !seen.has(username))).toEqual([])
  }
}
