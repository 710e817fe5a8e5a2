import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basic } from '../support/dav'
import { freePort, until } from '../support/service'
import type { Session } from './accounts'
import { type Place, tags } from './dav.requests'

/** The calendars that both servers hold, filled in the way that is quickest for each. */

const RECURRING_OF_TEN = 1
const DAYS = 1096

const two = (value: number) => String(value).padStart(2, '0')

/** The lines of an event: of ten, one repeats weekly, every second of these for ever. Spread over three years about now. */
function linesOf(n: number): readonly string[] {
  const day = new Date(Date.UTC(2024, 8, 1 + (n % DAYS)))
  const at = `${day.toISOString().slice(0, 10).replaceAll('-', '')}T${two(8 + (n % 10))}0000Z`
  const isRecurring = n % 10 < RECURRING_OF_TEN
  const isEndless = n % 20 < RECURRING_OF_TEN
  return [
    'BEGIN:VEVENT',
    `UID:${nameOf(n)}`,
    'DTSTAMP:20260101T000000Z',
    `DTSTART:${at}`,
    'DURATION:PT1H',
    `SUMMARY:Event ${n}`,
    'DESCRIPTION:As long as descriptions of events are that somebody types into a phone.',
    ...(isRecurring ? [`RRULE:FREQ=WEEKLY${isEndless ? '' : ';COUNT=20'}`] : []),
    'END:VEVENT',
  ]
}

const nameOf = (n: number) => `event-${n}`
export const fileName = (n: number): string => `${nameOf(n)}.ics`

export const calendarOf = (lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//bench//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')

/** The text of an event, as one object. */
export const eventOf = (n: number): string => calendarOf(linesOf(n))

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Makes a calendar of so many events for a user. */
export type Fill = (user: number, objects: number) => Promise<Place>

/** Fills calendars of the service by importing them. */
export function fillingService(base: string, sessions: readonly Session[]): Fill {
  const tokens = new Map<number, string>()
  return async (user, objects) => {
    const { cookie, userId } = sessions[user] ?? { cookie: '', userId: 0 }
    const post = async (path: string, type: string, body: string) => {
      const headers = { cookie: `session=${cookie}`, 'content-type': type }
      const response = await fetch(`${base}${path}`, { method: 'POST', headers, body })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as { id: number; token: string }
    }
    const json = async (path: string, body: object) => post(path, 'application/json', JSON.stringify(body))
    const { id } = await json('/api/calendars', { name: crypto.randomUUID() })
    if (objects > 0)
      await post(
        `/api/calendars/${id}/import`,
        'text/calendar',
        calendarOf(numbers(objects).flatMap(linesOf)),
      )
    const scopes = ['dav', 'calendars:write']
    const token = tokens.get(user) ?? (await json('/api/auth/tokens', { name: 'Bench', scopes })).token
    tokens.set(user, token)
    const home = `/dav/calendars/${userId}/`
    return { base, authorization: basic(`user${user}`, token), home, path: `${home}calendar-${id}/` }
  }
}

/** Starts Radicale in a folder of its own, where it lets anybody in; undefined where it is not installed. */
export async function startRadicale() {
  const program = Bun.which('radicale')
  if (program === null) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'organiser-radicale-'))
  const port = await freePort()
  const config = join(folder, 'config')
  await writeFile(
    config,
    `[server]\nhosts = 127.0.0.1:${port}\nmax_connections = 100\ntimeout = 600\n[auth]\ntype = none\n[storage]\nfilesystem_folder = ${folder}\n[logging]\nlevel = error\n`,
  )
  const child = Bun.spawn([program, '--config', config], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const base = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(base, { redirect: 'manual' }).catch(() => undefined)) !== undefined)
  const fill: Fill = async (user, objects) => {
    const home = `/user${user}/`
    const path = `${home}of-${objects}-${crypto.randomUUID()}/`
    const place = join(folder, 'collection-root', path)
    await mkdir(place, { recursive: true })
    await writeFile(join(place, '.Radicale.props'), JSON.stringify({ tag: 'VCALENDAR' }))
    for (const n of numbers(objects)) await writeFile(join(place, fileName(n)), eventOf(n))
    const made = { base, authorization: basic(`user${user}`, 'any'), home, path, isClosing: true }
    // It reads each file once, which takes long, and then keeps what it found.
    await tags(made)
    return made
  }
  return {
    fill,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
