import { afterAll, beforeAll, expect } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { test } from '../../support/browser'
import { organiser } from '../../support/events'
import { focused, save, startDate, startTime, title, told } from '../../support/event-editor'
import type { Actor } from '../../support/harness'
import { befriend } from '../../support/inviting'
import { type Sharer, sharer } from '../../support/sharing'
import { type Client, eventually, SCREENS, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
const TUESDAY = '2026-03-10'
const NEW = `/events/new?from=${TUESDAY}T11:00&title=Retro`

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const at = (from: string, to: string, day = TUESDAY) => ({
  start_at: `${day}T${from}+01:00`,
  end_at: `${day}T${to}+01:00`,
})

const panel = (page: Page) => page.getByRole('dialog', { name: 'Find a time' })
const times = (page: Page) => panel(page).getByRole('list', { name: 'Times' }).getByRole('listitem')
const find = (page: Page) => page.getByRole('button', { name: 'Find a time' }).click()
const onDay = (page: Page) => panel(page).getByRole('combobox', { name: 'Days' }).selectOption(TUESDAY)

async function opened(as: Actor, address = NEW, options: BrowserContextOptions = SCREENS.desktop) {
  const { page, context } = await client.open({ as, options })
  await page.goto(address)
  await title(page).waitFor()
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

async function berliner(): Promise<Sharer> {
  const actor = await sharer(client.h)
  await actor.request('PUT', '/api/settings', { body: { time_zone: 'Europe/Berlin', first_day_of_week: 1 } })
  return actor
}

/** Ada knows Bob, of whose calendar she sees when he is busy, and Cleo, who shares nothing. */
async function three() {
  const [ada, bob, cleo] = [await berliner(), await berliner(), await berliner()]
  await befriend(client.h, ada, [bob, cleo])
  const work = await bob.createCalendar('Work')
  await bob.share(work.id, ada)
  await ada.acceptAll()
  return { ada, bob, cleo, work }
}

async function inviteBy(page: Page, { row }: Sharer) {
  await page.getByRole('combobox', { name: 'Invite people' }).fill(row.networkName)
  await page.getByRole('option', { name: row.networkName }).click()
}

const starts = async (ada: Sharer) =>
  (await ada.list('2026-03-01', '2026-04-01')).map(({ title: said, start_at: start }) => `${start} ${said}`)

test('a time at which all guests are free is found and chosen, and saving the event moves it there', async () => {
  const { ada, bob, work } = await three()
  await ada.create({ ...at('09:00', '12:00'), title: 'Own' })
  await bob.create({ ...at('12:00', '16:00'), title: 'Secret', calendar_id: work.id })
  const { id } = await ada.create({ ...at('11:00', '12:00', '2026-03-11'), title: 'Retro' })
  await ada.invite(id, bob)
  await using open = await opened(ada, `/events/${id}`)
  const { page } = open
  await startDate(page).fill(TUESDAY)
  await startDate(page).blur()
  await find(page)
  await onDay(page)
  await eventually(
    async () => (await times(page).allTextContents())[0],
    'Tue 10 Mar 16:00–17:00 Everyone is free',
  )
  expect(await times(page).nth(1).textContent()).toBe(`Tue 10 Mar 12:00–13:00 Busy: ${bob.row.networkName}`)
  expect(await panel(page).textContent()).not.toContain('Secret')
  await times(page).first().getByRole('button').click()
  await panel(page).waitFor({ state: 'detached' })
  expect([
    await focused(page),
    await startDate(page).inputValue(),
    await startTime(page).inputValue(),
  ]).toEqual(['Start date', 'Tue 10 Mar 2026', '16:00'])
  await save(page)
  await told(page, 'Changed Retro')
  await eventually(async () => (await starts(ada)).at(-1), '2026-03-10T16:00:00+01:00 Retro')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await eventually(async () => (await starts(ada)).at(-1), '2026-03-11T11:00:00+01:00 Retro')
})

test('whoever shares no calendar is not known to be free, and a sentence says so', async () => {
  const { ada, cleo } = await three()
  await using open = await opened(ada)
  const { page } = open
  await inviteBy(page, cleo)
  await find(page)
  await eventually(
    async () => (await times(page).allTextContents())[0],
    `Mon 9 Mar 09:00–10:00 Not known: ${cleo.row.networkName}`,
  )
  await panel(page).getByText('Nothing is known of people who share no calendar').waitFor()
})

test('where no time is free for everyone, or none at all, the search says so', async () => {
  const { ada, bob, work } = await three()
  await bob.create({
    title: 'Away',
    all_day: true,
    start_date: TUESDAY,
    end_date: TUESDAY,
    calendar_id: work.id,
  })
  await using open = await opened(ada)
  const { page } = open
  await inviteBy(page, bob)
  await find(page)
  await onDay(page)
  await panel(page).getByText('No time is free for everyone: Tuesday 10 March.').waitFor()
  expect(await times(page).count()).toBe(20)
  await ada.create({ title: 'Away too', all_day: true, start_date: TUESDAY, end_date: TUESDAY })
  await page.keyboard.press('Escape')
  await find(page)
  await onDay(page)
  await panel(page).getByText('You have no time that is free and long enough: Tuesday 10 March.').waitFor()
  expect(await times(page).count()).toBe(0)
})

test('by the keyboard alone a time is found in the evening of the next week', async () => {
  const ada = await berliner()
  await using open = await opened(ada)
  const { page } = open
  await page.getByRole('button', { name: 'Find a time' }).focus()
  await page.keyboard.press('Enter')
  await panel(page).waitFor()
  expect(await focused(page)).toBe('Days')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.press('1')
  await page.keyboard.press('8')
  await eventually(async () => (await times(page).allTextContents())[0], 'Mon 16 Mar 18:00–19:00 ')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect([await focused(page), await startDate(page).inputValue()]).toEqual(['Start date', 'Mon 16 Mar 2026'])
})

test('a search that fails can be tried again, and says when there is no connection', async () => {
  const ada = await berliner()
  await using open = await opened(ada)
  const { page } = open
  await page.route('**/api/free-busy', (route) => route.fulfill({ status: 503, json: { detail: 'x' } }))
  await find(page)
  await panel(page).getByText('The service is busy or restarting.').waitFor()
  await page.unroute('**/api/free-busy')
  await panel(page).getByRole('button', { name: 'Try again' }).click()
  await times(page).first().waitFor()
  await page.context().setOffline(true)
  await panel(page).getByRole('combobox', { name: 'Days' }).selectOption('next-week')
  await panel(page).getByText('You are offline.').waitFor()
})

test('on a phone a time in another zone is chosen by the clocks of that zone', async () => {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const { id } = await ada.create({ ...at('11:00', '12:00'), title: 'Call', time_zone: 'Asia/Tokyo' })
  await using open = await opened(ada, `/events/${id}`, SCREENS.phone)
  const { page } = open
  await page.getByRole('button', { name: 'Find a time' }).tap()
  await times(page).first().getByRole('button', { name: 'Mon 9 Mar 09:00–10:00' }).tap()
  await eventually(async () => startTime(page).inputValue(), '17:00')
  expect(await startDate(page).inputValue()).toBe('Mon 9 Mar 2026')
})

test('an event without a length is asked for one, and an event of whole days has no search', async () => {
  const ada = await berliner()
  await using open = await opened(ada)
  const { page } = open
  await startDate(page).fill('someday')
  await find(page)
  await panel(page).getByText('Give the event a start and an end first').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'All day' }).check()
  expect(await page.getByRole('button', { name: 'Find a time' }).count()).toBe(0)
})
