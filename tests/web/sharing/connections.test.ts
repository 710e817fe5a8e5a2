import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { block, connectionsOf, requestsOf, send } from '../../support/connecting'
import { friends, person, type Person } from '../../support/inviting'
import { pressOn, typeInto } from '../../support/keyboard'
import {
  type Client,
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

async function at(as: Person, address: string, options: Parameters<Client['open']>[0] = {}) {
  const { page, context } = await client.open({ as, ...options })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor()
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

const line = (page: Page, list: string, text: string) =>
  page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: text })
const isOnBody = (page: Page) => page.evaluate(() => document.activeElement === document.body)

test('the page tells the own network name, how others find it, and copies it', async () => {
  const ada = await person(client.h)
  await using opened = await at(ada, '/connections', {
    options: { permissions: ['clipboard-read', 'clipboard-write'] },
  })
  const { page } = opened
  await page.getByText('You are not connected with anybody yet').waitFor()
  await page.getByRole('button', { name: 'Copy network name' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ada.row.networkName)
  await page.getByRole('switch', { name: 'Accept connection requests' }).click()
  await page.getByText('Nobody finds you').waitFor()
  await eventually(async () => (await ada.request('GET', '/api/settings')).body.accept_connections, false)
})

test('a request is sent and accepted by keyboard alone, and the focus stays on the page', async () => {
  const [ada, bob] = [await person(client.h), await person(client.h)]
  await using sender = await at(ada, '/connections')
  const name = sender.page.getByRole('textbox', { name: 'Network name', exact: true })
  await typeInto(sender.page, name, bob.row.networkName.toUpperCase())
  await sender.page.keyboard.press('Enter')
  const message = sender.page.getByRole('textbox', { name: 'Message' })
  await typeInto(sender.page, message, 'Hello')
  await pressOn(sender.page, sender.page.getByRole('button', { name: 'Send request' }))
  await line(sender.page, 'Requests that you sent', bob.row.networkName).waitFor()
  expect(await name.evaluate((field) => field === document.activeElement)).toBe(true)

  await using receiver = await at(bob, '/connections')
  const request = line(receiver.page, 'Requests to you', 'Hello')
  await pressOn(receiver.page, request.getByRole('button', { name: 'Accept' }))
  await line(receiver.page, 'Connections', ada.row.networkName).waitFor()
  expect(await isOnBody(receiver.page)).toBe(false)
  await eventually(async () => (await connectionsOf(ada)).map((each) => each.user_id), [bob.row.id])
})

test('somebody who is connected, has asked or is oneself is told so instead of being searched', async () => {
  const { ada, bob } = await friends(client.h)
  const [carol, dan] = [await person(client.h), await person(client.h)]
  await send(carol, ada)
  await send(ada, dan)
  await using opened = await at(ada, '/connections')
  const { page } = opened
  await line(page, 'Requests to you', carol.row.networkName).waitFor()
  const searches: string[] = []
  page.on('request', (request) => searches.push(request.url()))
  const says = async (name: string, text: string) => {
    await page.getByRole('textbox', { name: 'Network name', exact: true }).fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: text }).waitFor()
  }
  await says(ada.row.networkName, 'This is your own network name.')
  await says(bob.row.networkName, `You are connected with ${bob.row.networkName}.`)
  await says(carol.row.networkName, `${carol.row.networkName} has asked you already`)
  await says(dan.row.networkName, `You have asked ${dan.row.networkName} already.`)
  expect(searches.filter((url) => url.includes('search'))).toEqual([])
})

test('a request that the service refuses is explained in the form, and what was typed stays', async () => {
  const [ada, bob] = [await person(client.h), await person(client.h)]
  await using opened = await at(ada, '/connections')
  const { page } = opened
  const name = page.getByRole('textbox', { name: 'Network name', exact: true })
  await name.fill(bob.row.networkName)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Message' }).fill('Half a thought')
  const refuse = async (status: number, body: object, headers: Record<string, string> = {}) => {
    await page.unroute('**/api/connections/requests')
    await page.route('**/api/connections/requests', (route) => route.fulfill({ status, json: body, headers }))
    await page.getByRole('button', { name: 'Send request' }).click()
  }
  await refuse(409, { detail: 'This user cannot receive more requests' })
  await page.getByRole('alert').filter({ hasText: 'Too many requests wait for this person.' }).waitFor()
  await refuse(503, { detail: 'Service temporarily unavailable' })
  await page.getByRole('alert').filter({ hasText: 'The service is busy or restarting.' }).waitFor()
  await refuse(429, { detail: 'Too many connection requests' }, { 'retry-after': '86000' })
  await page.getByRole('alert').filter({ hasText: 'The next one is possible in 24 hours.' }).waitFor()
  await refuse(422, {
    detail: 'x',
    errors: [{ field: 'body.message', message: 'must be at most 500 characters' }],
  })
  await page.getByRole('alert').filter({ hasText: 'At most 500 characters.' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Half a thought')
  await page.unroute('**/api/connections/requests')
  await page.getByRole('button', { name: 'Send request' }).click()
  await eventuallyMatches(() => requestsOf(ada), [{ message: 'Half a thought', status: 'pending' }])
})

test('an answer shows at once although the service is slow, and is taken back and explained where it refuses', async () => {
  const [ada, bob] = [await person(client.h), await person(client.h)]
  await send(bob, ada)
  await using opened = await at(ada, '/connections')
  const { page } = opened
  const request = line(page, 'Requests to you', bob.row.networkName)
  const answer = await hold(page, '**/api/connections/requests/*/accept', (route) =>
    route.fulfill({ status: 409, json: { detail: 'This request is no longer pending' } }),
  )
  await request.getByRole('button', { name: 'Accept' }).click()
  await request.waitFor({ state: 'detached' })
  answer()
  await page.getByRole('alert').filter({ hasText: 'settled or taken back meanwhile' }).waitFor()
  await request.waitFor()
})

test('a switch shows at once what the other sees although the service is slow, and goes back where it refuses', async () => {
  const { ada, bob, connection } = await friends(client.h)
  await ada.request('PUT', '/api/settings', { body: { company: 'Analytical Engines' } })
  await using opened = await at(ada, `/connections/${connection.own}`)
  const { page } = opened
  const preview = page.getByRole('group', { name: `What ${bob.row.networkName} sees` })
  const company = page.getByRole('switch', { name: 'Company' })
  const answer = await hold(page, '**/api/connections/*/sharing')
  await company.click()
  await preview.getByText('Analytical Engines').waitFor()
  const seen = async () => (await connectionsOf(bob))[0]?.shared_profile
  expect(await seen()).toEqual({})
  answer()
  await eventually(seen, { company: 'Analytical Engines' })
  await page.unroute('**/api/connections/*/sharing')
  await page.route('**/api/connections/*/sharing', (route) =>
    route.fulfill({ status: 404, json: { detail: 'Connection not found' } }),
  )
  await company.click()
  await page.getByRole('alert').waitFor()
  expect(await company.isChecked()).toBe(true)
})

test('connections that cannot be read are not shown as none, and come when they are asked for again', async () => {
  const { ada, bob } = await friends(client.h)
  const { page, context } = await client.open({ as: ada })
  await page.route('**/api/changes?types=connection&*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/connections')
  const problem = page.getByRole('alert').filter({ hasText: 'Something went wrong.' })
  await problem.waitFor()
  expect(await page.getByText('You are not connected with anybody yet').count()).toBe(0)
  await tryAgain(page, '**/api/changes?types=connection&*')
  await line(page, 'Connections', bob.row.networkName).waitFor()
  await context.close()
})

test('of 5 000 connections only those in sight stand in the page, and the keys reach the last', async () => {
  const ada = await person(client.h)
  const { page, context } = await client.open({ as: ada })
  const changes = Array.from({ length: 5000 }, (_, index) => {
    const name = `friend${String(index).padStart(4, '0')}`
    return {
      type: 'connection', id: index + 1, op: 'put', parent_id: null, version: null,
      item: { id: index + 1, user_id: index + 100, network_name: name, preferred_name: null, person_id: null, shared_profile: {}, sharing: {}, created_at: '2026-03-01T00:00:00+00:00' },
    }
  }) // prettier-ignore
  await page.route('**/api/changes?types=connection&*', (route) =>
    route.fulfill({ status: 200, json: { changes, next: 'x', has_more: false } }),
  )
  await page.goto('/connections')
  const list = page.getByRole('list', { name: 'Connections' })
  await list.getByRole('link', { name: 'friend0000' }).focus()
  expect(await list.getByRole('listitem').count()).toBeLessThan(100)
  await page.keyboard.press('End')
  await list.getByRole('link', { name: 'friend4999' }).waitFor()
  expect(await isOnBody(page)).toBe(false)
  await context.close()
})

test('a person is disconnected on the phone after the dialog said what ends with it', async () => {
  const { ada, bob, connection } = await friends(client.h)
  const calendar = await ada.request('POST', '/api/calendars', { body: { name: 'Choir' } })
  await ada.request('POST', `/api/calendars/${calendar.body.id}/members`, {
    body: { user_id: bob.row.id, permission: 'read' },
  })
  await using opened = await at(ada, `/connections/${connection.own}`, { options: SCREENS.phone })
  const { page } = opened
  await page
    .getByRole('list', { name: `Yours that ${bob.row.networkName} has` })
    .getByText('Choir')
    .waitFor()
  await page.getByRole('button', { name: 'Disconnect' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Disconnect' })
  await dialog.getByText(`a calendar of yours for ${bob.row.networkName}: Choir`).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).tap()
  expect(await connectionsOf(ada)).toHaveLength(1)
  await page.getByRole('button', { name: 'Disconnect' }).tap()
  await dialog.getByRole('button', { name: 'Disconnect' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor()
  await eventually(() => connectionsOf(bob), [])
})

test('whoever is blocked is listed by name, let go, and blocked again by "Undo"', async () => {
  const [ada, bob] = [await person(client.h), await person(client.h)]
  await block(ada, bob)
  const blocked = async () =>
    (await ada.request('GET', '/api/connections/blocks')).body.blocks.map(
      (each: { network_name: string }) => each.network_name,
    )
  await using opened = await at(ada, '/connections')
  const { page } = opened
  await line(page, 'Blocked', bob.row.networkName).getByRole('button', { name: 'Unblock' }).click()
  await page.getByText('You have blocked nobody.').waitFor()
  expect(await isOnBody(page)).toBe(false)
  expect(await blocked()).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await line(page, 'Blocked', bob.row.networkName).waitFor()
  expect(await blocked()).toEqual([bob.row.networkName])

  await page.getByRole('textbox', { name: 'Network name to block' }).fill('nobody.at.all')
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Block' })
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'Nobody has this name' }).waitFor()
})

test('the page of a person who has disconnected meanwhile says that this is gone', async () => {
  const { ada, bob, connection } = await friends(client.h)
  await using opened = await at(ada, `/connections/${connection.own}`)
  const { page } = opened
  await page.getByRole('heading', { level: 1, name: bob.row.networkName }).waitFor()
  await bob.disconnect(connection.theirs)
  await page.getByRole('heading', { level: 1, name: 'This is gone' }).waitFor()
  await page.getByRole('link', { name: 'Back to Connections' }).click()
  await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor()
})
