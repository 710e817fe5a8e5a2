import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { focused, told } from '../../support/event-editor'
import { organiser, type Organiser } from '../../support/events'
import { tabTo } from '../../support/keyboard'
import {
  addPerson,
  chooseAction,
  firstNames,
  peopleList,
  personCard,
  personField,
  personOf,
} from '../../support/people-pages'
import { type Client, eventually, eventuallyMatches, SCREENS, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const newcomer = () => organiser(client.h, 'Europe/Berlin')

async function at(as: Organiser, address: string, options: Parameters<Client['open']>[0] = {}) {
  const { page, context } = await client.open({ as, ...options })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, context, [Symbol.asyncDispose]: () => context.close() }
}

const lines = (page: Page) => peopleList(page).getByRole('link').allInnerTexts()

test('people stand by initial as the language sorts them, and typing leaves out whom it does not fit', async () => {
  const ada = await newcomer()
  for (const fields of [
    { first_name: 'Zoe', mobile: '+49 (170) 555-123' },
    { first_name: 'Änne', last_name: 'Burda', company: 'Mode' },
    { first_name: 'Ben', last_name: 'Alder' },
    { first_name: 'ann', last_name: 'Other', email: 'ann@example.org' },
    { nickname: '4711' },
  ])
    await addPerson(ada, fields)
  await using opened = await at(ada, '/people')
  const { page } = opened
  await page.getByText('5 people').waitFor()
  const headings = () => peopleList(page).getByRole('heading').allInnerTexts()
  expect(await headings()).toEqual(['Others', 'A', 'B', 'Z'])
  expect((await lines(page)).map((line) => line.split('\n')[0])).toEqual([
    '4711',
    'ann Other',
    'Änne Burda',
    'Ben Alder',
    'Zoe',
  ])
  const filter = page.getByRole('searchbox', { name: 'Filter people' })
  for (const [typed, left] of [
    ['anne', ['Änne Burda']],
    ['burda mode', ['Änne Burda']],
    ['EXAMPLE', ['ann Other']],
    ['0170 55', []],
    ['170555', ['Zoe']],
  ] as const) {
    await filter.fill(typed)
    await eventually(async () => (await lines(page)).map((line) => line.split('\n')[0] ?? ''), [...left])
  }
  expect(await page.getByText('1 of 5 people').count()).toBe(1)
  await filter.fill('xyz')
  await page.getByRole('button', { name: 'Show everybody' }).click()
  await page.getByText('5 people').waitFor()
})

test('a person is deleted from the list by key or menu, the next one has the focus, and "Undo" brings them back', async () => {
  const ada = await newcomer()
  for (const first_name of ['Ada', 'Ben', 'Cem']) await addPerson(ada, { first_name })
  await using opened = await at(ada, '/people')
  const { page } = opened
  await tabTo(page, peopleList(page).getByRole('link', { name: 'Ada' }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Delete')
  await told(page, 'Deleted Ben')
  await eventually(firstNames(ada), ['Ada', 'Cem'])
  await eventually(
    () => focused(page),
    await peopleList(page).getByRole('link', { name: 'Cem' }).textContent(),
  )
  await chooseAction(page, 'Cem', 'Delete')
  await eventually(firstNames(ada), ['Ada'])
  await page.keyboard.press('ControlOrMeta+z')
  await eventually(firstNames(ada), ['Ada', 'Cem'])
  await page.keyboard.press('ControlOrMeta+z')
  await eventually(firstNames(ada), ['Ada', 'Ben', 'Cem'])
})

test('favourites and categories leave a part of the list, and the address says so', async () => {
  const ada = await newcomer()
  await addPerson(ada, { first_name: 'Ada', category: 'Friends' })
  const ben = await addPerson(ada, { first_name: 'Ben', category: 'Choir' })
  await using opened = await at(ada, '/people?category=Choir')
  const { page } = opened
  await page.getByText('1 of 2 people').waitFor()
  await page.getByRole('combobox', { name: 'Category' }).selectOption('All categories')
  await page.getByText('2 people', { exact: true }).waitFor()
  await chooseAction(page, 'Ben', 'Add to favourites')
  await eventuallyMatches(personOf(ada, ben), { is_favourite: true })
  await page.getByRole('button', { name: 'Favourites' }).click()
  await page.waitForURL('**/people?favourites=true')
  expect(await lines(page)).toEqual([expect.stringContaining('Ben')])
})

test('the birthdays of the next thirty days stand above the list, and one in the calendar opens its person', async () => {
  const ada = await newcomer()
  await addPerson(ada, { first_name: 'Ada', birthday: '1985-03-10' })
  const ben = await addPerson(ada, { first_name: 'Ben', birthday: '--03-04' })
  await addPerson(ada, { first_name: 'Cem', birthday: '--04-30' })
  await using opened = await at(ada, '/people')
  const { page } = opened
  const birthdays = page.getByRole('list', { name: 'Upcoming birthdays' }).getByRole('listitem')
  await birthdays.first().waitFor()
  expect(await birthdays.allInnerTexts()).toEqual([
    expect.stringMatching(/^Ben\s+Wed 4 Mar · today$/),
    expect.stringMatching(/^Ada\s+turns 41 · Tue 10 Mar · in 6 days$/),
  ])
  await page.goto('/calendar/week/2027-03-04')
  await page.getByRole('button', { name: /^Ben's birthday/ }).click()
  await page.waitForURL(`**/people/${ben}`)
  await personCard(page).getByRole('heading', { name: 'Ben' }).waitFor()
  await page.goBack()
  await page.waitForURL('**/calendar/week/2027-03-04')
})

test('a phone shows a person as a page with the same fields, and what is done there shows in the list', async () => {
  const ada = await newcomer()
  const id = await addPerson(ada, { first_name: 'Ada', birthday: '1985-03-04' })
  await using opened = await at(ada, '/people', { options: SCREENS.phone })
  const { page } = opened
  await peopleList(page).getByRole('link', { name: 'Ada' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()
  await page.getByText('Turns 41 today').waitFor()
  await page.getByRole('button', { name: 'Edit' }).tap()
  await personField(page, 'Last name').fill('Lovelace')
  await page.getByRole('button', { name: 'Save' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
  await eventuallyMatches(personOf(ada, id), { last_name: 'Lovelace' })
  await page.getByRole('button', { name: 'Back' }).tap()
  await peopleList(page).getByRole('link', { name: 'Ada Lovelace' }).waitFor()
  await page.goto('/calendar/day/2026-03-04')
  await page.getByRole('button', { name: /^Ada Lovelace's birthday/ }).tap()
  await page.getByRole('button', { name: 'Open the person' }).tap()
  await page.waitForURL(`**/people/${id}`)
})

test('who is gone, or never was there, has a page that says so', async () => {
  const ada = await newcomer()
  const id = await addPerson(ada, { first_name: 'Ada' })
  await using opened = await at(ada, `/people/${id}`)
  const { page } = opened
  await personCard(page).waitFor()
  await ada.request('DELETE', `/api/people/${id}`)
  await page.getByRole('heading', { level: 1, name: 'This is gone' }).waitFor()
  await page.goto('/people/999999')
  await page.getByRole('heading', { level: 1, name: 'This is gone' }).waitFor()
  await page.getByRole('link', { name: 'Back to People' }).click()
  await page.getByText('Nobody here yet').waitFor()
})
