import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import { save, told } from '../../support/event-editor'
import { sharedWith } from '../../support/sharing'
import { type Client, eventually, hold, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

test('an event that the editor makes private says so to its owner, and shows a member that the time is taken', async () => {
  const { ada, bob, calendar } = await sharedWith(client.h, 'write')
  const event = { title: 'Interview', start_at: '2026-03-10T09:00:00Z', end_at: '2026-03-10T10:00:00Z' }
  const { id } = await ada.create({ ...event, calendar_id: calendar.id })
  const { page, context } = await client.open({ as: ada })
  await page.goto(`/events/${id}`)
  const box = page.getByRole('checkbox', { name: 'Private' })
  await box.waitFor()
  expect(await box.isChecked()).toBe(false)
  await box.check()
  await save(page)
  await told(page, 'Changed Interview')
  await eventually(async () => (await ada.read(id)).body.visibility, 'private')
  await page.goto(`/events/${id}`)
  await box.waitFor()
  expect(await box.isChecked()).toBe(true)
  await page.getByRole('textbox', { name: 'Title' }).fill('Second interview')
  await save(page)
  await eventually(async () => (await ada.read(id)).body.title, 'Second interview')
  expect((await ada.read(id)).body).toMatchObject({ visibility: 'private' })
  await context.close()
  const theirs = await client.open({ as: bob })
  await theirs.page.goto(`/events/${id}`)
  await theirs.page.getByRole('heading', { name: 'Busy' }).waitFor()
  await theirs.page
    .getByRole('listitem')
    .filter({ hasText: /^Private$/ })
    .waitFor()
  expect(await theirs.page.getByRole('textbox', { name: 'Title' }).count()).toBe(0)
  expect(await theirs.page.getByText('nterview').count()).toBe(0)
  await theirs.context.close()
})

test('in a calendar of somebody else the editor offers no private events, also before the calendars are there', async () => {
  const { ada, bob, calendar } = await sharedWith(client.h, 'write')
  const event = { title: 'Rehearsal', start_at: '2026-03-10T09:00:00Z', end_at: '2026-03-10T10:00:00Z' }
  const { id } = await ada.create({ ...event, calendar_id: calendar.id })
  const { page, context } = await client.open({ as: bob })
  const release = await hold(page, '**/api/changes?*types=calendar&*')
  await page.goto(`/events/${id}`)
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
  expect(await page.getByRole('checkbox', { name: 'Private' }).count()).toBe(0)
  release()
  await page
    .getByRole('combobox', { name: 'Calendar' })
    .getByRole('option', { name: calendar.name })
    .waitFor({ state: 'attached' })
  expect(await page.getByRole('checkbox', { name: 'Private' }).count()).toBe(0)
  await context.close()
})
