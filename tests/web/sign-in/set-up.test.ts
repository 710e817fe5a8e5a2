import { afterEach, beforeEach, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { pressOn, tabTo, typeInto } from '../../support/keyboard'
import { type Client, SCREENS, startClient } from '../../support/web'

let client: Client
beforeEach(async () => {
  client = await startClient()
}, 60_000)
afterEach(() => client[Symbol.asyncDispose]())

const GOOD = 'a lighthouse in spring'
const KEYSTROKE_MS = 60

const username = (page: Page) => page.getByLabel('Username')
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const create = (page: Page) => page.getByRole('button', { name: 'Create account', exact: true })

/** The settings of the only account, as the service keeps them. */
async function savedSettings() {
  const { headers } = await client.h.request('POST', '/api/auth/login', {
    body: { username: 'ada', password: GOOD },
  })
  const cookie = /session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
  return (await client.h.request('GET', '/api/settings', { cookie })).body
}

test('somebody with a keyboard alone gets from the printed address to a first account and to /today', async () => {
  const { page } = await client.open({ options: { timezoneId: 'Pacific/Auckland', locale: 'en-US' } })
  await page.goto('/')
  await page.waitForURL('**/setup')
  await username(page).waitFor()
  // The first field has the focus from the start.
  await page.keyboard.type('ada', { delay: KEYSTROKE_MS })
  await typeInto(page, password(page), GOOD, KEYSTROKE_MS)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/today')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await savedSettings()).toMatchObject({ time_zone: 'Pacific/Auckland', first_day_of_week: 0 })
})

test('the time zone and the start of the week are those of the browser, and can be changed before the account exists', async () => {
  const { page } = await client.open({ options: { timezoneId: 'America/Sao_Paulo', locale: 'de-DE' } })
  await page.goto('/setup')
  const zone = page.getByRole('combobox', { name: 'Zeitzone' })
  expect(await zone.inputValue()).toBe('America/Sao_Paulo')
  expect(await page.getByRole('combobox', { name: 'Wochenbeginn' }).inputValue()).toBe('1')
  await page.getByLabel('Benutzername').fill('ada')
  await page.getByLabel('Passwort', { exact: true }).fill(GOOD)
  await zone.selectOption('Asia/Kathmandu')
  await page.getByRole('combobox', { name: 'Wochenbeginn' }).selectOption('Sonntag')
  await pressOn(page, page.getByRole('button', { name: 'Konto anlegen' }))
  await page.waitForURL('**/today')
  expect(await savedSettings()).toMatchObject({ time_zone: 'Asia/Kathmandu', first_day_of_week: 0 })
})

test('the rules of a password are ticked off while it is typed, and the service names those that only it knows', async () => {
  const { page } = await client.open()
  await page.goto('/setup')
  const rule = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  await username(page).fill('ada')
  await rule('12 characters or more (not met yet)').waitFor()
  await password(page).fill('ada and charles')
  await rule('12 characters or more (met)').waitFor()
  await rule('Does not contain the username (not met yet)').waitFor()
  await password(page).fill('password1234')
  await rule('Does not contain the username (met)').waitFor()
  await create(page).click()
  await page.getByText('This password is among the common ones. Choose another.').waitFor()
  expect(await password(page).getAttribute('aria-invalid')).toBe('true')
  expect(await password(page).evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await password(page).inputValue()).toBe('password1234')
})

test('what is missing or refused stands at its field, the first of which gets the focus', async () => {
  const { page } = await client.open()
  await page.goto('/setup')
  await create(page).click()
  expect(await page.getByText('Fill this in.').count()).toBe(2)
  expect(await username(page).evaluate((input) => input === document.activeElement)).toBe(true)
  await username(page).fill('-a-')
  await password(page).fill('short')
  await create(page).click()
  await page.getByText('Only letters, digits, dots, underscores and hyphens').waitFor()
  await username(page).fill('ada')
  await create(page).click()
  await page.getByText('At least 12 characters.').waitFor()
  expect(await axeProblems(page)).toEqual([])
})

test('when only the settings are refused, sending again makes no second account', async () => {
  const { page, context } = await client.open()
  await page.goto('/setup')
  await username(page).fill('ada')
  await password(page).fill(GOOD)
  await context.route('**/api/settings', (route) => route.abort())
  await create(page).click()
  await page.getByRole('alert').filter({ hasText: 'could not be reached' }).waitFor()
  expect(await password(page).inputValue()).toBe(GOOD)
  await context.unroute('**/api/settings')
  await create(page).click()
  await page.waitForURL('**/today')
})

test('the first page is accessible, scrolls in one direction only and shows the focus, on each screen, in each scheme and language', async () => {
  for (const [screen, options] of Object.entries(SCREENS))
    for (const colorScheme of ['light', 'dark'] as const)
      for (const locale of ['en-GB', 'de-DE']) {
        const { page, context } = await client.open({ options: { ...options, colorScheme, locale } })
        await page.goto('/setup')
        await page.getByRole('heading', { level: 1 }).waitFor()
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect([screen, colorScheme, locale, overflow, await axeProblems(page)]).toEqual([
          screen,
          colorScheme,
          locale,
          0,
          [],
        ])
        await tabTo(page, page.locator('button[type=submit]'))
        await context.close()
      }
}, 120_000)
