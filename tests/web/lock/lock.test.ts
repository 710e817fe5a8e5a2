import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { PASSWORD } from '../../support/harness'
import { pressOn } from '../../support/keyboard'
import { addAuthenticator, registerPasskey } from '../../support/virtual-authenticator'
import { type Client, eventually, holdAnswers, SCREENS, signedOut, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
  await client.h.user({ username: 'root', role: 'admin' })
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const PLACE = '/settings/appearance'
const locked = (page: Page) => page.getByRole('heading', { name: 'Locked', level: 1 })
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const unlock = (page: Page) => page.getByRole('button', { name: 'Unlock', exact: true })
const unlocked = (page: Page) => page.getByRole('heading', { name: 'Appearance', level: 1 })

async function signedIn(username: string, options: Parameters<Client['open']>[0] = {}) {
  const as = await client.h.signedIn({ username })
  const { page, context } = await client.open({ ...options, as })
  await page.goto(PLACE)
  await unlocked(page).waitFor()
  return { page, context, as }
}

async function lockByMenu(page: Page) {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Lock' }).click()
  await locked(page).waitFor()
}

const isLockedThere = async (as: Awaited<ReturnType<Client['h']['signedIn']>>): Promise<boolean> =>
  (await as.request('GET', '/api/auth/status')).body.is_locked

test('while the screen is locked nothing else is in the page, after a reload and through the history too', async () => {
  const { page, as } = await signedIn('ada')
  await page.goto('/settings/shortcuts')
  await page.goto(PLACE)
  await lockByMenu(page)
  await page.waitForFunction(() => document.title === 'Locked')
  const onlyTheLock = async () => {
    await locked(page).waitFor()
    expect(await page.title()).toBe('Locked')
    expect(await page.getByRole('heading').count()).toBe(1)
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.locator('body').innerText()).not.toContain('Appearance')
  }
  await onlyTheLock()
  await eventually(() => isLockedThere(as), true)
  await page.reload()
  await onlyTheLock()
  await page.goBack()
  await onlyTheLock()
  await page.goForward()
  await onlyTheLock()
})

test('the password unlocks by keyboard alone, and the address is the same', async () => {
  const { page } = await signedIn('bea')
  await page.goto(`${PLACE}?from=here`)
  await unlocked(page).waitFor()
  await lockByMenu(page)
  expect(await password(page).evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('The password is not right.').waitFor()
  expect(await axeProblems(page)).toEqual([])
  await password(page).fill('')
  await page.keyboard.type(PASSWORD)
  await pressOn(page, unlock(page))
  await unlocked(page).waitFor()
  expect(page.url()).toEndWith(`${PLACE}?from=here`)
})

test('a passkey unlocks, if the user has one', async () => {
  const { page, context } = await signedIn('cyd')
  await lockByMenu(page)
  const button = page.getByRole('button', { name: 'Unlock with a passkey' })
  expect(await button.count()).toBe(0)
  await password(page).fill(PASSWORD)
  await unlock(page).click()
  await unlocked(page).waitFor()
  await addAuthenticator(context, page)
  await registerPasskey(page)
  await lockByMenu(page)
  await button.click()
  await unlocked(page).waitFor()
})

test('all tabs lock at once and unlock together', async () => {
  const { page, context } = await signedIn('dee')
  const other = await context.newPage()
  await other.goto(PLACE)
  await unlocked(other).waitFor()
  const answered = page.waitForResponse('**/api/auth/lock')
  await lockByMenu(page)
  await locked(other).waitFor()
  await answered
  expect(await other.getByRole('navigation').count()).toBe(0)
  await password(other).fill(PASSWORD)
  await unlock(other).click()
  await unlocked(other).waitFor()
  await unlocked(page).waitFor()
})

test('what the service said before another tab unlocked does not keep the screen locked', async () => {
  const { page, context } = await signedIn('kit')
  const other = await context.newPage()
  await other.goto(PLACE)
  await unlocked(other).waitFor()
  const { asked, release } = await holdAnswers(page, '**/api/auth/status')
  await lockByMenu(page)
  await asked
  await password(other).fill(PASSWORD)
  await unlock(other).click()
  await unlocked(other).waitFor()
  release()
  await unlocked(page).waitFor()
})

test('a session that was locked elsewhere locks the page at its next request', async () => {
  const { page, as } = await signedIn('eli')
  await as.request('POST', '/api/auth/lock')
  await page.reload()
  await locked(page).waitFor()
})

test('without a connection the screen locks too, stays locked after a reload, and the service learns of it', async () => {
  const { page, context, as } = await signedIn('fay')
  await context.route('**/api/auth/lock', (route) => route.abort())
  await lockByMenu(page)
  expect(await isLockedThere(as)).toBe(false)
  await context.unroute('**/api/auth/lock')
  await page.reload()
  await locked(page).waitFor()
  await eventually(() => isLockedThere(as), true)
  await password(page).fill(PASSWORD)
  await unlock(page).click()
  await unlocked(page).waitFor()
  await page.reload()
  await unlocked(page).waitFor()
})

test('the lock screen signs out, in all tabs', async () => {
  const { page, context } = await signedIn('gus')
  const other = await context.newPage()
  await other.goto(PLACE)
  await unlocked(other).waitFor()
  await lockByMenu(page)
  await pressOn(page, page.getByRole('button', { name: 'Sign out' }))
  await signedOut(page)
  await signedOut(other)
})

test('the screen locks by itself after the idle minutes of the device, and the touch that comes too late does not stop it', async () => {
  const { page } = await signedIn('hal')
  await page.evaluate(() => localStorage.setItem('lock-after-minutes', '5'))
  const idleFor = (seconds: number) =>
    page.evaluate((length) => {
      const before = Temporal.Now.instant.bind(Temporal.Now)
      Object.defineProperty(Temporal.Now, 'instant', { value: () => before().add({ seconds: length }) })
    }, seconds)
  await idleFor(240)
  await page.mouse.move(10, 10)
  await idleFor(240)
  await page.mouse.move(20, 20)
  await unlocked(page).waitFor()
  await idleFor(301)
  await page.mouse.move(30, 30)
  await locked(page).waitFor()
})

test('the lock screen is accessible on each screen and in each scheme, and in German', async () => {
  for (const [screen, options] of Object.entries(SCREENS))
    for (const colorScheme of ['light', 'dark'] as const) {
      const as = await client.h.signedIn({ username: `ivy-${screen}-${colorScheme}` })
      await as.request('POST', '/api/auth/lock')
      const { page, context } = await client.open({
        as,
        options: { ...options, colorScheme, locale: 'de-DE' },
      })
      await page.goto('/today')
      await page.getByRole('heading', { name: 'Gesperrt' }).waitFor()
      expect(await axeProblems(page)).toEqual([])
      await context.close()
    }
})
