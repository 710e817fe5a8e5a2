import { afterAll, beforeAll, expect } from 'bun:test'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { title, startDate, startTime, save, told } from '../../support/event-editor'
import { organiser, type Organiser } from '../../support/events'
import { friends } from '../../support/inviting'
import {
  type Client,
  drawn,
  eventually,
  eventuallyMatches,
  hold,
  startClient,
  waitForAnswers,
} from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const newcomer = () => organiser(client.h, 'Europe/Berlin')
const march = (ada: Organiser) => ada.list('2026-03-01', '2026-04-01')

async function at(as: Organiser, address: string, options: Parameters<Client['open']>[0] = {}) {
  const { page, context } = await client.open({ as, ...options })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, context }
}

test('a deletion can be undone; where guests would be told, it is confirmed first', async () => {
  const { ada, bob } = await friends(client.h)
  const alone = await ada.create({
    title: 'Alone',
    start_at: '2026-03-10T12:00:00',
    end_at: '2026-03-10T13:00:00',
  })
  const { page, context } = await at(ada, `/events/${alone.id}`)
  await waitForAnswers(page)
  await page.getByRole('button', { name: 'Delete' }).click()
  await told(page, 'Deleted Alone')
  await eventually(async () => (await ada.read(alone.id)).status, 404)
  await page.getByRole('button', { name: 'Undo' }).click()
  await told(page, 'Undone')
  await eventually(async () => (await ada.read(alone.id)).status, 200)

  await ada.invite(alone.id, bob)
  await page.goto(`/events/${alone.id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete event' })
  await dialog.getByText('One person is invited').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await told(page, 'Deleted Alone')
  await context.close()
})

test('people are invited with the event, and answer it without being able to change it', async () => {
  const { ada, bob } = await friends(client.h)
  const { page, context } = await at(ada, '/events/new?from=2026-03-10T12:00&title=Lunch')
  const name = bob.row.networkName
  await page.getByRole('combobox', { name: 'Invite people' }).fill(name)
  await page.getByRole('option', { name: new RegExp(name) }).click()
  await page.getByRole('button', { name: `Do not invite ${name}` }).waitFor()
  await save(page)
  await told(page, 'Added Lunch')
  await eventually(async () => (await bob.invitations()).body.invitations.length, 1)
  await context.close()
  const [invitation] = (await bob.invitations()).body.invitations
  expect(invitation).toMatchObject({ event_title: 'Lunch', response: null })

  const guest = await at(bob, `/events/${invitation.event_id}`)
  await guest.page.getByRole('heading', { level: 1, name: 'Lunch' }).waitFor()
  expect(await title(guest.page).count()).toBe(0)
  expect(await axeProblems(guest.page)).toEqual([])
  await guest.page.getByRole('button', { name: 'Tentative' }).click()
  await told(guest.page, 'Answered: Tentative')
  await guest.page.getByRole('combobox', { name: 'Show in calendar' }).selectOption({ label: 'Personal' })
  await told(guest.page, 'Shows in Personal')
  await eventuallyMatches(
    async () => (await bob.invitations()).body.invitations,
    [{ response: 'Tentative', display_calendar_id: expect.any(Number) }],
  )
  await guest.context.close()
})

test('connections that arrive after a name was typed are offered then', async () => {
  const { ada, bob } = await friends(client.h)
  const { page, context } = await client.open({ as: ada })
  const typed = Promise.withResolvers<void>()
  await page.route(/changes\?.*connection/, async (route) => {
    await typed.promise
    await route.continue()
  })
  await page.goto('/events/new?from=2026-03-10T12:00&title=Lunch')
  const name = bob.row.networkName
  await page.getByRole('combobox', { name: 'Invite people' }).fill(name)
  expect(await page.getByRole('listbox', { name: 'Invite people' }).count()).toBe(0)
  typed.resolve()
  await page.getByRole('option', { name: new RegExp(name) }).click()
  await page.getByRole('button', { name: `Do not invite ${name}` }).waitFor()
  await context.close()
})

test('a name that was typed and left before the connections arrived is invited, and is not called unknown', async () => {
  const { ada, bob } = await friends(client.h)
  const { page, context } = await client.open({ as: ada })
  const release = await hold(page, '**/api/changes?*types=connection&*')
  await page.goto('/events/new?from=2026-03-10T12:00&title=Lunch')
  const name = bob.row.networkName
  const field = page.getByRole('combobox', { name: 'Invite people' })
  await field.fill(name)
  await field.press('Tab')
  await drawn(page)
  expect(await field.getAttribute('aria-invalid')).not.toBe('true')
  release()
  await page.getByRole('button', { name: `Do not invite ${name}` }).waitFor()
  expect(await field.inputValue()).toBe('')
  await context.close()
})

test('a template keeps everything but the times, and fills a new event', async () => {
  const ada = await newcomer()
  const { page, context } = await at(ada, '/events/new?from=2026-03-10T09:00&title=Retro')
  await page.getByRole('textbox', { name: 'Location' }).fill('Room 3')
  await page.getByRole('button', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as template' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Team retro')
  await page.keyboard.press('Enter')
  await told(page, 'Saved the template Team retro')
  await page.goto('/events/new?from=2026-03-17T15:00')
  await page.getByRole('button', { name: 'Use template' }).click()
  await page.getByRole('menuitem', { name: 'Team retro' }).click()
  expect(await title(page).inputValue()).toBe('Retro')
  expect(await startTime(page).inputValue()).toBe('15:00')
  await save(page)
  await told(page, 'Added Retro')
  await eventuallyMatches(
    () => march(ada),
    [{ title: 'Retro', location: 'Room 3', start_at: '2026-03-17T15:00:00+01:00' }],
  )
  await context.close()
})

test('a template is changed, replaced and deleted, and each is undone', async () => {
  const ada = await newcomer()
  const { page, context } = await at(ada, '/events/new?from=2026-03-10T09:00&title=Retro')
  const saveAs = async (name: string) => {
    await page.getByRole('button', { name: 'Save as template' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as template' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }
  const templates = async () => (await ada.request('GET', '/api/event-templates')).body.event_templates
  await saveAs('Team retro')
  await eventuallyMatches(templates, [{ name: 'Team retro', title: 'Retro' }])
  await title(page).fill('Long retro')
  await saveAs('Team retro')
  await eventuallyMatches(templates, [{ name: 'Team retro', title: 'Long retro' }])
  expect(await templates()).toHaveLength(1)

  await page.goto('/settings/calendars')
  const line = page.getByRole('list', { name: 'Templates' }).getByRole('listitem')
  await line.getByRole('button', { name: 'More actions for Team retro' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit template' })
  expect(await axeProblems(page)).toEqual([])
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Retrospective')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await line.getByText('Retrospective').waitFor()
  await eventuallyMatches(templates, [{ name: 'Retrospective', title: 'Long retro' }])

  await line.getByRole('button', { name: 'More actions for Retrospective' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await line.waitFor({ state: 'detached' })
  await eventually(templates, [])
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages
    .getByText('Deleted the template Retrospective')
    .locator('..')
    .getByRole('button', { name: 'Undo' })
    .click()
  await line.getByText('Retrospective').waitFor()
  await eventuallyMatches(templates, [{ name: 'Retrospective' }])
  await context.close()
})

test('an invitation is taken back only after a word about what cannot be undone', async () => {
  const { ada, bob } = await friends(client.h)
  const event = await ada.create({
    title: 'Lunch',
    start_at: '2026-03-10T12:00:00',
    end_at: '2026-03-10T13:00:00',
  })
  await ada.invite(event.id, bob)
  const { page, context } = await at(ada, `/events/${event.id}`)
  const name = bob.row.networkName
  await page.getByRole('button', { name: `Take back the invitation of ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Take back the invitation' })
  await dialog.getByText('That cannot be undone').waitFor()
  expect((await bob.invitations()).body.invitations).toHaveLength(1)
  await dialog.getByRole('button', { name: 'Take back the invitation' }).click()
  await told(page, `Took back the invitation of ${name}`)
  await page.getByRole('list', { name: 'Invited people' }).waitFor({ state: 'detached' })
  await eventually(async () => (await bob.invitations()).body.invitations, [])
  await context.close()
})

test('a duplicate is a new event with the same fields', async () => {
  const ada = await newcomer()
  const event = await ada.create({
    title: 'Lunch',
    start_at: '2026-03-10T12:00:00',
    end_at: '2026-03-10T13:00:00',
  })
  const { page, context } = await at(ada, `/events/${event.id}`)
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await page.getByRole('heading', { level: 1, name: 'New event' }).waitFor()
  await startDate(page).fill('2026-03-11')
  await save(page)
  await told(page, 'Added Lunch')
  await eventually(
    async () => (await march(ada)).map((each) => each.start_at),
    ['2026-03-10T12:00:00+01:00', '2026-03-11T12:00:00+01:00'],
  )
  await context.close()
})

test('an event that is gone, or never was one’s own, has a page that says so', async () => {
  const [ada, eve] = [await newcomer(), await newcomer()]
  const event = await ada.create({
    title: 'Secret',
    start_at: '2026-03-10T12:00:00',
    end_at: '2026-03-10T13:00:00',
  })
  for (const address of [
    `/events/${event.id}`,
    '/events/999999',
    '/events/nothing',
    `/events/${event.id}?occurrence=2026-03-11`,
  ]) {
    const { page, context } = await at(eve, address)
    await page.getByRole('heading', { level: 1, name: 'This event is gone' }).waitFor()
    await page.getByRole('link', { name: 'Back to calendar' }).waitFor()
    await context.close()
  }
})
