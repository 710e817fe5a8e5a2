import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { tcpProxy } from '../../faults/tcp-proxy'
import { test } from '../../support/browser'
import type { Actor } from '../../support/harness'
import { lent, sharer, type Sharer } from '../../support/sharing'
import { befriend } from '../../support/inviting'
import { box, lines } from '../../support/todo-page'
import { type Client, eventually, startClient } from '../../support/web'

/** Two people and three devices behind a network that fails: the real client, over real connections. */
let client: Client
let network: Awaited<ReturnType<typeof tcpProxy>>
beforeAll(async () => {
  client = await startClient()
  network = await tcpProxy(client.origin)
}, 180_000)
afterAll(async () => {
  network[Symbol.dispose]()
  await client[Symbol.asyncDispose]()
})

const TODOS = '/todos?view=all'

/** How soon the client notices by itself that the service is gone, or is back. */
const NOTICED = { timeout: 20_000 }

const says = (page: Page, text: string) =>
  page.getByRole('status', { name: 'Connection' }).getByText(text).waitFor(NOTICED)

/** A device of somebody at an address, reached through the network. */
async function device(as: Actor, address: string) {
  const baseURL = `http://localhost:${new URL(network.url).port}`
  const { page, context } = await client.open({ as, options: { baseURL } })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await says(page, 'Live')
  return { page, context, [Symbol.asyncDispose]: () => context.close() }
}

async function addTodo(page: Page, title: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Add a todo' }).fill(title)
  await page.keyboard.press('Enter')
  await box(page, title).waitFor()
}

interface Kept {
  readonly title: string
  readonly completed: boolean
}

/** What the service has, as `title` or `title, done`. */
async function kept(actor: Actor): Promise<string[]> {
  const todos: Kept[] = (await actor.request('GET', '/api/todos?limit=200')).body.todos
  return todos.map(({ title, completed }) => (completed ? `${title}, done` : title)).toSorted()
}

const meetings = async (actor: Sharer): Promise<string[]> =>
  (await actor.list('2026-03-01', '2026-04-01')).map(({ title }): string => title).toSorted()

/** Tells pages that the network is back, so that no pause of their own is waited for. */
const hurry = (pages: readonly Page[]) =>
  Promise.all(pages.map((page) => page.evaluate(() => dispatchEvent(new Event('online')))))

test('where the service is gone, every tab says that it reconnects, and what is done meanwhile arrives in all of them', async () => {
  const ada = await sharer(client.h)
  await using first = await device(ada, TODOS)
  const { page, context } = first
  const second = await context.newPage()
  await second.goto(TODOS)
  await says(second, 'Live')
  network.cut()
  await says(page, 'Reconnecting')
  await says(second, 'Reconnecting')
  await addTodo(page, 'Made meanwhile')
  expect(await kept(ada)).toEqual([])
  await network.mend()
  await says(page, 'Live')
  await says(second, 'Live')
  await box(second, 'Made meanwhile').waitFor()
  expect(await kept(ada)).toEqual(['Made meanwhile'])
})

test('100 changes that were made without a network arrive once it is back, each once, and show on another device', async () => {
  const ada = await sharer(client.h)
  await using offline = await device(ada, TODOS)
  await using other = await device(ada, TODOS)
  const { page, context } = offline
  await context.setOffline(true)
  await says(page, 'You are offline.')
  const titles = Array.from({ length: 60 }, (_, index) => `Chore ${index}`)
  for (const title of titles) await addTodo(page, title)
  for (const title of titles.slice(0, 40)) await box(page, title).check()
  expect(await kept(ada)).toEqual([])
  await context.setOffline(false)
  const expected = titles.map((title, index) => (index < 40 ? `${title}, done` : title)).toSorted()
  await eventually(() => kept(ada), expected)
  const done = other.page.getByRole('list', { name: 'Todos' }).getByRole('checkbox', { checked: true })
  await eventually(() => done.count(), 40)
  const shown = async () => {
    const found = await lines(other.page)
    return [found.length, new Set(found)]
  }
  await eventually<unknown>(shown, [titles.length, new Set(titles)])
}, 180_000)

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const FAULTS = {
  none: () => undefined,
  reset: () => network.reset(),
  cut: () => network.cut(),
  pause: () => network.pause(),
  slow: () => network.slowDown(150),
}
type Fault = keyof typeof FAULTS

async function heal(fault: Fault): Promise<void> {
  if (fault === 'cut') await network.mend()
  network.resume()
  network.slowDown(0)
}

/** One who adds, ticks and deletes todos of their own, and what has to be there in the end. */
function worker(page: Page, name: string, random: () => number) {
  const expected = new Map<string, boolean>()
  let made = 0
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  return {
    expected,
    async work(): Promise<void> {
      const open = [...expected].filter(([, isDone]) => !isDone).map(([title]) => title)
      const chosen = pick(open)
      const share = random()
      if (chosen === undefined || share < 0.5) {
        const title = `${name} ${made++}`
        await addTodo(page, title)
        expected.set(title, false)
      } else if (share < 0.8) {
        await box(page, chosen).check()
        expected.set(chosen, true)
      } else {
        await box(page, chosen).focus()
        await page.keyboard.press('Delete')
        await box(page, chosen).waitFor({ state: 'detached' })
        expected.delete(chosen)
      }
    },
  }
}

async function addMeeting(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('q')
  await page.getByRole('textbox', { name: 'What do you want to add?' }).fill(`${title} tomorrow 12:30 #Choir`)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: new RegExp(`^${title},`) }).waitFor()
}

test('in 50 rounds of random drops, two tabs and two people lose no change and make none twice', async () => {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  const random = randomFrom(seed)
  const [ada, bob] = [await sharer(client.h), await sharer(client.h)]
  await befriend(client.h, ada, [bob])
  await lent(ada, bob, 'Choir')
  await using laptop = await device(ada, TODOS)
  await using phone = await device(ada, TODOS)
  await using bobs = await device(bob, '/calendar/day/2026-03-05')
  const pages = [laptop.page, phone.page, bobs.page]
  const workers = [worker(laptop.page, 'Laptop', random), worker(phone.page, 'Phone', random)]
  // Parts of the client that come when they are first used are there before the first fault.
  const expectedMeetings = ['Meeting start']
  await addMeeting(bobs.page, 'Meeting start')
  for (let round = 0; round < 50; round++) {
    const fault = (Object.keys(FAULTS) as Fault[])[Math.floor(random() * 5)] ?? 'none'
    FAULTS[fault]()
    for (const each of workers) await each.work()
    if (round % 5 === 0) {
      const title = `Meeting ${round}`
      await addMeeting(bobs.page, title)
      expectedMeetings.push(title)
    }
    await heal(fault)
    if (random() < 0.5) await hurry(pages)
  }
  const expected = workers
    .flatMap((each) => [...each.expected].map(([title, isDone]) => (isDone ? `${title}, done` : title)))
    .toSorted()
  await hurry(pages)
  const settled = async () => {
    await hurry(pages)
    return { seed, todos: await kept(ada), meetings: await meetings(ada) }
  }
  await eventually(settled, { seed, todos: expected, meetings: expectedMeetings.toSorted() })
  // Nothing comes later either: what showed is what the service has, on each device.
  for (const page of pages) {
    await page.reload()
    await says(page, 'Live')
  }
  expect({ seed, todos: await kept(ada), meetings: await meetings(ada) }).toEqual({
    seed,
    todos: expected,
    meetings: expectedMeetings.toSorted(),
  })
}, 180_000)
