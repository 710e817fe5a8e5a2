import { afterAll, beforeAll, expect } from 'bun:test'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { save, title, told } from '../../support/event-editor'
import { organiser } from '../../support/events'
import { type Client, eventuallyMatches, startClient } from '../../support/web'

// (contract: web.conflicts)
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const LUNCH = { title: 'Lunch', start_at: '2026-03-10T12:00:00', end_at: '2026-03-10T13:00:00' }

test('changes of different parts are merged', async () => {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const event = await ada.create(LUNCH)
  const { page, context } = await client.open({ as: ada })
  await page.goto(`/events/${event.id}`)
  await title(page).fill('Long lunch')
  await ada.change(event.id, { location: 'Café Luna' })
  await save(page)
  await told(page, 'both changes are kept')
  await eventuallyMatches(async () => (await ada.read(event.id)).body, {
    title: 'Long lunch',
    location: 'Café Luna',
  })
  await context.close()
})

test('changes of the same part are decided by the person', async () => {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const event = await ada.create({ ...LUNCH, location: 'Café Luna' })
  const { page, context } = await client.open({ as: ada })
  await page.goto(`/events/${event.id}`)
  await title(page).fill('My lunch')
  await page.getByRole('textbox', { name: 'Location' }).fill('My place')
  await ada.change(event.id, { title: 'Their lunch', location: 'Their place' })
  await save(page)
  const conflict = page.getByRole('dialog', { name: 'Changed elsewhere' })
  await conflict.waitFor()
  expect(await axeProblems(page)).toEqual([])
  await conflict
    .getByRole('radiogroup', { name: 'Location' })
    .getByRole('radio', { name: 'Take theirs', description: 'Their place' })
    .check()
  await conflict.getByRole('button', { name: 'Save' }).click()
  await eventuallyMatches(async () => (await ada.read(event.id)).body, {
    title: 'My lunch',
    location: 'Their place',
  })
  await context.close()
})
