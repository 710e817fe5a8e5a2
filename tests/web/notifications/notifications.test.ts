import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import type { Actor } from '../../support/harness'
import { friends } from '../../support/inviting'
import { type Client, eventually, SCREENS, startClient, tryAgain } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function shown(as: Actor, address = '/notifications', options = {}) {
  const { page, context } = await client.open({ as, options })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

const list = (page: Page) => page.getByRole('list', { name: 'Notifications' })
const line = (page: Page, text: string) => list(page).getByRole('listitem').filter({ hasText: text })
const unread = async (actor: Actor) => (await actor.request('GET', '/api/notifications')).body.unread_count

/** Bob is invited to a concert of Ada's and offered her calendar. */
async function told() {
  const { ada, bob } = await friends(client.h)
  await bob.request('PUT', '/api/notifications/read-all')
  const concert = await ada.create({
    title: 'Concert',
    start_at: '2026-03-13T20:00',
    end_at: '2026-03-13T22:00',
  })
  await ada.invite(concert.id, bob)
  const { body } = await ada.request('POST', '/api/calendars', { body: { name: 'Band', color: '#336699' } })
  const shared = await ada.request('POST', `/api/calendars/${body.id}/members`, {
    body: { user_id: bob.row.id, permission: 'read' },
  })
  expect(shared.status).toBe(201)
  return { ada, bob, concert, calendar: body.id as number }
}

test('an invitation is answered in its notification, which is read by that and leads to the event', async () => {
  const { bob, concert } = await told()
  await using at = await shown(bob)
  const { page } = at
  expect(await axeProblems(page)).toEqual([])
  const invitation = line(page, 'invited you to “Concert”.')
  await invitation.getByRole('button', { name: 'Going' }).click()
  const answer = async () =>
    (await bob.request('GET', `/api/events/${concert.id}`)).body.my_invitation?.response as string
  await eventually(answer, 'Going')
  await eventually(() => unread(bob), 1)
  await invitation.getByRole('link').click()
  await page.waitForURL(`**/events/${concert.id}`)
})

test('an offered calendar is accepted in its notification, and the focus stays in its line', async () => {
  const { bob, calendar } = await told()
  await using at = await shown(bob)
  const { page } = at
  const offer = line(page, 'would like to share “Band” with you.')
  await offer.getByRole('button', { name: 'Accept' }).focus()
  await page.keyboard.press('Enter')
  await offer.getByRole('button', { name: 'Accept' }).waitFor({ state: 'detached' })
  const has = async () =>
    (await bob.request('GET', '/api/calendars')).body.calendars.some(
      ({ id }: { id: number }) => id === calendar,
    )
  await eventually(has, true)
  expect(await offer.evaluate((own) => own.contains(document.activeElement))).toBe(true)
})

test('the navigation counts what is unread, until all of it is marked as read', async () => {
  const { bob } = await told()
  await using at = await shown(bob, '/today')
  const { page } = at
  const link = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Notifications', exact: true })
  await link.getByText('2', { exact: true }).waitFor()
  await link.click()
  await page.getByText(/notifications, 2 unread/).waitFor()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await eventually(() => unread(bob), 0)
  await eventually(() => link.textContent(), 'Notifications')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})

test('on a phone the count stands at More and at its item', async () => {
  const { bob } = await told()
  await using at = await shown(bob, '/today', SCREENS.phone)
  const { page } = at
  await page.getByRole('button', { name: 'More' }).tap()
  await page.getByRole('menuitem', { name: 'Notifications (2)' }).tap()
  await page.waitForURL('**/notifications')
})

test('deleting a notification asks first, and the next line has the focus', async () => {
  const { bob } = await told()
  await using at = await shown(bob)
  const { page } = at
  await line(page, 'Concert')
    .getByRole('button', { name: /^More actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: 'Delete notification' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await line(page, 'Concert').waitFor({ state: 'detached' })
  await eventually(
    async () => JSON.stringify((await bob.request('GET', '/api/notifications')).body).includes('Concert'),
    false,
  )
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
})

test('notifications that could not be read never look like none, and none say so', async () => {
  const carl = await client.h.signedIn()
  const { page, context } = await client.open({ as: carl })
  await page.route('**/api/changes?*types=notification*', (route) =>
    route.fulfill({ status: 500, json: { detail: 'x' } }),
  )
  await page.goto('/notifications')
  await page.getByText('The notifications could not be read.').waitFor()
  expect(await page.getByText('No notifications').count()).toBe(0)
  await tryAgain(page, '**/api/changes?*types=notification*')
  await page.getByText('No notifications').waitFor()
  await context.close()
})
