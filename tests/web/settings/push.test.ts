import { afterAll, beforeAll, expect } from 'bun:test'
import { createJobs } from '../../../src/jobs/schedule'
import { test } from '../../support/browser'
import { configure, fakeNtfy } from '../../support/ntfy'
import { typeInto } from '../../support/keyboard'
import { type Client, eventuallyMatches, SCREENS, startClient } from '../../support/web'

let client: Client
const ntfy = fakeNtfy()
beforeAll(async () => {
  client = await startClient({ env: { NTFY_ALLOW_PRIVATE: 'true' } })
}, 60_000)
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await ntfy[Symbol.asyncDispose]()
})

async function openPush(settings: Record<string, unknown> = {}, options: Parameters<Client['open']>[0] = {}) {
  const ada = await client.h.signedIn()
  if (Object.keys(settings).length > 0) await configure(ada, settings)
  const { page, context } = await client.open({ as: ada, ...options })
  await page.goto('/settings/push')
  await page.getByRole('heading', { level: 1, name: 'Push messages' }).waitFor()
  const settingsOf = async () => (await ada.request('GET', '/api/settings')).body
  return { ada, page, settingsOf, [Symbol.asyncDispose]: () => context.close() }
}

const target = () => ({ ntfy_server_url: ntfy.url, ntfy_topic: 'ada' })

test('messages are set up by keyboard alone, and a test message arrives', async () => {
  await using opened = await openPush()
  const { page, settingsOf } = opened
  expect(await page.getByRole('button', { name: 'Send a test message' }).isDisabled()).toBe(true)
  await typeInto(page, page.getByRole('textbox', { name: 'Server' }), ntfy.url)
  await typeInto(page, page.getByRole('textbox', { name: 'Topic' }), 'ada')
  await typeInto(page, page.getByLabel('Access token'), 'tk_secret')
  await page.keyboard.press('Enter')
  await page.getByText('Saved where messages go').waitFor()
  expect(await settingsOf()).toMatchObject({ ...target(), ntfy_has_token: true })
  await page.getByText('A token is stored.').waitFor()
  expect(await page.getByLabel('Access token').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Send a test message' }).click()
  await page.getByText('Sent. It should be on your phone by now.').waitFor()
  expect(ntfy.taken()).toMatchObject([
    { topic: 'ada', click: client.origin, headers: { authorization: 'Bearer tk_secret' } },
  ])
  await page.getByRole('checkbox', { name: 'Remove the stored token' }).check()
  await page.getByRole('region', { name: 'Where to' }).getByRole('button', { name: 'Save' }).click()
  await eventuallyMatches(settingsOf, { ntfy_has_token: false, ntfy_topic: 'ada' })
})

test.each([
  [403, 'the topic is protected, and the access token is missing or wrong'],
  [429, 'The push server takes no more messages at the moment.'],
  [500, 'it answered 500'],
])('a push server that answers %d to the test message is told in words', async (status, words) => {
  await using opened = await openPush(target())
  const { page } = opened
  ntfy.react = () => new Response('', { status })
  await page.getByRole('button', { name: 'Send a test message' }).click()
  await page.getByRole('alert').getByText(words).waitFor()
  ntfy.react = undefined
})

test('what is wrong with the server stands at its field', async () => {
  await using opened = await openPush()
  const { page } = opened
  const server = page.getByRole('textbox', { name: 'Server' })
  await server.fill('https://ntfy.sh/topic')
  await page.getByRole('textbox', { name: 'Topic' }).fill('a b')
  await server.press('Enter')
  await page.getByText('Only letters, digits, underscores and hyphens.').waitFor()
  await page.getByRole('textbox', { name: 'Topic' }).fill('ab')
  await server.press('Enter')
  await page.getByText('Only the server, without what follows its name.').waitFor()
  expect(await server.getAttribute('aria-invalid')).toBe('true')
})

test('quiet hours need both ends, and half of them is told at the missing field', async () => {
  await using opened = await openPush()
  const { page, settingsOf } = opened
  await page.getByLabel('Quiet hours from').fill('22:00')
  await page.getByLabel('Quiet hours from').press('Enter')
  await page.getByText('The end is missing.').waitFor()
  await page.getByLabel('until', { exact: true }).fill('07:00')
  await page.getByLabel('What has a day and no time, at').fill('08:30')
  await page.getByLabel('until', { exact: true }).press('Enter')
  await page.getByText('Saved the times of messages').waitFor()
  expect(await settingsOf()).toMatchObject({ quiet_from: '22:00', quiet_to: '07:00', notify_day_at: '08:30' })
})

test('the last messages are listed with what became of each on a phone', async () => {
  await using opened = await openPush({ ...target(), ntfy_enabled: true }, { options: SCREENS.phone })
  const { ada, page } = opened
  await page.getByText('No message in the last seven days').waitFor()
  const remind = (title: string) =>
    ada.request('POST', '/api/reminders', {
      body: { title, remind_at: new Date(+client.h.clock.now() - 1000).toISOString() },
    })
  const jobs = createJobs(client.h.deps)
  await remind('Water the plants')
  await jobs.tick()
  const [sent] = ntfy.taken()
  ntfy.react = () => new Response('', { status: 503 })
  await remind('Feed the cat')
  await jobs.tick()
  ntfy.react = undefined
  await jobs.stop()
  await page.getByRole('button', { name: 'Refresh' }).click()
  const list = page.getByRole('list', { name: 'Last messages' })
  await list
    .getByRole('listitem')
    .filter({ hasText: 'Water the plants' })
    .getByText(/Sent today at/)
    .waitFor()
  await list
    .getByRole('listitem')
    .filter({ hasText: 'Feed the cat' })
    .getByText('Tried once, will be tried again: the push server answered 503')
    .waitFor()
  await page.goto(sent?.click ?? '')
  expect(new URL(page.url()).pathname).toMatch(/^\/reminders\/\d+$/)
})
