import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import { friends, invitedTo, type Person } from '../../support/inviting'
import { lent, sharedWith } from '../../support/sharing'
import { type Client, eventually, eventuallyMatches, SCREENS, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const LUNCH = { title: 'Lunch', start_at: '2026-03-10T12:00:00', end_at: '2026-03-10T13:00:00' }

async function at(as: Person, address: string) {
  const { page, context } = await client.open({ as })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor()
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

test('on a phone a tap on an invitation leads to its answers at once', async () => {
  const { ada, bob } = await friends(client.h)
  const { id } = await ada.create({
    title: 'Concert',
    start_at: '2026-03-06T20:00',
    end_at: '2026-03-06T22:00',
  })
  await ada.invite(id, bob)
  const { page, context } = await client.open({ as: bob, options: SCREENS.phone })
  await page.goto('/calendar/agenda/2026-03-06')
  await page.getByRole('button', { name: /^Concert/ }).tap()
  await page.getByRole('button', { name: 'Going' }).tap()
  await eventually(
    async () => (await bob.request('GET', `/api/events/${id}`)).body.my_invitation?.response as string,
    'Going',
  )
  await context.close()
})

test('a guest leaves an event after a question, and the organiser sees no invitation any more', async () => {
  const { ada, bob, event } = await invitedTo(client.h, LUNCH)
  await using opened = await at(bob, `/events/${event.id}`)
  const { page } = opened
  await page.getByRole('button', { name: 'Leave this event' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave this event' })
  await dialog.getByText('answer “Declined” instead').waitFor()
  await dialog.getByRole('button', { name: 'Leave this event' }).click()
  await page.getByText('Left Lunch').waitFor()
  await eventually(async () => (await ada.invitationsTo(event.id)).body.invitations, [])
  expect(await bob.heard()).toEqual([])
})

test('an event that a guest has open follows what the organiser changes, and says so when it is taken away', async () => {
  const { ada, bob, event, invitation } = await invitedTo(client.h, LUNCH)
  await using opened = await at(bob, `/events/${event.id}`)
  const { page } = opened
  await ada.request('PUT', `/api/events/${event.id}`, { body: { title: 'Long lunch', location: 'Garden' } })
  await page.getByRole('heading', { level: 1, name: 'Long lunch' }).waitFor()
  await page.getByText('Garden').waitFor()
  await ada.uninvite(event.id, invitation.id)
  await page.getByRole('heading', { level: 1, name: 'This event is gone' }).waitFor()
})

test('an answer of one occurrence shows to the organiser at that occurrence alone', async () => {
  const { ada, bob, event, invitation } = await invitedTo(client.h, {
    ...LUNCH,
    recurrence_rule: 'FREQ=DAILY;COUNT=3',
  })
  await bob.respond(invitation.id, 'Going')
  await bob.respond(invitation.id, 'Declined', '2026-03-11T12:00:00+01:00')
  const name = bob.row.networkName
  for (const [day, answer] of [
    ['10', 'Going'],
    ['11', 'Declined'],
  ] as const) {
    const occurrence = encodeURIComponent(`2026-03-${day}T12:00:00+01:00`)
    await using opened = await at(ada, `/events/${event.id}?occurrence=${occurrence}`)
    await opened.page
      .getByRole('list', { name: 'Invited people' })
      .getByRole('listitem')
      .filter({ hasText: name })
      .filter({ hasText: answer })
      .waitFor()
  }
})

test('whoever may change a calendar and is invited to its event answers in the editor', async () => {
  const { ada, bob } = await sharedWith(client.h, 'read')
  const calendar = await lent(ada, bob, 'Rowing')
  const event = await ada.create({ ...LUNCH, calendar_id: calendar.id })
  await ada.invite(event.id, bob)
  await using opened = await at(bob, `/events/${event.id}`)
  const { page } = opened
  await page.getByRole('heading', { level: 1, name: 'Edit event' }).waitFor()
  await page.getByRole('button', { name: 'Going' }).click()
  await eventuallyMatches(
    async () => (await ada.invitationsTo(event.id)).body.invitations,
    [{ response: 'Going' }],
  )
})

test('invitations that cannot be read are not shown as nobody', async () => {
  const { ada, bob, event } = await invitedTo(client.h, LUNCH)
  const { page, context } = await client.open({ as: ada })
  await page.route('**/api/events/*/invitations?*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(`/events/${event.id}`)
  await page.getByRole('alert').filter({ hasText: 'Something went wrong.' }).waitFor()
  await page.unroute('**/api/events/*/invitations?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('list', { name: 'Invited people' }).getByText(bob.row.networkName).waitFor()
  await context.close()
})
