import { afterAll, beforeAll } from 'bun:test'
import { test } from '../../support/browser'
import { type Client, hold, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

test('a client that was opened while the service was away opens by itself once it answers', async () => {
  const ada = await client.h.signedIn()
  for (const cut of ['offline', 'busy'] as const) {
    const { page, context } = await client.open({ as: ada })
    await page.route('**/api/**', (route) =>
      cut === 'offline' ? route.abort() : route.fulfill({ status: 503, json: {} }),
    )
    await page.goto('/todos')
    await page.getByRole('heading', { name: 'Organiser is not reachable' }).waitFor()
    await page.unroute('**/api/**')
    if (cut === 'offline') await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.getByRole('heading', { level: 1, name: 'Todos' }).waitFor()
    await context.close()
  }
})

test('a first connection that takes long is no lost one', async () => {
  const { page, context } = await client.open({ as: await client.h.signedIn() })
  const release = await hold(page, '**/api/changes/stream*')
  await page.goto('/todos')
  const status = page.getByRole('status', { name: 'Connection' })
  await status.getByText('Connecting', { exact: true }).waitFor()
  release()
  await status.getByText('Live', { exact: true }).waitFor()
  await context.close()
})
