import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import { focused, save, told } from '../../support/event-editor'
import { organiser, type Organiser } from '../../support/events'
import { pressOn } from '../../support/keyboard'
import {
  addPerson,
  firstNames,
  peopleList,
  peopleOf,
  personCard,
  personField,
  personOf,
} from '../../support/people-pages'
import { type Client, eventually, eventuallyMatches, startClient, hold, holdToDraw } from '../../support/web'

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

test('a person is made by the keyboard alone, with everything that the service keeps', async () => {
  const ada = await newcomer()
  await ada.request('POST', '/api/address-books', { body: { name: 'Work' } })
  await using opened = await at(ada, '/today')
  const { page } = opened
  await pressOn(page, page.getByRole('button', { name: 'New', exact: true }))
  await page.getByRole('menuitem', { name: 'Person' }).waitFor()
  await page.keyboard.type('Pe')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New person' }).waitFor()
  const order = []
  for (const [label, text] of [
    ['First name', 'Grace'],
    ['Last name', 'Hopper'],
    ['Nickname', 'Amazing'],
    ['Birthday', '9.12.1906'],
    ['Email', 'grace@example.org'],
    ['Phone', '+1 555 0101'],
    ['Mobile', '+1 555 0100'],
    ['Company', 'Navy'],
    ['Job title', 'Admiral'],
    ['Address', 'Arlington'],
    ['Category', 'Friends'],
    ['Address book', 'Work'],
    ['Notes', 'Found a bug'],
    ['Favourite', ' '],
  ] as const) {
    order.push([label, await focused(page)])
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  expect(order.map(([, label]) => label)).toEqual(order.map(([label]) => label))
  expect(await personField(page, 'Birthday').inputValue()).toBe('9 December 1906')
  await pressOn(page, page.getByRole('button', { name: 'Save' }))
  await told(page, 'Added Grace Hopper')
  await eventuallyMatches(
    () => peopleOf(ada),
    [
      {
        first_name: 'Grace',
        last_name: 'Hopper',
        nickname: 'Amazing',
        birthday: '1906-12-09',
        email: 'grace@example.org',
        phone: '+1 555 0101',
        mobile: '+1 555 0100',
        company: 'Navy',
        job_title: 'Admiral',
        address: 'Arlington',
        category: 'Friends',
        notes: 'Found a bug',
        is_favourite: true,
      },
    ],
  )
  const [{ id }] = (await peopleOf(ada)) as [{ id: number }]
  await page.waitForURL(`**/people/${id}`)
  await personCard(page).getByText('119 years old, turns 120 on Wednesday 9 December').waitFor()
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
})

test('a person shows within a frame while the service takes its time, and "Undo" takes them back', async () => {
  const ada = await newcomer()
  await using opened = await at(ada, '/people')
  const { page } = opened
  await page.getByRole('button', { name: 'Add the first person' }).click()
  const answer = await hold(page, '**/api/people')
  await personField(page, 'Nickname').fill('Zuse')
  await page.getByRole('button', { name: 'Save' }).click()
  await peopleList(page).getByRole('link', { name: 'Zuse' }).waitFor()
  expect(await peopleOf(ada)).toEqual([])
  answer()
  await eventually(firstNames(ada), ['Zuse'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(firstNames(ada), [])
  await page.getByText('Nobody here yet').or(page.getByText('This is gone')).first().waitFor()
})

test('who edits a new person goes on typing when the service answers', async () => {
  const ada = await newcomer()
  await using opened = await at(ada, '/people')
  const { page } = opened
  await page.getByRole('button', { name: 'Add the first person' }).click()
  const answer = await holdToDraw(page, '**/api/people')
  await personField(page, 'Nickname').fill('Zuse')
  await page.getByRole('button', { name: 'Save' }).click()
  await personCard(page).getByRole('button', { name: 'Edit' }).click()
  await personField(page, 'Company').fill('Zuse')
  await answer()
  await page.keyboard.type(' KG')
  expect(await personField(page, 'Company').inputValue()).toBe('Zuse KG')
  await page.getByRole('button', { name: 'Save' }).click()
  await eventuallyMatches(() => peopleOf(ada), [{ nickname: 'Zuse', company: 'Zuse KG' }])
})

test('a card shows mail and phone as links, the age in words and notes in lines; Back, Escape and its button close it', async () => {
  const ada = await newcomer()
  const id = await addPerson(ada, {
    first_name: 'Ada',
    email: 'ada@example.org',
    mobile: '+44 (7700) 900-001',
    birthday: '--03-05',
    category: 'Friends',
    notes: 'One\nTwo',
  })
  await using opened = await at(ada, '/people')
  const { page } = opened
  const open = () => peopleList(page).getByRole('link', { name: 'Ada' }).click()
  await open()
  await page.waitForURL(`**/people/${id}`)
  const href = (name: string) => personCard(page).getByRole('link', { name }).getAttribute('href')
  expect(await href('ada@example.org')).toBe('mailto:ada@example.org')
  expect(await href('+44 (7700) 900-001')).toBe('tel:+447700900001')
  await personCard(page).getByText('Birthday tomorrow').waitFor()
  await personCard(page).getByText('One\nTwo').waitFor()
  for (const close of [
    () => page.goBack(),
    () => page.keyboard.press('Escape'),
    () => personCard(page).getByRole('button', { name: 'Close' }).click(),
  ]) {
    await close()
    await page.waitForURL('**/people')
    await personCard(page).waitFor({ state: 'detached' })
    await open()
    await personCard(page).waitFor()
  }
  await personCard(page).getByRole('link', { name: 'Friends' }).click()
  await page.waitForURL('**/people?category=Friends')
})

test('what was changed of a person starts from what was opened, so that both changes are kept', async () => {
  const ada = await newcomer()
  const id = await addPerson(ada, { first_name: 'Ada', company: 'Old', birthday: '1985-03-10' })
  await using opened = await at(ada, `/people/${id}`)
  const { page } = opened
  await personCard(page).getByText('Old', { exact: true }).waitFor()
  await page.keyboard.press('e')
  await personField(page, 'Company').fill('Engines')
  await ada.request('PUT', `/api/people/${id}`, { body: { notes: 'Harp' } })
  await save(page)
  await eventuallyMatches(personOf(ada, id), { company: 'Engines', notes: 'Harp', birthday: '1985-03-10' })
  await page.waitForURL(`**/people/${id}`)

  await page.getByRole('button', { name: 'Edit' }).click()
  await personField(page, 'Company').fill('Mine')
  await page.context().setOffline(true)
  await save(page)
  await ada.request('PUT', `/api/people/${id}`, { body: { company: 'Theirs' } })
  await page.context().setOffline(false)
  const conflict = page.getByRole('dialog', { name: 'Changed elsewhere' })
  await conflict.getByRole('radiogroup', { name: 'Company' }).getByLabel('Take theirs').check()
  await conflict.getByRole('button', { name: 'Save' }).click()
  await personCard(page).getByText('Theirs').waitFor()
  await eventuallyMatches(personOf(ada, id), { company: 'Theirs' })
})

test('what cannot be right is explained at its field, and what the service refuses is typed still', async () => {
  const ada = await newcomer()
  await using opened = await at(ada, '/people?show=new')
  const { page } = opened
  const problem = async (name: string) => {
    const id = await personField(page, name).getAttribute('aria-describedby')
    return page.locator(`[id="${id?.split(' ').at(-1)}"]`).innerText()
  }
  await page.getByRole('dialog').waitFor()
  await save(page)
  expect(await problem('First name')).toBe('A first name, a last name or a nickname is needed.')
  expect(await focused(page)).toBe('First name')
  await personField(page, 'Nickname').fill('Zuse')
  for (const [typed, said] of [
    ['someday', 'This is not a date. Type it like 24 March 1985, 1985-03-24 or 24 March.'],
    ['5 March 2026', 'This day is in the future.'],
  ] as const) {
    await personField(page, 'Birthday').fill(typed)
    await save(page)
    expect([typed, await problem('Birthday')]).toEqual([typed, said])
  }
  await personField(page, 'Birthday').fill('')
  await page.route('**/api/people', (route) =>
    route.fulfill({
      status: 422,
      json: { detail: 'Invalid', errors: [{ field: 'body.phone', message: 'is not valid' }] },
    }),
  )
  await save(page)
  await page.getByText('Not saved: Added Zuse').waitFor()
  await page.unroute('**/api/people')
  await page.getByRole('button', { name: 'Edit again' }).click()
  expect(await personField(page, 'Nickname').inputValue()).toBe('Zuse')
  expect(await problem('Phone')).toBe('This is not valid.')
  await save(page)
  await eventually(firstNames(ada), ['Zuse'])
})

test('a busy service gets a new person as soon as it can, once', async () => {
  const ada = await newcomer()
  await using opened = await at(ada, '/people?show=new')
  const { page } = opened
  let refusals = 2
  await page.route('**/api/people', (route) =>
    refusals-- > 0
      ? route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { detail: 'Busy' } })
      : route.continue(),
  )
  await personField(page, 'Nickname').fill('Zuse')
  await save(page)
  await peopleList(page).getByRole('link', { name: 'Zuse' }).waitFor()
  await eventually(firstNames(ada), ['Zuse'])
})
