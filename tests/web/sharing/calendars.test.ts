import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { befriend } from '../../support/inviting'
import { pressOn, tabTo, typeInto } from '../../support/keyboard'
import { sharedWith, sharer, type Sharer } from '../../support/sharing'
import {
  type Client,
  drawn,
  eventually,
  eventuallyMatches,
  hold,
  SCREENS,
  startClient,
  tryAgain,
} from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function at(as: Sharer, address: string, options: Parameters<Client['open']>[0] = {}) {
  const { page, context } = await client.open({ as, ...options })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

async function neighbours() {
  const [ada, bob] = [await sharer(client.h), await sharer(client.h)]
  await befriend(client.h, ada, [bob])
  const choir = await ada.createCalendar('Choir')
  return { ada, bob, choir, name: bob.row.networkName, address: `/settings/calendars/${choir.id}` }
}

const line = (page: Page, list: string, text: string) =>
  page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: text })

test('a calendar is offered by keyboard alone, and whom nobody knows is explained at the field', async () => {
  const { ada, bob, choir, name, address } = await neighbours()
  await using opened = await at(ada, address)
  const { page } = opened
  const who = page.getByRole('combobox', { name: 'Share with' })
  await typeInto(page, who, 'nobody')
  await page.keyboard.press('Enter')
  await page.getByText('None of your connections is called nobody.').waitFor()
  expect(await who.evaluate((field) => field === document.activeElement)).toBe(true)
  await who.fill('')
  await page.keyboard.type(name)
  await tabTo(page, page.getByRole('combobox', { name: 'What they may do' }))
  await page.keyboard.press('ArrowDown')
  await pressOn(page, page.getByRole('button', { name: 'Share', exact: true }))
  await line(page, 'Shared with', 'has not accepted yet').waitFor()
  await eventuallyMatches(
    async () => (await ada.members(choir.id)).body.members,
    [{ user_id: bob.row.id, permission: 'write', status: 'pending' }],
  )
  await who.fill(name)
  await page.keyboard.press('Enter')
  await page.getByText(`The calendar is shared with ${name} already.`).waitFor()
})

test('nobody is called unknown before the connections are there', async () => {
  const { ada, name, address } = await neighbours()
  const { page, context } = await client.open({ as: ada })
  const release = await hold(page, '**/api/changes?*types=connection&*')
  await page.goto(address)
  await page.getByText('So far only you see this calendar.').waitFor()
  await drawn(page)
  expect(await page.getByRole('combobox', { name: 'Share with' }).count()).toBe(0)
  release()
  await page.getByRole('combobox', { name: 'Share with' }).fill(name)
  await page.keyboard.press('Enter')
  await line(page, 'Shared with', name).waitFor()
  await context.close()
})

test('what could not be read of the connections says so, and can be asked for again', async () => {
  const { ada, address } = await neighbours()
  const { page, context } = await client.open({ as: ada })
  const connections = '**/api/changes?*types=connection&*'
  await page.route(connections, (route) =>
    route.fulfill({ status: 503, json: { detail: 'Service unavailable' } }),
  )
  await page.goto(address)
  await tryAgain(page, connections)
  await page.getByRole('combobox', { name: 'Share with' }).waitFor()
  await context.close()
})

test('an offer that the service refuses is explained, and may be tried again', async () => {
  const { ada, choir, name, address } = await neighbours()
  await using opened = await at(ada, address)
  const { page } = opened
  const refuse = (status: number, detail: string, headers: Record<string, string> = {}) =>
    page.route('**/api/calendars/*/members', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status, json: { detail }, headers })
        : route.continue(),
    )
  await page.getByRole('combobox', { name: 'Share with' }).fill(name)
  await refuse(429, 'Too many invitations', { 'retry-after': '7200' })
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'The next one is possible in 2 hours.' }).waitFor()
  await page.unroute('**/api/calendars/*/members')
  await refuse(409, 'This calendar is full')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'This calendar is full.' }).waitFor()
  await page.unroute('**/api/calendars/*/members')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await line(page, 'Shared with', name).waitFor()
  expect((await ada.members(choir.id)).body.members).toHaveLength(1)
})

test('what a member may do changes at once although the service is slow, and goes back where it refuses', async () => {
  const { ada, bob, calendar } = await sharedWith(client.h, 'read')
  const name = bob.row.networkName
  await using opened = await at(ada, `/settings/calendars/${calendar.id}`)
  const { page } = opened
  const right = page.getByRole('radiogroup', { name: `What ${name} may do` })
  const release = await hold(page, '**/api/calendars/*/members/*')
  const permission = async () => (await ada.members(calendar.id)).body.members[0].permission
  await right.getByRole('radio', { name: 'Change' }).check()
  expect(await right.getByRole('radio', { name: 'Change' }).isChecked()).toBe(true)
  expect(await permission()).toBe('read')
  release()
  await eventually(permission, 'write')
  await page.unroute('**/api/calendars/*/members/*')
  await page.route('**/api/calendars/*/members/*', (route) =>
    route.fulfill({ status: 404, json: { detail: 'Member not found' } }),
  )
  await right.getByRole('radio', { name: 'Read' }).click()
  await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor()
  expect(await right.getByRole('radio', { name: 'Change' }).isChecked()).toBe(true)
})

test('members that cannot be read are not shown as nobody', async () => {
  const { ada, bob, calendar } = await sharedWith(client.h, 'read')
  const { page, context } = await client.open({ as: ada })
  await page.route('**/api/calendars/*/members?*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(`/settings/calendars/${calendar.id}`)
  await page.getByRole('alert').filter({ hasText: 'Something went wrong.' }).waitFor()
  expect(await page.getByText('So far only you see this calendar.').count()).toBe(0)
  await page.unroute('**/api/calendars/*/members?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await line(page, 'Shared with', bob.row.networkName).waitFor()
  await context.close()
})

test('sharing with a member ends on the phone after a question, and the focus stays on the page', async () => {
  const { ada, bob, calendar } = await sharedWith(client.h, 'write')
  const name = bob.row.networkName
  await using opened = await at(ada, `/settings/calendars/${calendar.id}`, { options: SCREENS.phone })
  const { page } = opened
  await page.getByRole('button', { name: `Stop sharing with ${name}` }).tap()
  const dialog = page.getByRole('dialog', { name: 'Stop sharing' })
  await dialog.getByText(`${name} no longer sees this calendar`).waitFor()
  await dialog.getByRole('button', { name: 'Stop sharing', exact: true }).tap()
  await page.getByText('So far only you see this calendar.').waitFor()
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
  await eventually(async () => (await ada.members(calendar.id)).body.members, [])
})

test('a member sees whose calendar it is and what they may do, has a colour of their own, and leaves', async () => {
  const { ada, bob, calendar } = await sharedWith(client.h, 'read')
  await using opened = await at(bob, '/settings/calendars')
  const { page } = opened
  await page.getByText(`From ${ada.row.networkName}, to read`).waitFor()
  await page.getByRole('link', { name: 'Choir' }).click()
  await page.getByText('You may read it').waitFor()
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).count()).toBe(0)
  expect(await page.getByRole('heading', { name: 'Secret address' }).count()).toBe(0)
  const colour = page.getByLabel('Colour')
  await colour.fill('#aa2211')
  await colour.blur()
  const colourOf = async (who: Sharer) =>
    (await who.request('GET', `/api/calendars/${calendar.id}`)).body.color
  await eventually(() => colourOf(bob), '#aa2211')
  expect(await colourOf(ada)).not.toBe('#aa2211')
  await page.getByRole('button', { name: 'Leave this calendar' }).click()
  await page
    .getByRole('dialog', { name: 'Leave this calendar' })
    .getByRole('button', { name: 'Leave this calendar' })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Calendars' }).waitFor()
  await page.getByRole('link', { name: 'Choir' }).waitFor({ state: 'detached' })
  await eventually(async () => (await ada.members(calendar.id)).body.members, [])
})

test('a calendar that is offered is rejected on the page of calendars, and nobody is told', async () => {
  const { ada, bob, choir } = await neighbours()
  await ada.share(choir.id, bob, 'write')
  await using opened = await at(bob, '/settings/calendars')
  const { page } = opened
  const offer = line(page, 'Calendars that are offered to you', 'Choir')
  await offer.getByText(`From ${ada.row.networkName}, to read and change`).waitFor()
  await offer.getByRole('button', { name: 'Reject' }).click()
  await offer.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
  await eventually(async () => (await ada.members(choir.id)).body.members, [])
  expect(await ada.told()).toEqual([])
})
