import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { startGallery } from '../../support/gallery'

let gallery: Awaited<ReturnType<typeof startGallery>>
beforeAll(async () => {
  gallery = await startGallery()
}, 60_000)
afterAll(() => gallery[Symbol.asyncDispose]())

const PLACES = ['Today', 'Calendar', 'Todos', 'Reminders', 'Projects', 'People', 'Connections', 'Notifications',
  'Settings', 'Administration'] // prettier-ignore

const TABLET = { options: { viewport: { width: 800, height: 700 } } } as const

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  )
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('the frame has its regions, one heading 1, ten links, and one of them current', async () => {
  for (const look of [{}, TABLET]) {
    const page = await gallery.open('/todos', look)
    expect(await page.getByRole('banner').count()).toBe(1)
    expect(await page.getByRole('main').count()).toBe(1)
    expect(await page.getByRole('main').getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await page.getByRole('region', { name: 'Messages' }).count()).toBe(1)
    expect(await page.getByRole('status', { name: 'Connection' }).count()).toBe(1)
    expect(await main(page).getByRole('link').allTextContents()).toEqual(PLACES)
    expect(await main(page).locator('[aria-current="page"]').allTextContents()).toEqual(['Todos'])
    expect(await page.title()).toBe('A sample page – Organiser')
    await page.context().close()
  }
})

test('on a phone the navigation is a bar at the bottom, whose menu More holds the rest', async () => {
  const page = await gallery.open('/todos', { screen: 'phone' })
  expect(await main(page).getByRole('link').allTextContents()).toEqual([
    'Today',
    'Calendar',
    'Todos',
    'Search',
  ])
  await main(page).getByRole('button', { name: 'More' }).tap()
  await page.getByRole('menuitem', { name: 'Settings' }).waitFor()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(PLACES.slice(3))
  await page.getByRole('menuitem', { name: 'Settings' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  for (const name of ['New', 'Account'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(1)
  await page.context().close()
})

test('the frame is accessible on every screen, in both schemes and from right to left', async () => {
  for (const look of [
    {}, { theme: 'dark' }, TABLET, { screen: 'phone' }, { screen: 'phone', theme: 'dark' }, { language: 'ar-XB' },
    { options: { forcedColors: 'active' } },
  ] as const) {
    const page = await gallery.open('/settings/shortcuts', look)
    expect([look, await axeProblems(page)]).toEqual([look, []])
    await page.context().close()
  }
}, 120_000) // prettier-ignore

test('every page of the frame is accessible', async () => {
  const page = await gallery.open('/today')
  for (const path of ['/settings', '/settings/appearance', '/nowhere', '/todos/7']) {
    await page.goto(path)
    await heading(page).waitFor()
    expect([path, await axeProblems(page)]).toEqual([path, []])
  }
  await page.context().close()
}, 60_000)

test('nothing is wider than the window at 320 pixels, at twice the size of text, and with wide spacing', async () => {
  const spaced =
    '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }'
  for (const [width, style] of [
    [320, ''],
    [640, 'html { font-size: 200% }'],
    [360, spaced],
    [1280, spaced],
  ] as const) {
    for (const language of ['en', 'en-XA'] as const) {
      const page = await gallery.open('/settings/shortcuts', {
        language,
        options: { viewport: { width, height: 640 } },
      })
      // A debugger may add styles that the page's own policy refuses.
      const session = await page.context().newCDPSession(page)
      await session.send('Page.setBypassCSP', { enabled: true })
      await page.evaluate((text) => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(text)
        document.adoptedStyleSheets.push(sheet)
      }, style)
      expect([width, language, await overflow(page)]).toEqual([width, language, 0])
      await page.context().close()
    }
  }
}, 60_000)

test('the first press of Tab reaches the link past the navigation, then the controls in reading order', async () => {
  const page = await gallery.open('/today')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to content')
  const walked: unknown[] = []
  for (let step = 0; step < 7; step += 1) {
    await page.keyboard.press('Tab')
    walked.push(await focused(page))
  }
  expect(walked).toEqual(['Organiser', 'Search', 'New', 'Account', 'Today', 'Calendar', 'Todos'])
  await page.getByRole('link', { name: 'Skip to content' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Line 1')
  await page.context().close()
})

test('F6 goes from region to region, and Shift+F6 back', async () => {
  const page = await gallery.open('/today')
  const walked: unknown[] = []
  for (const key of ['F6', 'F6', 'F6', 'F6', 'Shift+F6']) {
    await page.keyboard.press(key)
    walked.push(await focused(page))
  }
  expect(walked).toEqual(['Organiser', 'Today', 'A sample page', 'Organiser', 'A sample page'])
  await page.context().close()
})

test('g and a letter go to a place, whose heading takes the focus', async () => {
  const page = await gallery.open('/today')
  for (const [key, path] of [
    ['t', '/today'], ['c', '/calendar'], ['o', '/todos'], ['r', '/reminders'],
    ['j', '/projects'], ['p', '/people'], ['n', '/notifications'], ['s', '/settings'],
  ] as const) {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    await page.waitForURL(`**${path}`)
  }
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  expect(await focused(page)).toBe('Settings')
  await page.context().close()
}) // prettier-ignore

test('shortcuts are silent in fields and dialogs, and those of single letters can be turned off', async () => {
  const page = await gallery.open('/settings/shortcuts')
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/settings/shortcuts')
  const single = page.getByRole('switch', { name: 'Single-letter shortcuts' })
  await single.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  const commands = page.getByRole('dialog', { name: 'Commands' })
  await commands.waitFor()
  await page.keyboard.press('Escape')
  await commands.waitFor({ state: 'detached' })
  expect(await sheet.count()).toBe(0)
  await page.keyboard.press('Space')
  await page.goto('/nowhere')
  await page.getByRole('searchbox', { name: 'Search' }).focus()
  await page.keyboard.type('gt?')
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('gt?')
  expect(await sheet.count()).toBe(0)
  await page.context().close()
})

test('Back finds a page scrolled as it was left, and a new page begins at its top', async () => {
  const page = await gallery.open('/todos')
  await page.getByRole('link', { name: 'Line 40', exact: true }).scrollIntoViewIfNeeded()
  const left = await page.evaluate(() => scrollY)
  expect(left).toBeGreaterThan(200)
  await page.getByRole('link', { name: 'Line 40', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Item 40' }).waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  expect(await focused(page)).toBe('Item 40')
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'A sample page' }).waitFor()
  await page.evaluate(
    (top) =>
      new Promise<void>((resolve) => {
        const look = () => (Math.abs(scrollY - top) < 2 ? resolve() : requestAnimationFrame(look))
        look()
      }),
    left,
  )
  await page.context().close()
})

test('an unknown address says so, with a search and a way to Today', async () => {
  const page = await gallery.open('/no/such/place')
  expect(await heading(page).textContent()).toBe('This page does not exist')
  await page.getByRole('searchbox', { name: 'Search' }).fill('lunch & tea')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?q=lunch+%26+tea')
  await page.goBack()
  await page.getByRole('link', { name: 'Go to Today' }).click()
  await page.waitForURL('**/today')
  await page.context().close()
})

// (contract: web.gone)
test('a thing that is gone has a page of its own, with a way back to its place', async () => {
  const page = await gallery.open('/todos/7')
  expect(await heading(page).textContent()).toBe('This is gone')
  await page.getByRole('link', { name: 'Back to Todos' }).click()
  await page.waitForURL('**/todos')
  await page.context().close()
})

test('the status of every tab says when the connection is lost and when it is back', async () => {
  const first = await gallery.open('/today')
  const context = first.context()
  const second = await context.newPage()
  await second.goto('/today')
  const say = (text: string) =>
    Promise.all(
      [first, second].map((page) =>
        page.getByRole('status', { name: 'Connection' }).getByText(text).waitFor(),
      ),
    )
  await say('Live')
  await context.setOffline(true)
  await say('You are offline.')
  await context.setOffline(false)
  await say('Live')
  await context.close()
})
