import { rename, rm } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { WEB_CLIENT } from '../../src/adapters/web-assets'
import { launchBrowser } from '../support/browser'
import { freshDatabaseUrl } from '../support/database'
import { seedUsers } from './accounts'
import { seedAccount } from './dashboard'
import { measureLighthouse } from './web.lighthouse'
import { measureLiveUse } from './web.live'
import { editorStandsMs, recordedOn, recordIn, settled, useCalendar } from './web.session'
import type { StartService } from './wrk'

/**
 * `bun run bench web [rounds]`: how fast the web client answers with 2 000 events in six weeks and 1 000 todos, what it costs the
 * browser and the service, how soon others see a change, what drops and kills do, and what Lighthouse says. Medians of the rounds, which are five unless the command says otherwise.
 */
const ROUNDS = Number(process.argv[3] ?? 5)
const SIZES = { todos: 1000, events: 2000, tasks: 500 }
const VIEW_CHANGES = 30
const MIB = 1024 * 1024

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)
const quantile = (values: readonly number[], at: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? Number.NaN
const median = (values: readonly number[]) => quantile(values, 0.5)

const row = (what: string, value: number, bar: string) =>
  console.log(`| ${what.padEnd(64)} | ${value.toFixed(0).padStart(6)} | ${bar.padStart(8)} |`)

interface Seen {
  readonly p75: number
  readonly max: number
  readonly editorMs: number
  readonly coldMs: number
  readonly lateTasks: number
  readonly heapMiB: number
  readonly grownMiB: number
}

async function heapMiB(context: BrowserContext, page: Page): Promise<number> {
  const session = await context.newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / MIB
}

/** One session of a person whose processor is `slowdown` times slower, in a browser that knows nothing yet. */
async function seen(browser: Browser, base: string, cookie: string, slowdown: number): Promise<Seen> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  await context.addCookies([{ name: 'session', value: cookie, url: base }])
  await recordIn(context)
  const page = await context.newPage()
  const throttle = await context.newCDPSession(page)
  await throttle.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto(`${base}/calendar/week/${new Date().toISOString().slice(0, 10)}`)
  await settled(page)
  await page.locator('button.event').first().waitFor()
  const coldMs = await page.evaluate(() => performance.now())
  await page.waitForTimeout(3000)
  const { longTasks } = await recordedOn(page)
  const lateTasks = longTasks.filter(([start]) => start > coldMs + 1000).length
  await useCalendar(page)
  const interactions = Object.values((await recordedOn(page)).interactions)
  const editorMs = await editorStandsMs(page)
  const before = await heapMiB(context, page)
  for (let change = 0; change < VIEW_CHANGES; change++) {
    await page.keyboard.press('wmda'[change % 4] ?? 'w')
    await settled(page)
  }
  const after = await heapMiB(context, page)
  await context.close()
  return {
    p75: quantile(interactions, 0.75),
    max: Math.max(...interactions),
    editorMs,
    coldMs,
    lateTasks,
    heapMiB: after,
    grownMiB: after - before,
  }
}

async function measureUse(browser: Browser, base: string, cookie: string): Promise<void> {
  for (const slowdown of [1, 4]) {
    const rounds: Seen[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await seen(browser, base, cookie, slowdown))
    const of = (figure: keyof Seen) => median(rounds.map((one) => one[figure]))
    const bars = slowdown === 1 ? ['100', '200', '80', '1000'] : ['', '350', '300', '']
    row(`interaction to next paint, p75, ms, CPU ${slowdown}×`, of('p75'), bars[0] ?? '')
    row(`interaction to next paint, longest, ms, CPU ${slowdown}×`, of('max'), bars[1] ?? '')
    row(`the editor stands after, ms, CPU ${slowdown}×`, of('editorMs'), bars[2] ?? '')
    row(`a cold week is usable after, ms, CPU ${slowdown}×`, of('coldMs'), bars[3] ?? '')
    if (slowdown > 1) continue
    row('tasks over 50 ms after the first second', of('lateTasks'), '0')
    row('heap at the end, MiB', of('heapMiB'), '60')
    row(`heap that ${VIEW_CHANGES} changes of the view left behind, MiB`, of('grownMiB'), '5')
  }
}

/** Start and memory of the service with the built client and without it, in turn. */
async function measureFootprint(startService: StartService, url: string): Promise<void> {
  const figures = { with: { ready: [], rss: [] }, without: { ready: [], rss: [] } } as Record<
    'with' | 'without',
    { ready: number[]; rss: number[] }
  >
  for (let round = 0; round < ROUNDS; round++)
    for (const side of ['with', 'without'] as const) {
      const aside = `${WEB_CLIENT}.aside`
      if (side === 'without') await rename(WEB_CLIENT, aside)
      try {
        const { base, program } = await startService(url)
        await (await fetch(`${base}/`, { headers: { accept: 'text/html' } })).text()
        figures[side].ready.push(program.readyMs)
        figures[side].rss.push(await program.rssMiB())
        await program[Symbol.asyncDispose]()
      } finally {
        if (side === 'without') await rename(aside, WEB_CLIENT)
      }
    }
  row('the service is ready after, ms, with the client', median(figures.with.ready), '1500')
  row('the same without it', median(figures.without.ready), '')
  row('memory at rest, MiB, with the client', median(figures.with.rss), '')
  row('the same without it', median(figures.without.rss), '')
  row('memory that the client adds, MiB', median(figures.with.rss) - median(figures.without.rss), '5')
}

/** What a start waits for before the service itself: the bundle, from nothing and as it was. */
async function measureBuild(): Promise<void> {
  const build = async () => {
    const startedAt = performance.now()
    await Bun.spawn(['bun', 'src/web/build.ts'], { stdio: ['ignore', 'inherit', 'inherit'] }).exited
    return performance.now() - startedAt
  }
  await rm(WEB_CLIENT, { recursive: true, force: true })
  row('building the client from nothing, ms', await build(), '3000')
  row('finding it unchanged, ms', await build(), '')
}

export async function measureWeb(startService: StartService): Promise<void> {
  await measureBuild()
  await using database = await freshDatabaseUrl()
  const [ada, bob, loaded] = await seedUsers(database.url)
  const { userId, cookie } = loaded
  await seedAccount(database.url, userId, SIZES)
  await measureFootprint(startService, database.url)
  const { base, program } = await startService(database.url)
  const browser = await launchBrowser()
  if (!browser) throw new Error('Chromium is missing')
  await measureUse(browser, base, cookie)
  await measureLiveUse({ browser, url: database.url, people: [ada, bob], rounds: ROUNDS, row })
  await browser.close()
  await measureLighthouse({ base, cookie, rounds: ROUNDS, row })
  await program[Symbol.asyncDispose]()
}
