import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import type { Actor } from '../../support/harness'
import { pressOn, tabTo, typeInto } from '../../support/keyboard'
import { fakeOpenMeteo } from '../../support/open-meteo'
import { type Client, eventually, eventuallyMatches, hold, SCREENS, startClient } from '../../support/web'

let client: Client
const weather = fakeOpenMeteo()
beforeAll(async () => {
  client = await startClient({ env: weather.env })
}, 60_000)
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await weather[Symbol.asyncDispose]()
})

const settingsOf = async (actor: Actor) => (await actor.request('GET', '/api/settings')).body

async function openSettings(path: string, heading: string, options: Parameters<Client['open']>[0] = {}) {
  const ada = await client.h.signedIn()
  const { page, context } = await client.open({ as: ada, ...options })
  await page.goto(`/settings/${path}`)
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  return { ada, page, context, [Symbol.asyncDispose]: () => context.close() }
}

test('the settings list all their pages, each of which has its own heading', async () => {
  await using opened = await openSettings('', 'Settings', { options: SCREENS.phone })
  const { page } = opened
  for (const name of [
    'Profile',
    'Time and calendar',
    'Calendars',
    'Sharing',
    'Push messages',
    'Appearance',
    'Data',
    'Account',
  ]) {
    await page.getByRole('main').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  }
})

test('a group of the profile is saved by keyboard alone, leaves the others, and is taken back by "Undo"', async () => {
  await using opened = await openSettings('profile', 'Profile')
  const { ada, page } = opened
  const group = page.getByRole('region', { name: 'Name' })
  await typeInto(page, page.getByRole('textbox', { name: 'Preferred name' }), 'Ada')
  await typeInto(page, page.getByRole('textbox', { name: 'Phone' }), '030 1')
  await pressOn(page, group.getByRole('button', { name: 'Save' }))
  await page.getByText('Saved your profile').waitFor()
  expect(await settingsOf(ada)).toMatchObject({ preferred_name: 'Ada', phone: null })
  expect(await page.getByRole('textbox', { name: 'Phone' }).inputValue()).toBe('030 1')
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventuallyMatches(() => settingsOf(ada), { preferred_name: null })
  await eventually(() => page.getByRole('textbox', { name: 'Preferred name' }).inputValue(), '')
  expect(await page.getByRole('textbox', { name: 'Phone' }).inputValue()).toBe('030 1')
})

test('what is wrong in the profile stands at its field, which has the focus', async () => {
  const bob = await client.h.signedIn()
  await using opened = await openSettings('profile', 'Profile')
  const { ada, page } = opened
  const name = page.getByRole('textbox', { name: 'Network name' })
  const isFocused = () => name.evaluate((input) => input === document.activeElement)
  await name.fill(bob.row.networkName)
  await name.press('Enter')
  await page.getByText('Somebody has this network name. Choose another one.').waitFor()
  expect([await isFocused(), await name.getAttribute('aria-invalid')]).toEqual([true, 'true'])
  await name.fill('-no-')
  await name.press('Enter')
  await page.getByText('Only letters, digits, dots, underscores and hyphens').waitFor()
  const email = page.getByRole('textbox', { name: 'Email' })
  await name.fill('Ada.Lovelace')
  await email.fill('nobody')
  await email.press('Enter')
  await page.getByText('This is not an e-mail address.').waitFor()
  await email.fill('ada@example.org')
  await email.press('Enter')
  await page.getByText('Saved your profile').waitFor()
  expect(await settingsOf(ada)).toMatchObject({ network_name: 'ada.lovelace', email: 'ada@example.org' })
  await eventually(() => name.inputValue(), 'ada.lovelace')
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
})

test('a form that cannot be sent keeps what was typed and says why', async () => {
  await using opened = await openSettings('profile', 'Profile')
  const { page } = opened
  const company = page.getByRole('textbox', { name: 'Company' })
  await company.fill('Engines')
  await page.context().setOffline(true)
  await company.press('Enter')
  await page.getByRole('alert').getByText('The service could not be reached').waitFor()
  expect(await company.inputValue()).toBe('Engines')
})

test('a switch of sharing holds at once while the service is slow, and says who sees what', async () => {
  await using opened = await openSettings('sharing', 'Sharing')
  const { ada, page } = opened
  await ada.request('PUT', '/api/settings', { body: { mobile: '0170 1' } })
  const mobile = page.getByRole('switch', { name: 'Mobile' })
  await page.getByText('Nobody but you sees: 0170 1').waitFor()
  const release = await hold(page, '**/api/settings')
  await mobile.press('Space')
  await page.getByText('Your connections see: 0170 1').waitFor()
  expect(await settingsOf(ada)).toMatchObject({ share_mobile: false })
  release()
  await eventuallyMatches(() => settingsOf(ada), { share_mobile: true })
  await page.keyboard.press('Space')
  await eventuallyMatches(() => settingsOf(ada), { share_mobile: false })
})

test('a setting that changes elsewhere after it was read, and before the changes are followed, shows', async () => {
  const ada = await client.h.signedIn()
  const { page, context } = await client.open({ as: ada })
  const release = await hold(page, '**/api/changes?since=now*')
  await page.goto('/settings/sharing')
  await page.getByRole('switch', { name: 'Mobile' }).waitFor()
  await ada.request('PUT', '/api/settings', { body: { mobile: '0170 1' } })
  release()
  await page.getByText('Nobody but you sees: 0170 1').waitFor()
  await context.close()
})

test('a setting that was chosen is taken back by Ctrl-Z', async () => {
  await using opened = await openSettings('push', 'Push messages')
  const { ada, page } = opened
  const todos = page.getByRole('switch', { name: 'Todos that are due' })
  await pressOn(page, todos, 'Space')
  await eventuallyMatches(() => settingsOf(ada), { ntfy_todos: false })
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: Todos that are due').waitFor()
  expect(await settingsOf(ada)).toMatchObject({ ntfy_todos: true })
  await eventually(() => todos.isChecked(), true)
})

test('a switch that the service refuses goes back, and a message says so', async () => {
  await using opened = await openSettings('sharing', 'Sharing')
  const { page } = opened
  await page.route('**/api/settings', (route) => route.fulfill({ status: 422, json: { detail: 'x' } }))
  const accept = page.getByRole('switch', { name: 'Accept connection requests' })
  const before = await accept.isChecked()
  await accept.click()
  await page.getByText('Not saved: Accept connection requests.').waitFor()
  expect(await accept.isChecked()).toBe(before)
})

test('a chosen time zone holds on all pages at once, also in another tab', async () => {
  await using opened = await openSettings('calendar', 'Time and calendar')
  const { ada, page, context } = opened
  await ada.request('POST', '/api/events', {
    body: { title: 'Call', start_at: '2026-03-04T12:00:00Z', end_at: '2026-03-04T13:00:00Z' },
  })
  const other = await context.newPage()
  await other.goto('/calendar/day/2026-03-04')
  await other.getByRole('button', { name: /^Call, .* 13:00 to 14:00/ }).waitFor()
  const zone = page.getByRole('combobox', { name: 'Time zone', exact: true })
  await zone.fill('Nowhere')
  await zone.press('Tab')
  await page.getByText('This is not a time zone.').waitFor()
  await zone.fill('kathm')
  await page.getByRole('listbox').getByRole('option', { name: 'Asia/Kathmandu' }).click()
  await eventuallyMatches(() => settingsOf(ada), { time_zone: 'Asia/Kathmandu' })
  await other.getByRole('button', { name: /^Call, .* 17:45 to 18:45/ }).waitFor()
  await page.getByRole('button', { name: 'Use Europe/Berlin' }).click()
  await eventuallyMatches(() => settingsOf(ada), { time_zone: 'Europe/Berlin' })
  await other.getByRole('button', { name: /^Call, .* 13:00 to 14:00/ }).waitFor()
})

test('the start of the week, the default calendar and the reminder of events are chosen by keyboard', async () => {
  await using opened = await openSettings('calendar', 'Time and calendar')
  const { ada, page } = opened
  const { body: work } = await ada.request('POST', '/api/calendars', { body: { name: 'Work' } })
  await tabTo(
    page,
    page.getByRole('radiogroup', { name: 'Weeks start on' }).getByRole('radio', { checked: true }),
  )
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  const sunday = page.getByRole('radio', { name: 'Sunday' })
  await sunday.check()
  await eventuallyMatches(() => settingsOf(ada), { first_day_of_week: 0 })
  await page.getByRole('grid', { name: 'Choose a date' }).locator('th').first().getByText('S').waitFor()
  await page.getByLabel('Default calendar').selectOption({ label: 'Work' })
  await eventuallyMatches(async () => (await ada.request('GET', `/api/calendars/${work.id}`)).body, {
    is_default: true,
  })
  await page.getByLabel('Remind me of events').selectOption({ label: '1 hour before' })
  await eventuallyMatches(() => settingsOf(ada), { ntfy_event_lead_minutes: 60 })
})

test('a place for the weather is found by its name, chosen by keyboard, and removed', async () => {
  await using opened = await openSettings('calendar', 'Time and calendar')
  const { ada, page } = opened
  await typeInto(page, page.getByRole('combobox', { name: 'Place' }), 'Berlin')
  await page.getByRole('option', { name: 'Berlin, State of Berlin, Germany' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('Berlin (44.5° N, 71.2° W)').waitFor()
  await eventuallyMatches(() => settingsOf(ada), { weather_city: 'Berlin', weather_lat: 44.46867 })
  await page.getByRole('button', { name: 'Remove the place' }).click()
  await eventuallyMatches(() => settingsOf(ada), { weather_city: null, weather_lat: null, weather_lon: null })
})

test('a weather service that does not answer is told at the field', async () => {
  await using opened = await openSettings('calendar', 'Time and calendar')
  const { page } = opened
  await page.route('**/api/weather/search?*', (route) =>
    route.fulfill({ status: 502, json: { detail: 'The weather service did not answer' } }),
  )
  await page.getByRole('combobox', { name: 'Place' }).fill('Berlin')
  await page.getByText('The weather service does not answer at the moment.').waitFor()
})

test('everything is downloaded as one file, and a download that breaks off is no file', async () => {
  await using opened = await openSettings('data', 'Data')
  const { page } = opened
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download everything' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('organiser-export.json')
  const text = await Bun.file(await file.path()).text()
  expect(JSON.parse(text)).toMatchObject({ format: 'organiser-export', version: 1 })
  await page.getByText(/^Downloaded .* as organiser-export.json$/).waitFor()
  await page.route('**/api/export', (route) => route.abort())
  await page.getByRole('button', { name: 'Download everything' }).click()
  await page.getByText('The download broke off before it was whole.').waitFor()
})
