import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { booksOf, defaultBook, newBook, newPerson, nicknames } from '../../support/books'
import { test } from '../../support/browser'
import { connect, connectionsOf, set, sociable } from '../../support/connecting'
import { save, told } from '../../support/event-editor'
import type { Actor } from '../../support/harness'
import { chooseAction, personCard } from '../../support/people-pages'
import { type Client, eventually, eventuallyMatches, holdToDraw, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function at(as: Actor, address: string) {
  const { page, context } = await client.open({ as })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

const named = (as: Actor) => async () => (await booksOf(as)).map(({ name }) => name)
const books = (page: Page) => page.getByRole('list', { name: 'Address books' }).getByRole('listitem')

test('address books are made, renamed, coloured and put in order, and each change can be undone', async () => {
  const ada = await client.h.signedIn()
  await using opened = await at(ada, '/people')
  const { page } = opened
  await page.getByRole('button', { name: 'People options' }).click()
  await page.getByRole('menuitem', { name: 'Address books…' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  for (const each of ['Work', 'Choir']) {
    await page.getByRole('button', { name: 'New address book' }).click()
    await name.fill(each)
    await save(page)
  }
  await eventually(named(ada), ['Contacts', 'Work', 'Choir'])
  await chooseAction(page, 'Choir', 'Move up')
  await eventually(named(ada), ['Contacts', 'Choir', 'Work'])
  expect((await books(page).allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
    'Contacts',
    'Choir',
    'Work',
  ])
  await chooseAction(page, 'Work', 'Edit')
  await name.fill('Choir')
  await save(page)
  await page.getByText('You have an address book of this name. Choose another name.').waitFor()
  await name.fill('Office')
  await page.getByLabel('Colour').fill('#7c5cd6')
  await save(page)
  await eventuallyMatches(async () => (await booksOf(ada))[2], { name: 'Office', color: '#7c5cd6' })
  await page.keyboard.press('Escape')
  await page.waitForURL('**/people')
  await page.keyboard.press('ControlOrMeta+z')
  await eventually(named(ada), ['Contacts', 'Choir', 'Work'])
  await page.keyboard.press('ControlOrMeta+z')
  await eventually(named(ada), ['Contacts', 'Work', 'Choir'])
})

test('the menu of a new address book stays open when the service answers', async () => {
  const ada = await client.h.signedIn()
  await using opened = await at(ada, '/people?show=books')
  const { page } = opened
  const answer = await holdToDraw(page, '**/api/address-books')
  await page.getByRole('button', { name: 'New address book' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Work')
  await save(page)
  await page.getByRole('button', { name: 'More actions for Work' }).click()
  const edit = page.getByRole('menuitem', { name: 'Edit' })
  await edit.waitFor()
  await answer()
  await edit.click()
  await page.getByRole('dialog', { name: 'Edit address book' }).waitFor()
})

test('a new address book whose dialog is open when the service answers gets another colour and keeps its name', async () => {
  const ada = await client.h.signedIn()
  await using opened = await at(ada, '/people?show=books')
  const { page } = opened
  const answer = await holdToDraw(page, '**/api/address-books')
  await page.getByRole('button', { name: 'New address book' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Work')
  await save(page)
  await chooseAction(page, 'Work', 'Edit')
  await page.getByLabel('Colour').fill('#7c5cd6')
  await answer()
  await save(page)
  await eventuallyMatches(() => booksOf(ada), [{}, { name: 'Work', color: '#7c5cd6' }])
})

test('the deletion of an address book says how many people go along, and brings them back with it', async () => {
  const ada = await client.h.signedIn()
  const work = await newBook(ada, 'Work')
  for (const name of ['Ben', 'Cem']) await newPerson(ada, name, work)
  await newPerson(ada, 'Ada')
  await using opened = await at(ada, '/people?show=books')
  const { page } = opened
  await page.getByText('2 people').waitFor()
  await page.getByRole('button', { name: 'More actions for Contacts' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await chooseAction(page, 'Work', 'Delete')
  await page.getByRole('dialog', { name: 'Delete Work' }).getByText('2 people go to the trash').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await told(page, 'Deleted the address book Work with 2 people')
  await eventually(named(ada), ['Contacts'])
  await eventually(() => nicknames(ada), ['Ada'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(() => nicknames(ada), ['Ada', 'Ben', 'Cem'])
  await page.keyboard.press('Escape')
  await page.getByRole('list', { name: 'People' }).getByRole('link', { name: 'Ben' }).waitFor()
})

test('an address book is deleted only once everybody in it is known', async () => {
  const ada = await client.h.signedIn()
  await newPerson(ada, 'Ben', await newBook(ada, 'Work'))
  const { page, context } = await client.open({ as: ada })
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route(/changes\?.*types=person/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/people?show=books')
  await page.getByRole('button', { name: 'More actions for Work' }).click()
  const remove = page.getByRole('menuitem', { name: 'Delete' })
  await eventually(() => remove.getAttribute('aria-disabled'), 'true')
  go()
  await remove.click()
  await page.getByRole('dialog', { name: 'Delete Work' }).getByText('One person goes').waitFor()
  await context.close()
})

test('a person moves between address books, by which the list is filtered', async () => {
  const ada = await client.h.signedIn()
  const work = await newBook(ada, 'Work')
  await newPerson(ada, 'Ben')
  await using opened = await at(ada, '/people')
  const { page } = opened
  await chooseAction(page, 'Ben', 'Move to…')
  await page.getByRole('combobox', { name: 'Address book' }).last().selectOption('Work')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await told(page, 'Moved Ben to Work')
  await eventually(() => nicknames(ada, work), ['Ben'])
  await page.getByRole('combobox', { name: 'Address book' }).selectOption('Contacts')
  await page.getByText('Nobody fits').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('1 of 1 people').waitFor()
  await eventually(async () => nicknames(ada, await defaultBook(ada)), ['Ben'])
})

test('a person is linked to a connection and shows what it shares, until the link is taken away', async () => {
  const [ada, bob] = [await sociable(client.h), await sociable(client.h)]
  await connect(ada, bob)
  await set(client.h, bob, { mobile: '+49 170 5550123', shareMobile: true })
  const id = await newPerson(ada, 'Robert')
  const [connection] = await connectionsOf(ada)
  const { person_id: before = 0, network_name: user = '' } = connection ?? {}
  await using opened = await at(ada, `/people/${id}`)
  const { page } = opened
  await chooseAction(page, 'Robert', 'Link to a connection…')
  await page.getByText('is linked to this connection so far').waitFor()
  // Somebody else writes to the person meanwhile.
  await ada.request('PUT', `/api/people/${id}`, { body: { notes: 'Bass' } })
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await personCard(page)
    .getByRole('heading', { name: `Shared by ${user}` })
    .waitFor()
  await personCard(page).getByRole('link', { name: '+49 170 5550123' }).waitFor()
  await personCard(page).getByText('Bass').waitFor()
  const linked = (person: number | null) => async () =>
    (await ada.request('GET', `/api/people/${person}`)).body.linked_user_id as number | null
  await eventually(linked(id), bob.row.id)
  await eventually(linked(before), null)
  await chooseAction(page, 'Robert', 'Remove the link')
  await personCard(page)
    .getByRole('heading', { name: `Shared by ${user}` })
    .waitFor({ state: 'detached' })
  await eventually(linked(id), null)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await eventually(linked(id), bob.row.id)
  await personCard(page).getByRole('link', { name: '+49 170 5550123' }).waitFor()
})

test('a link that meets another change of the person is made all the same', async () => {
  const [ada, bob] = [await sociable(client.h), await sociable(client.h)]
  await connect(ada, bob)
  const id = await newPerson(ada, 'Robert')
  await using opened = await at(ada, `/people/${id}`)
  const { page } = opened
  await chooseAction(page, 'Robert', 'Link to a connection…')
  let isFirst = true
  await page.route(`**/api/people/${id}/link`, async (route) => {
    if (isFirst) await ada.request('PUT', `/api/people/${id}`, { body: { notes: 'Bass' } })
    isFirst = false
    await route.continue()
  })
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await eventuallyMatches(async () => (await ada.request('GET', `/api/people/${id}`)).body, {
    linked_user_id: bob.row.id,
    notes: 'Bass',
  })
})

test('the history of a person says what changed, and brings a former version back', async () => {
  const ada = await client.h.signedIn()
  const id = await newPerson(ada, 'Zuse')
  await ada.request('PUT', `/api/people/${id}`, { body: { birthday: '--06-22', company: 'Zuse KG' } })
  await using opened = await at(ada, `/people/${id}`)
  const { page } = opened
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByText('Birthday: set to “22 June”').waitFor()
  await page.getByText('Company: set to “Zuse KG”').waitFor()
  await page.getByRole('button', { name: /^Bring back/ }).click()
  await eventuallyMatches(async () => (await ada.request('GET', `/api/people/${id}`)).body, {
    birthday: null,
    company: null,
  })
})
