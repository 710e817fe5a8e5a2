import type { Browser, BrowserContext, Page } from 'playwright-core'
import { connect } from '../../src/db/client'
import { connections } from '../../src/db/schema'
import { freePort, startService, until } from '../support/service'
import { SECRET, type Session } from './accounts'

interface Asked {
  readonly browser: Browser
  readonly url: string
  /** Two people with an account each. */
  readonly people: readonly [Session, Session]
  readonly rounds: number
  readonly row: (what: string, value: number, bar: string) => void
}

const CHANGES = { added: 60, ticked: 40 } as const
const LONGEST_MS = 60_000

const worstOf = (values: readonly number[]) => Math.max(...values)

/** What one person's device does, and what the service has of it. */
interface Device {
  readonly context: BrowserContext
  readonly base: string
  readonly call: (method: string, path: string, body?: unknown) => Promise<unknown>
  readonly open: (path: string) => Promise<Page>
}

async function device(browser: Browser, base: string, { cookie }: Session): Promise<Device> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  await context.addCookies([{ name: 'session', value: cookie, url: base }])
  return {
    context,
    base,
    async call(method, path, body) {
      const answer = await fetch(`${base}/api/${path}`, {
        method,
        headers: { cookie: `session=${cookie}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
      return answer.json()
    },
    async open(path) {
      const page = await context.newPage()
      page.setDefaultTimeout(LONGEST_MS)
      await page.goto(`${base}${path}`)
      await says(page, 'Live')
      return page
    },
  }
}

const says = (page: Page, text: string) =>
  page.getByRole('status', { name: 'Connection' }).getByText(text).waitFor()

const box = (page: Page, title: string) => page.getByRole('checkbox', { name: title, exact: true })

/** Milliseconds from the beginning of `act` until `seen` holds. */
async function msUntil(act: () => Promise<unknown>, seen: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  const watched = seen()
  await act()
  await watched
  return performance.now() - startedAt
}

async function addTodo(page: Page, title: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Add a todo' }).fill(title)
  await page.keyboard.press('Enter')
}

/** A calendar of the first that the second sees, too. */
async function sharedCalendar(url: string, [ada, bob]: readonly [Device, Device], people: Asked['people']) {
  const { db, close } = connect(url, { pool: 1 })
  const [first, second] = people.map(({ userId }) => userId) as [number, number]
  const times = { createdAt: new Date(), updatedAt: new Date() }
  await db.insert(connections).values([
    { userId: first, otherUserId: second, ...times },
    { userId: second, otherUserId: first, ...times },
  ])
  await close()
  const { id } = (await ada.call('POST', 'calendars', { name: 'Choir' })) as { id: number }
  await ada.call('POST', `calendars/${id}/members`, { user_id: second, permission: 'read' })
  const { invites } = (await bob.call('GET', 'calendars/invites')) as { invites: Array<{ id: number }> }
  for (const invite of invites) await bob.call('PUT', `calendars/invites/${invite.id}/accept`)
  return id
}

/** How soon another person, and another tab, see a change. */
async function measureSight(devices: readonly [Device, Device], calendar: number, asked: Asked) {
  const [ada, bob] = devices
  const { rounds, row } = asked
  const day = new Date().toISOString().slice(0, 10)
  const bobs = await bob.open(`/calendar/day/${day}`)
  const [first, second] = [await ada.open('/todos?view=all'), await ada.open('/todos?view=all')]
  const others: number[] = []
  const tabs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [title, hour] = [`Rehearsal ${round}`, String(8 + (round % 10)).padStart(2, '0')]
    const [start_at, end_at] = [`${day}T${hour}:00:00`, `${day}T${hour}:45:00`]
    const body = { calendar_id: calendar, title, all_day: false, start_at, end_at, time_zone: 'UTC' }
    const shown = () => bobs.getByRole('button', { name: new RegExp(`^${title},`) }).waitFor()
    others.push(await msUntil(() => ada.call('POST', 'events', body), shown))
    const todo = `Seen ${round}`
    const seen = () => box(second, todo).waitFor()
    await first.getByRole('textbox', { name: 'Add a todo' }).fill(todo)
    tabs.push(await msUntil(() => first.keyboard.press('Enter'), seen))
  }
  row('another person sees a change after, slowest, ms', worstOf(others), '1000')
  row('another tab sees a change after, slowest, ms', worstOf(tabs), '1000')
  for (const page of [bobs, first, second]) await page.close()
}

/** How many of the titles are not there exactly once. */
async function amiss({ call }: Device, prefix: string, expected: readonly string[]): Promise<number> {
  const { todos } = (await call('GET', 'todos?limit=200')) as {
    todos: Array<{ title: string; completed: boolean }>
  }
  const found = todos
    .filter(({ title }) => title.startsWith(prefix))
    .map(({ title, completed }) => (completed ? `${title}, done` : title))
  const wrong = expected.filter((each) => found.filter((title) => title === each).length !== 1)
  return wrong.length + found.filter((title) => !expected.includes(title)).length
}

async function measureOffline(ada: Device, { row }: Asked): Promise<void> {
  const page = await ada.open('/todos?view=all')
  await ada.context.setOffline(true)
  const titles = Array.from({ length: CHANGES.added }, (_, index) => `Chore ${index}`)
  for (const title of titles) {
    await addTodo(page, title)
    await box(page, title).waitFor()
  }
  for (const title of titles.slice(0, CHANGES.ticked)) await box(page, title).check()
  const expected = titles.map((title, index) => (index < CHANGES.ticked ? `${title}, done` : title))
  const arrived = async () => (await amiss(ada, 'Chore ', expected)) === 0
  const ms = await msUntil(
    () => ada.context.setOffline(false),
    () => until(arrived, LONGEST_MS).catch(() => undefined),
  )
  row(`${CHANGES.added + CHANGES.ticked} changes made offline have arrived after, ms`, ms, '')
  row('of these, lost or made twice', await amiss(ada, 'Chore ', expected), '0')
  await page.close()
}

/** Two people before a service of their own, which can be killed and started again at its address. */
export async function measureLiveUse(asked: Asked): Promise<void> {
  const { browser, url, people, row } = asked
  const port = await freePort()
  const env = { DATABASE_URL: url, SECRET_KEYS: SECRET }
  const start = () => startService({ port, env })
  const first = await start()
  const devices = [
    await device(browser, first.url, people[0]),
    await device(browser, first.url, people[1]),
  ] as const
  await measureSight(devices, await sharedCalendar(url, devices, people), asked)
  await measureOffline(devices[0], asked)

  const page = await devices[0].open('/todos?view=all')
  const noticed = await msUntil(
    async () => first.kill('SIGKILL'),
    () => says(page, 'Reconnecting'),
  )
  row('after the service is killed, “Reconnecting” shows after, ms', noticed, '20000')
  await addTodo(page, 'Made meanwhile')
  await box(page, 'Made meanwhile').waitFor()
  await using second = await start()
  const back = await msUntil(
    () => second.fetch('/health/ready'),
    () => says(page, 'Live'),
  )
  row('once it is started again, “Live” shows after, ms', back, '20000')
  await until(async () => (await amiss(devices[0], 'Made ', ['Made meanwhile'])) === 0, LONGEST_MS)
  row('of what was done meanwhile, lost or made twice', 0, '0')
  for (const { context } of devices) await context.close()
}
