import { afterAll, beforeAll, expect } from 'bun:test'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { test } from '../../support/browser'
import { isFileOf } from '../../support/client-files'
import type { Actor } from '../../support/harness'
import { type Client, startClient } from '../../support/web'

let client: Client
let ada: Actor
beforeAll(async () => {
  client = await startClient()
  ada = await client.h.signedIn()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const NEWER = '<meta name="build" content="a newer one" />'
const UNREACHABLE = 'A part of Organiser could not be loaded, as the service is not reachable.'
const OUTDATED = 'There is a new version of Organiser, and this part of the old one is gone. Reload to go on.'

/** The parts of the client that have a file of their own, by what that exports. */
type Part =
  'Frame' | 'EnterPages' | 'CommandsDialog' | 'DataPage' | 'SessionDialogs' | 'Menu' | 'ShortcutSheet'

/** The network takes away the file of a part, and answers with `page` for the service's page. Returns what brings them back. */
async function without(context: BrowserContext, part: Part, page?: (route: Route) => Promise<void>) {
  const isTaken = await isFileOf(part)
  const isPage = ({ pathname }: URL) => pathname === '/'
  await context.route(isTaken, (route) => route.abort())
  if (page) await context.route(isPage, page)
  return async () => {
    await context.unroute(isTaken)
    if (page) await context.unroute(isPage)
  }
}

const gone = (route: Route) => route.abort()
const deployed = (route: Route) => route.fulfill({ contentType: 'text/html', body: NEWER })

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const again = (page: Page) => page.getByRole('button', { name: 'Try again' })

test('a page that cannot be loaded says so in its place, and comes when one tries again', async () => {
  const { page, context } = await client.open({ as: ada })
  const bringBack = await without(context, 'DataPage')
  await page.goto('/today')
  await page.getByRole('link', { name: 'Settings' }).click()
  await heading(page, 'This page could not be loaded').waitFor()
  await page.getByRole('alert').filter({ hasText: 'A part of Organiser could not be loaded.' }).waitFor()
  await bringBack()
  await again(page).click()
  await heading(page, 'Settings').waitFor()
  expect(await heading(page, 'Settings').evaluate((h1) => h1 === document.activeElement)).toBe(true)
  await context.close()
})

test('a part that did not come without the service comes by itself once the service is back', async () => {
  const { page, context } = await client.open({ as: ada })
  const bringBack = await without(context, 'DataPage', gone)
  await page.goto('/today')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('alert').filter({ hasText: UNREACHABLE }).waitFor()
  await bringBack()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await heading(page, 'Settings').waitFor()
  await context.close()
})

test('a dialog that cannot be loaded leaves the page and what is typed in it, and opens when one tries again', async () => {
  const { page, context } = await client.open({ as: ada })
  const bringBack = await without(context, 'CommandsDialog')
  await page.goto('/today')
  const field = page.getByRole('textbox', { name: 'What do you want to add?' })
  await field.fill('Lunch with Sam')
  await heading(page, 'Today').focus()
  await page.keyboard.press('c')
  await page.getByRole('alert').filter({ hasText: 'A part of Organiser could not be loaded.' }).waitFor()
  expect(await field.inputValue()).toBe('Lunch with Sam')
  await bringBack()
  await again(page).click()
  await page.getByRole('dialog', { name: 'New event' }).waitFor()
  await context.close()
})

test('a dialog that did not come and is given up does not open later, and the next key asks for it anew', async () => {
  const { page, context } = await client.open({ as: ada })
  const bringBack = await without(context, 'CommandsDialog')
  await page.goto('/today')
  await heading(page, 'Today').waitFor()
  await heading(page, 'Today').focus()
  await page.keyboard.press('q')
  await page.getByRole('alert').filter({ hasText: 'A part of Organiser could not be loaded.' }).waitFor()
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Dismiss' }).click()
  await bringBack()
  await heading(page, 'Today').focus()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New event' }).waitFor()
  expect(await page.getByRole('dialog', { name: 'Quick add' }).count()).toBe(0)
  await context.close()
})

/** Today, after the key for something whose file is still on its way. */
async function awaiting(source: string, key: string) {
  const { page, context } = await client.open({ as: ada })
  const gate = Promise.withResolvers<void>()
  await context.route(await isFileOf(source), async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto('/today')
  await heading(page, 'Today').waitFor()
  await heading(page, 'Today').focus()
  await page.keyboard.press(key)
  return { page, context, arrive: () => gate.resolve() }
}

test('what is typed while a dialog is on its way stands in its field, and none of it is taken for a shortcut', async () => {
  const { page, context, arrive } = await awaiting('CommandsDialog', 'q')
  await page.keyboard.type('Cake with Samm')
  await page.keyboard.press('Backspace')
  arrive()
  const field = page.getByRole('dialog', { name: 'Quick add' }).getByRole('textbox')
  await field.waitFor()
  await page.keyboard.type(' tomorrow 12:30')
  expect(await field.inputValue()).toBe('Cake with Sam tomorrow 12:30')
  await page.getByRole('button', { name: 'Remove time: 12:30' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  await context.close()
})

test('Escape gives up a dialog that is on its way, and the page has the keys again', async () => {
  const { page, context, arrive } = await awaiting('CommandsDialog', 'q')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  arrive()
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New event' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  await context.close()
})

test('after a new version, a part of the old one that is gone offers to reload, and what was typed is still there then', async () => {
  const { page, context } = await client.open({ as: ada })
  const bringBack = await without(context, 'CommandsDialog', deployed)
  await page.goto('/today')
  const field = page.getByRole('textbox', { name: 'What do you want to add?' })
  await field.fill('Lunch with Sam')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Event' }).click()
  await page.getByRole('alert').filter({ hasText: OUTDATED }).waitFor()
  await bringBack()
  await page.getByRole('button', { name: 'Reload' }).click()
  await heading(page, 'New event').waitFor()
  await page.goto('/today')
  expect(await field.inputValue()).toBe('Lunch with Sam')
  await context.close()
})

test('where a form would lose what was typed, the person is asked before the page is loaded anew', async () => {
  const { page, context } = await client.open({ as: ada })
  await without(context, 'CommandsDialog', deployed)
  await page.goto('/settings/security')
  const field = page.getByLabel('New password', { exact: true })
  await field.pressSequentially('a lighthouse')
  await heading(page, 'Security').focus()
  await page.keyboard.press('q')
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('alert').filter({ hasText: 'A reload would lose what is typed here' }).waitFor()
  expect(await field.inputValue()).toBe('a lighthouse')
  await page.getByRole('button', { name: 'Reload anyway' }).click()
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('[autocomplete=new-password]')?.value === '',
  )
  await context.close()
})

test.each([
  [
    'the menu of a button',
    '/today',
    'Menu',
    (page: Page) => page.getByRole('button', { name: 'Account' }).click(),
  ],
  ['the list of the keys', '/today', 'ShortcutSheet', (page: Page) => heading(page, 'Today').press('?')],
] as const)('%s that cannot be loaded says so, and the page stays', async (_, address, text, open) => {
  const { page, context } = await client.open({ as: ada })
  await without(context, text)
  await page.goto(address)
  await open(page)
  await page.getByRole('alert').filter({ hasText: 'A part of Organiser could not be loaded.' }).waitFor()
  await heading(page, 'Today').waitFor()
  await context.close()
})

test.each([
  ['the frame', '/today', 'Frame', true],
  ['the page of the sign-in', '/sign-in', 'EnterPages', false],
] as const)(
  'where %s cannot be loaded, the window says so and offers to try again',
  async (_, address, text, isIn) => {
    const { page, context } = await client.open(isIn ? { as: ada } : {})
    const bringBack = await without(context, text)
    await page.goto(address)
    await heading(page, 'This page could not be loaded').waitFor()
    await bringBack()
    await again(page).click()
    await heading(page, isIn ? 'Today' : 'Sign in').waitFor()
    await context.close()
  },
)

test('a question of who one is that cannot be loaded can be given up, and comes when one asks again', async () => {
  const bea = await client.h.signedIn()
  const { page, context } = await client.open({ as: bea })
  const bringBack = await without(context, 'SessionDialogs')
  await page.goto('/settings/security')
  client.h.clock.advance({ minutes: 20 })
  const setUp = page.getByRole('button', { name: 'Set up an authenticator' })
  await setUp.click()
  const missing = page.getByRole('dialog', { name: 'Something could not be loaded' })
  await missing.waitFor()
  await page.keyboard.press('Escape')
  await missing.waitFor({ state: 'detached' })
  await bringBack()
  await setUp.click()
  await page.getByRole('dialog', { name: 'Confirm it is you' }).waitFor()
  await context.close()
})

test('it is said in German too', async () => {
  const { page, context } = await client.open({ as: ada, options: { locale: 'de-DE' } })
  await without(context, 'CommandsDialog', deployed)
  await page.goto('/today')
  await heading(page, 'Heute').focus()
  await page.keyboard.press('q')
  await page
    .getByRole('alert')
    .filter({ hasText: 'Es gibt eine neue Version von Organiser, und dieser Teil der alten fehlt.' })
    .waitFor()
  await page.getByRole('button', { name: 'Neu laden' }).waitFor()
  await context.close()
})
