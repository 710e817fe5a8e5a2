import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import { type Client, signedOut, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

// (contract: web.frame)
test('every link of the navigation leads to a page', async () => {
  const { page, context } = await client.open({ as: await client.h.signedIn() })
  await page.goto('/settings')
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await links.first().waitFor()
  for (const address of await links.evaluateAll((all) =>
    all.map((link) => link.getAttribute('href') ?? ''),
  )) {
    await page.goto(address)
    const heading = page.getByRole('main').getByRole('heading', { level: 1 })
    await heading.waitFor()
    expect(await heading.textContent()).not.toBe('This page does not exist')
  }
  await context.close()
})

// (contract: web.theme)
test('the theme and the language are chosen on the page Appearance and outlast a reload', async () => {
  const { page, context } = await client.open({ as: await client.h.signedIn() })
  await page.goto('/settings/appearance')
  await page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name: 'Dark' }).check()
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const barOfBrowser = () =>
    page
      .locator('meta[name="theme-color"]')
      .evaluateAll((bars: HTMLMetaElement[]) =>
        bars.filter(({ media }) => matchMedia(media).matches).map(({ content }) => content),
      )
  expect([await ground(), await barOfBrowser()]).toEqual(['rgb(23, 24, 27)', ['#17181b']])
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  await page.getByRole('heading', { level: 1, name: 'Darstellung' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Darstellung' }).waitFor()
  const lang = await page.locator('html').getAttribute('lang')
  expect([await ground(), await barOfBrowser(), lang, await page.title()]).toEqual([
    'rgb(23, 24, 27)',
    ['#17181b'],
    'de',
    'Darstellung – Organiser',
  ])
  await context.close()
})

test('the account menu locks the session, and so do the keys g and l', async () => {
  for (const how of ['menu', 'keys']) {
    const { page, context } = await client.open({ as: await client.h.signedIn() })
    await page.goto('/settings/appearance')
    await page.getByRole('heading', { level: 1, name: 'Appearance' }).waitFor()
    const locked = page.waitForResponse((answer) => answer.url().endsWith('/api/auth/lock') && answer.ok())
    if (how === 'menu') {
      await page.getByRole('button', { name: 'Account' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Lock' }).waitFor()
      expect(await page.getByRole('menuitem').allTextContents()).toEqual([
        'Lock',
        'Keyboard shortcuts',
        'Appearance',
        'Trash',
        'Sign out',
      ])
      await page.keyboard.press('Enter')
    } else {
      await page.keyboard.press('g')
      await page.keyboard.press('l')
    }
    await locked
    await page.getByRole('heading', { level: 1, name: 'Appearance' }).waitFor({ state: 'detached' })
    await context.close()
  }
})

test('signing out by the account menu leads to the sign-in', async () => {
  const { page, context } = await client.open({ as: await client.h.signedIn() })
  await page.goto('/settings/appearance')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signedOut(page)
  await context.close()
})

test('the administration has no link for somebody who is no administrator', async () => {
  const { page, context } = await client.open({ as: await client.h.signedIn() })
  await page.goto('/settings')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).waitFor()
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  await context.close()
})
