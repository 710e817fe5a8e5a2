import type { BrowserContext, Page } from 'playwright-core'

/** What the browser itself says about one page while somebody uses it. */
interface Recorded {
  /** Milliseconds from an input to the next paint, by interaction. */
  readonly interactions: Record<number, number>
  /** Start and length of each task that took longer than 50 ms. */
  readonly longTasks: Array<readonly [number, number]>
}

/** Records interactions and long tasks from the first moment of every page of the context. */
export const recordIn = (context: BrowserContext) =>
  context.addInitScript(() => {
    const recorded: Recorded = { interactions: {}, longTasks: [] }
    Object.assign(globalThis, { recorded })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Array<PerformanceEntry & { interactionId: number }>)
        if (entry.interactionId > 0)
          recorded.interactions[entry.interactionId] = Math.max(
            recorded.interactions[entry.interactionId] ?? 0,
            entry.duration,
          )
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) recorded.longTasks.push([startTime, duration])
    }).observe({ type: 'longtask', buffered: true })
  })

export const recordedOn = (page: Page): Promise<Recorded> =>
  page.evaluate(() => (globalThis as unknown as { recorded: Recorded }).recorded)

const TOLD_AFTER_MS = 300
/** Gives the browser the time to paint, and a person's pace to the session. */
const paint = (page: Page) => page.waitForTimeout(TOLD_AFTER_MS)

export const settled = (page: Page) => page.locator('.calendar-body:not([data-loading])').waitFor()

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key)
    await paint(page)
  }
}

/** Opens an event, moves it, changes the view, hides and shows a calendar, and types into quick add. */
export async function useCalendar(page: Page): Promise<void> {
  // One that is no series, whose move asks nothing, and not below the days' heads.
  const event = page.locator('button.event:not(:has(svg))').nth(5)
  await event.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await event.click({ force: true })
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
  await paint(page)
  await page.goBack()
  await settled(page)
  await event.focus()
  await press(page, 'v', 'ArrowDown', 'ArrowDown', 'Enter', 'j', 'k', 'm', 'w', 'd', 'a', 'w')
  await settled(page)
  const calendar = page.getByRole('group', { name: 'Calendars' }).getByRole('checkbox').first()
  for (let time = 0; time < 2; time++) {
    await calendar.click()
    await paint(page)
  }
  await page.getByRole('heading', { level: 1 }).focus()
  await press(page, 'q')
  await page.keyboard.type('Lunch with Sam tomorrow 12:30', { delay: 60 })
  await press(page, 'Escape')
}

/** From the key to the first frame in which the editor stands. */
export async function editorStandsMs(page: Page): Promise<number> {
  await page.getByRole('heading', { level: 1 }).focus()
  // Installed before the key is pressed, and read afterwards.
  const measured = await page.evaluateHandle(() => ({
    ms: new Promise<number>((resolve) => {
      addEventListener(
        'keydown',
        ({ timeStamp }) => {
          const look = () => {
            const titles = [...document.querySelectorAll('h1, h2')].map(({ textContent }) => textContent)
            if (titles.includes('New event')) resolve(performance.now() - timeStamp)
            else requestAnimationFrame(look)
          }
          look()
        },
        { capture: true, once: true },
      )
    }),
  }))
  await page.keyboard.press('c')
  const ms = await measured.evaluate((held) => held.ms)
  await paint(page)
  await page.goBack()
  await settled(page)
  return ms
}
