import { expect } from 'bun:test'
import { launchBrowser, test } from '../../support/browser'
import { freshDatabaseUrl } from '../../support/database'
import { pressOn, typeInto } from '../../support/keyboard'
import { startService } from '../../support/service'
import { SCREENS } from '../../support/web'

/** A person who types well. */
const KEY_MS = 60
const TWO_MINUTES_MS = 120_000

test('with nothing but a keyboard, the first event stands in the week within two minutes of the printed address', async () => {
  await using stack = new AsyncDisposableStack()
  const build = Bun.spawn(['bun', 'src/web/build.ts'], { stdio: ['ignore', 'inherit', 'inherit'] })
  expect(await build.exited).toBe(0)
  const database = stack.use(await freshDatabaseUrl())
  const service = stack.use(
    await startService({
      env: { DATABASE_URL: database.url, SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests' },
    }),
  )
  const [, printed = ''] = /Organiser serves on (\S+)/.exec(service.stdout) ?? []
  const browser = await launchBrowser()
  if (!browser) throw new Error('Chromium is missing')
  stack.defer(() => browser.close())
  const options = { ...SCREENS.desktop, locale: 'en-GB', timezoneId: 'Europe/Berlin' }
  const page = await (await browser.newContext(options)).newPage()

  const begunAt = performance.now()
  await page.goto(printed)
  await page.waitForURL('**/setup')
  await page.getByLabel('Username').waitFor()
  await page.keyboard.type('ada', { delay: KEY_MS })
  await typeInto(page, page.getByLabel('Password', { exact: true }), 'a lighthouse in spring', KEY_MS)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/today')
  const field = page.getByRole('textbox', { name: 'What do you want to add?' })
  await field.waitFor()
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.type('Lunch with Sam tomorrow 12:30', { delay: KEY_MS })
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Added Lunch with Sam' }).waitFor()
  await pressOn(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calendar' }))
  await page.waitForURL('**/calendar/week/*')
  // Tomorrow may be in the next week.
  const event = page.getByRole('button', { name: /^Lunch with Sam, .*12:30 to 13:30/ })
  await page.locator('.calendar-body:not([data-loading])').waitFor()
  if ((await event.count()) === 0) await page.keyboard.press('j')
  await event.waitFor()
  expect(performance.now() - begunAt).toBeLessThan(TWO_MINUTES_MS)
}, 180_000)
