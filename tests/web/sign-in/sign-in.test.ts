import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { PASSWORD } from '../../support/harness'
import { pressOn, typeInto } from '../../support/keyboard'
import { type Client, SCREENS, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
  const admin = await client.h.signedIn({ username: 'root', role: 'admin' })
  await admin.request('PUT', '/api/admin/config', { body: { allow_registration: true } })
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const username = (page: Page) => page.getByRole('textbox', { name: 'Username' })
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })
const alert = (page: Page) => page.getByRole('alert')

async function open(path: string, options: Parameters<Client['open']>[0] = {}) {
  const { page, context } = await client.open(options)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, context }
}

async function fill(page: Page, name: string, secret = PASSWORD) {
  await username(page).fill(name)
  await password(page).fill(secret)
}

test('somebody with a keyboard alone signs in and comes to the address that they asked for', async () => {
  await client.h.user({ username: 'ada' })
  const { page } = await open('/calendar/week/2026-03-04?zone=second')
  expect(new URL(page.url()).pathname).toBe('/sign-in')
  await page.keyboard.type('ada')
  await typeInto(page, password(page), PASSWORD)
  await pressOn(page, signIn(page))
  await page.waitForURL('**/calendar/week/2026-03-04?zone=second')
})

test('a link leads nobody to another host, or back into the sign-in', async () => {
  await client.h.user({ username: 'bea' })
  for (const next of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/sign-in',
    'javascript:1',
  ]) {
    const { page, context } = await open(`/sign-in?next=${encodeURIComponent(next)}`)
    await fill(page, 'bea')
    await signIn(page).click()
    await page.waitForURL('**/today')
    expect(new URL(page.url()).origin).toBe(client.origin)
    await context.close()
  }
})

test('a wrong password is told in an alert, in the language of the browser, and what was typed stays', async () => {
  await client.h.user({ username: 'cyd' })
  for (const [locale, sentence] of [
    ['en-GB', 'The username or the password is not right.'],
    ['de-DE', 'Benutzername oder Passwort stimmt nicht.'],
  ] as const) {
    const { page, context } = await open('/sign-in', { options: { locale } })
    await page.locator('[name=username]').fill('cyd')
    await page.locator('[name=password]').fill('not the password')
    await page.keyboard.press('Enter')
    await alert(page).getByText(sentence).waitFor()
    expect(await page.locator('[name=password]').inputValue()).toBe('not the password')
    expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
    expect(await axeProblems(page)).toEqual([])
    await context.close()
  }
})

test('a locked account is told with the minutes that remain', async () => {
  await client.h.user({ username: 'dee' })
  for (let attempt = 0; attempt < 10; attempt++)
    await client.h.request('POST', '/api/auth/login', { body: { username: 'dee', password: 'wrong' } })
  const { page } = await open('/sign-in')
  await fill(page, 'dee')
  await signIn(page).click()
  await alert(page)
    .getByText(/locked for 3\d more minutes/)
    .waitFor()
})

test('after too many attempts the button counts down, keeps the focus, sends nothing, and then works again', async () => {
  await client.h.user({ username: 'eli' })
  const { page, context } = await open('/sign-in')
  let sent = 0
  await context.route('**/api/auth/login', (route) =>
    sent++ === 0
      ? route.fulfill({
          status: 429,
          headers: { 'retry-after': '2' },
          contentType: 'application/json',
          body: JSON.stringify({ detail: 'Too many requests' }),
        })
      : route.continue(),
  )
  await fill(page, 'eli')
  await pressOn(page, signIn(page))
  await alert(page).getByText('Too many attempts. The next one is possible in 2 seconds.').waitFor()
  expect(await signIn(page).isDisabled()).toBe(true)
  await page.keyboard.press('Enter')
  expect(sent).toBe(1)
  await page.locator('button[type=submit]:not([aria-disabled])').waitFor()
  expect(await signIn(page).evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/today')
})

test('without a connection, and while the service restarts, what was typed stays and can be sent later', async () => {
  await client.h.user({ username: 'fay' })
  const { page, context } = await open('/sign-in')
  await fill(page, 'fay')
  await context.setOffline(true)
  await signIn(page).click()
  await alert(page).getByText('The service could not be reached.').waitFor()
  await context.setOffline(false)
  await context.route('**/api/auth/login', (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '1' }, body: '<h1>Bad gateway</h1>' }),
  )
  await signIn(page).click()
  await alert(page).getByText('The service is busy or restarting.').waitFor()
  await context.unroute('**/api/auth/login')
  expect([await username(page).inputValue(), await password(page).inputValue()]).toEqual(['fay', PASSWORD])
  await signIn(page).click()
  await page.waitForURL('**/today')
})

test('a failure of the service shows the id under which it was logged', async () => {
  const { page, context } = await open('/sign-in')
  await context.route('**/api/auth/login', (route) =>
    route.fulfill({ status: 500, headers: { 'x-request-id': 'abc-123' }, body: '{}' }),
  )
  await fill(page, 'gus')
  await signIn(page).click()
  await alert(page).getByText('abc-123').waitFor()
})

test('an account is made from the sign-in page while registration is open, with e-mail and date of birth', async () => {
  const { page } = await open('/sign-in?next=%2Ftodos')
  await pressOn(page, page.getByRole('link', { name: 'Create an account' }))
  await username(page).waitFor()
  await page.keyboard.type('hal')
  await typeInto(page, page.getByLabel('Email'), 'no address')
  await page.getByLabel('Date of birth').fill('1990-02-28')
  await typeInto(page, password(page), 'a lighthouse in spring')
  await pressOn(page, page.getByRole('button', { name: 'Create account', exact: true }))
  await page.getByText('This is not an e-mail address.').waitFor()
  expect(await axeProblems(page)).toEqual([])
  await page.getByLabel('Email').fill('hal@example.com')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/todos')
})

test('a taken name is told without saying which one, and nothing that was typed goes', async () => {
  await client.h.user({ username: 'ivy' })
  const { page } = await open('/register')
  await fill(page, 'ivy', 'a lighthouse in spring')
  await page.getByLabel('Email').fill('ivy@example.com')
  await page.getByLabel('Date of birth').fill('1990-02-28')
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await alert(page).getByText('The account could not be made.').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe('ivy@example.com')
})

test('where registration is closed, nothing leads to it and its page says so', async () => {
  const { page, context } = await client.open()
  await context.route('**/api/auth/status', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), registration_open: false } })
  })
  await page.goto('/sign-in')
  await signIn(page).waitFor()
  expect(await page.getByRole('link').count()).toBe(0)
  await page.goto('/register')
  await page.getByText('New accounts are not open at the moment.').waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)
})

test('somebody who is signed in has no use for the sign-in and goes where it would lead', async () => {
  const jo = await client.h.signedIn()
  const { page } = await client.open({ as: jo })
  await page.goto('/sign-in?next=%2Ftodos%3Fview%3Ddone')
  await page.waitForURL('**/todos?view=done')
})

test('what was typed as a password can be shown and hidden again', async () => {
  const { page } = await open('/sign-in')
  await password(page).fill('secret')
  expect(await password(page).getAttribute('type')).toBe('password')
  await page.getByRole('button', { name: 'Show what is typed' }).click()
  expect(await password(page).getAttribute('type')).toBe('text')
  await page.getByRole('button', { name: 'Hide what is typed' }).click()
  expect(await password(page).getAttribute('type')).toBe('password')
})

for (const path of ['/sign-in', '/register'])
  for (const [screen, options] of Object.entries(SCREENS))
    for (const colorScheme of ['light', 'dark'] as const)
      test(`${path} is accessible and scrolls in one direction only (${screen}, ${colorScheme})`, async () => {
        const { page, context } = await open(path, { options: { ...options, colorScheme } })
        expect(await axeProblems(page)).toEqual([])
        expect(
          await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ),
        ).toBe(0)
        await context.close()
      })
