import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { until } from '../../support/service'
import { deploy, isKept } from './deployed'

const MINUTES_MS = 180_000
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const update = (page: Page) => page.getByText('A new version of Organiser is ready.')
const skipLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const buildOf = (page: Page) =>
  page.evaluate(() => document.querySelector('meta[name=build]')?.getAttribute('content'))
const cached = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const found = await Promise.all(
      names.map(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname),
      ),
    )
    return found.flat()
  })

test(
  'without the service, the client opens at every address, shows what the device keeps and says since when',
  async () => {
    await using organiser = await deploy()
    const page = await organiser.open('/settings/data')
    await page.getByLabel('Keep a copy on this device').check()
    await isKept(page)
    await page.goto('/calendar/week/2026-03-04')
    await page.locator('.calendar-body:not([data-loading])').waitFor()
    await organiser.stop()

    const other = await organiser.context.newPage()
    await other.goto('/calendar/week/2026-03-04')
    await heading(other, '1–7 March 2026').waitFor()
    await other.goto('/settings/appearance')
    await heading(other, 'Appearance').waitFor()
    await other.getByRole('status').filter({ hasText: 'Shown as of' }).waitFor()
  },
  MINUTES_MS,
)

test(
  'the device keeps files of the client alone, and what the service itself has at an address is the service’s',
  async () => {
    await using organiser = await deploy()
    const page = await organiser.open('/today')
    await isKept(page)
    expect(
      (await cached(page)).filter((path) => !/^\/(assets\/|icons\/|manifest\.webmanifest$|$)/.test(path)),
    ).toEqual([])
    const answers = []
    for (const path of ['/health/live', '/api/auth/status', '/no/such/file.js']) {
      const answer = await page.evaluate(async (address) => {
        const response = await fetch(address)
        return [response.status, response.headers.get('content-type')]
      }, path)
      answers.push(answer)
    }
    expect(answers).toEqual([
      [200, 'application/json'],
      [200, 'application/json'],
      [404, 'application/json'],
    ])
    const opened = await page.goto('/health/live')
    expect(await opened?.json()).toMatchObject({ status: 'ok' })
  },
  MINUTES_MS,
)

test(
  'an open tab outlives a new build, is told of it, and the device then opens the new one, also without the service',
  async () => {
    await using organiser = await deploy()
    const old = await organiser.open('/today')
    await isKept(old)
    await organiser.change('app/Frame.tsx', 'Skip to content', 'Skip to the content')
    // A second tab is what makes the browser look for a new worker.
    const next = await organiser.open('/today')
    await update(old).waitFor()
    await update(next).waitFor()
    await skipLink(old, 'Skip to content').waitFor({ state: 'attached' })

    await organiser.stop()
    // The code of this page was not fetched before.
    await old.getByRole('link', { name: 'Settings' }).click()
    await heading(old, 'Settings').waitFor()
    await skipLink(old, 'Skip to content').waitFor({ state: 'attached' })

    await organiser.start()
    await old.getByRole('button', { name: 'Reload' }).click()
    await skipLink(old, 'Skip to the content').waitFor({ state: 'attached' })
    expect(await update(old).count()).toBe(0)

    await organiser.stop()
    await next.goto('/settings/data')
    expect(await buildOf(next)).toBe(await buildOf(old))
  },
  MINUTES_MS,
)

test(
  'where the operator turns it off, browsers forget the client and open it from the service',
  async () => {
    await using organiser = await deploy()
    const page = await organiser.open('/today')
    await isKept(page)
    await organiser.stop()
    await organiser.start({ WEB_OFFLINE: 'false' })
    await page.reload()
    // The browser looks for another worker a moment after the page has loaded.
    await until(() =>
      page.evaluate(
        async () =>
          (await navigator.serviceWorker.getRegistrations()).length + (await caches.keys()).length === 0,
      ),
    )
    await organiser.change('app/Frame.tsx', 'Skip to content', 'Skip to the content')
    await page.reload()
    await skipLink(page, 'Skip to the content').waitFor({ state: 'attached' })
  },
  MINUTES_MS,
)

test(
  'a browser that can install the client offers it in the account menu',
  async () => {
    await using organiser = await deploy()
    const page = await organiser.open('/today')
    await isKept(page)
    const session = await organiser.context.newCDPSession(page)
    const { installabilityErrors: errors } = await session.send('Page.getInstallabilityErrors')
    expect(errors.map(({ errorId }) => errorId)).toEqual(['in-incognito'])
    const asked = page.evaluate(
      () =>
        new Promise((resolve) => {
          dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: () => resolve('asked') }))
        }),
    )
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Install Organiser' }).click()
    expect(await asked).toBe('asked')
  },
  MINUTES_MS,
)
