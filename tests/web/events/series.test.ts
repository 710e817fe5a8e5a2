import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { organiser, type Organiser } from '../../support/events'
import { type Client, eventually, eventuallyMatches, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

/** Choir on four Tuesdays, of which the last was moved by hand. */
async function choir() {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const { id } = await ada.create({
    title: 'Choir',
    start_at: '2026-03-03T19:00:00',
    end_at: '2026-03-03T20:00:00',
    recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=4',
  })
  await ada.change(
    id,
    { title: 'Choir concert' },
    { scope: 'this', occurrence_start: '2026-03-24T19:00:00+01:00' },
  )
  return { ada, id }
}

async function openSecond(ada: Organiser, id: number) {
  const { page, context } = await client.open({ as: ada })
  await page.goto(`/events/${id}?occurrence=${encodeURIComponent('2026-03-10T19:00:00+01:00')}`)
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
  return { page, context }
}

const march = async (ada: Organiser) =>
  (await ada.list('2026-03-01', '2026-04-01')).map(
    ({ title, start_at: start }) => `${String(start).slice(8, 16)} ${String(title)}`,
  )
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()

async function answer(page: Page, choice: string) {
  const dialog = page.getByRole('dialog', { name: 'Change repeating event' })
  await dialog.getByRole('radio', { name: choice }).check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

test.each([
  ['Only this event', ['03T19:00 Choir', '10T18:00 Practice', '17T19:00 Choir', '24T19:00 Choir concert']],
  [
    'This and following events',
    ['03T19:00 Choir', '10T18:00 Practice', '17T18:00 Practice', '24T18:00 Choir concert'],
  ],
  ['All events', ['03T18:00 Practice', '10T18:00 Practice', '17T18:00 Practice', '24T18:00 Choir concert']],
])(
  'a change of "%s" changes these occurrences, and keeps what others have for themselves',
  async (choice, expected) => {
    const { ada, id } = await choir()
    const { page, context } = await openSecond(ada, id)
    await page.getByRole('textbox', { name: 'Title' }).fill('Practice')
    await page.getByRole('combobox', { name: 'Start time' }).fill('18:00')
    await page.keyboard.press('Escape')
    await save(page)
    const dialog = page.getByRole('dialog', { name: 'Change repeating event' })
    await dialog.waitFor()
    expect(await axeProblems(page)).toEqual([])
    await answer(page, choice)
    await told(page, 'Changed Practice')
    await eventually(() => march(ada), expected)
    await context.close()
  },
)

test.each([
  ['Only this event', ['03T19:00 Choir', '17T19:00 Choir', '24T19:00 Choir concert']],
  ['This and following events', ['03T19:00 Choir']],
  ['All events', []],
])('a deletion of "%s" leaves these occurrences', async (choice, expected) => {
  const { ada, id } = await choir()
  const { page, context } = await openSecond(ada, id)
  await page.getByRole('button', { name: 'Delete' }).click()
  await answer(page, choice)
  await told(page, 'Deleted Choir')
  await eventually(() => march(ada), expected)
  await context.close()
})

test('the question can be left, and nothing has changed but the draft', async () => {
  const { ada, id } = await choir()
  const { page, context } = await openSecond(ada, id)
  await page.getByRole('textbox', { name: 'Title' }).fill('Practice')
  await save(page)
  await page.getByRole('dialog', { name: 'Change repeating event' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Practice')
  expect(await march(ada)).toContain('10T19:00 Choir')
  await context.close()
})

test('what belongs to the whole series is not offered for one occurrence', async () => {
  const { ada, id } = await choir()
  const { page, context } = await openSecond(ada, id)
  await page.getByRole('combobox', { name: 'Repeat' }).selectOption({ label: 'Every 2 weeks on Tuesday' })
  await save(page)
  const dialog = page.getByRole('dialog', { name: 'Change repeating event' })
  await dialog.waitFor()
  expect(await dialog.getByRole('radio').count()).toBe(2)
  await answer(page, 'This and following events')
  await told(page, 'Changed Choir')
  await eventually(() => march(ada), ['03T19:00 Choir', '10T19:00 Choir', '24T19:00 Choir concert'])
  await context.close()
})

test('presets come from the day, and the words and next dates from the service', async () => {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const { page, context } = await client.open({ as: ada })
  await page.goto('/events/new?from=2026-03-08T11:00&title=Brunch')
  const repeat = page.getByRole('combobox', { name: 'Repeat' })
  await repeat.selectOption({ label: 'Every 2nd Sunday of the month' })
  await page.getByText('Repeats every 2nd Sunday of the month. The first dates:').waitFor()
  expect(await page.locator('.repeat-preview li').allTextContents()).toEqual([
    'Sunday 8 March',
    'Sunday 12 April',
    'Sunday 10 May',
    'Sunday 14 June',
    'Sunday 12 July',
  ])
  await save(page)
  await told(page, 'Added Brunch')
  await eventuallyMatches(
    () => ada.list('2026-03-01', '2026-05-01'),
    [
      { start_at: '2026-03-08T11:00:00+01:00', recurrence_rule: 'FREQ=MONTHLY;BYDAY=2SU' },
      { start_at: '2026-04-12T11:00:00+02:00' },
    ],
  )
  await context.close()
})

test('one’s own rule says how often, on which days and until when', async () => {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const { page, context } = await client.open({ as: ada })
  await page.goto('/events/new?from=2026-03-09T18:00&title=Training')
  await page.getByRole('combobox', { name: 'Repeat' }).selectOption({ label: 'Custom…' })
  const form = page.getByRole('group', { name: 'Custom repetition' })
  await form.getByRole('combobox', { name: 'Unit' }).selectOption({ label: 'weeks' })
  await form.getByRole('textbox', { name: 'Every' }).fill('2')
  await form.getByRole('checkbox', { name: 'Thursday' }).check()
  await form.getByRole('combobox', { name: 'Ends' }).selectOption({ label: 'After a number of times' })
  await form.getByRole('textbox', { name: 'Number of times' }).fill('3')
  await page.getByText('Repeats every 2 weeks on Monday and Thursday, 3 times.').waitFor()
  await save(page)
  await told(page, 'Added Training')
  await eventually(() => march(ada), ['09T18:00 Training', '12T18:00 Training', '23T18:00 Training'])
  await context.close()
})
