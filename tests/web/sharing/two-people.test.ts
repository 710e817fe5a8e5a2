import { afterAll, beforeAll, expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { test } from '../../support/browser'
import { organiser, type Organiser } from '../../support/events'
import { type Client, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
const WEEK = '/calendar/week/2026-03-11'
/** A change comes by itself; how soon is measured, not tested. */
const LIVE = { timeout: 20_000 }

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

/** Somebody with a browser of their own, who does and sees everything by roles and names. */
async function sitting(actor: Organiser) {
  const { page, context } = await client.open({ as: actor })
  const go = async (address: string) => {
    await page.goto(address)
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor()
  }
  return {
    page,
    name: actor.row.networkName,
    go,
    /** Follows links, so that the page stays the same one. */
    visit: async (...links: readonly string[]) => {
      for (const link of links) await page.getByRole('link', { name: link, exact: true }).first().click()
    },
    press: (name: string, within: Page | Locator = page) =>
      within.getByRole('button', { name, exact: true }).click(),
    list: (name: string) => page.getByRole('list', { name }),
    line: (list: string, text: string) =>
      page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: text }),
    event: (start: string) => page.getByRole('button', { name: new RegExp(`^${start}`) }),
    confirm: (title: string) =>
      page.getByRole('dialog', { name: title }).getByRole('button', { name: title, exact: true }).click(),
    [Symbol.asyncDispose]: () => context.close(),
  }
}
type Sitting = Awaited<ReturnType<typeof sitting>>

const comes = (found: Locator) => found.first().waitFor(LIVE)
const goes = (found: Locator) => found.first().waitFor({ ...LIVE, state: 'detached' })

async function search(as: Sitting, name: string): Promise<void> {
  await as.page.getByRole('textbox', { name: 'Network name', exact: true }).fill(name)
  await as.press('Search', as.page.getByRole('search', { name: 'Find somebody' }))
}

async function acceptRequests({ page }: Sitting): Promise<void> {
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await page.getByRole('switch', { name: 'Accept connection requests' }).click()
  await page.getByText('Whoever knows your network name can find you').waitFor()
  await saved
}

async function ask(ada: Sitting, bob: Sitting): Promise<void> {
  await search(ada, bob.name)
  await ada.page.getByRole('textbox', { name: 'Message' }).fill('It is me')
  await ada.press('Send request')
  await comes(ada.line('Requests that you sent', bob.name))
  await comes(bob.line('Requests to you', 'It is me'))
}

/** Ada asks, takes it back, asks again, is rejected without a word, asks once more and is accepted. */
async function connect(ada: Sitting, bob: Sitting): Promise<void> {
  await ada.go('/connections')
  await bob.go('/connections')
  await search(ada, bob.name)
  await ada.page.getByText(`Nobody is called exactly ${bob.name}`).waitFor()
  await acceptRequests(bob)
  await ask(ada, bob)
  await ada.press('Cancel', ada.line('Requests that you sent', bob.name))
  await goes(bob.list('Requests to you'))
  // Whether the other message, that the request was sent, came before or after this one is left to the network.
  const cancelled = ada.page.locator('[data-message]').filter({ hasText: 'Cancelled the request' })
  await ada.press('Undo', cancelled)
  await comes(bob.line('Requests to you', ada.name))
  await bob.press('Reject', bob.line('Requests to you', ada.name))
  await goes(bob.list('Requests to you'))
  await comes(ada.line('Requests that you sent', bob.name))
  await ada.press('Cancel', ada.line('Requests that you sent', bob.name))
  await goes(ada.list('Requests that you sent'))
  await ask(ada, bob)
  await bob.press('Accept', bob.line('Requests to you', ada.name))
  await comes(bob.line('Connections', ada.name))
  await comes(ada.line('Connections', bob.name))
  await goes(ada.list('Requests that you sent'))
}

/** Ada shows and hides what stands in her profile, to Bob alone. */
async function share(ada: Sitting, bob: Sitting): Promise<void> {
  await ada.page.getByRole('link', { name: bob.name }).click()
  await bob.page.getByRole('link', { name: ada.name }).click()
  await bob.page.getByText(`${ada.name} shows you nothing but the network name.`).waitFor()
  const preview = ada.page.getByRole('group', { name: `What ${bob.name} sees` })
  const company = ada.page.getByRole('switch', { name: 'Company' })
  expect(await company.isChecked()).toBe(false)
  await company.click()
  await preview.getByText('Analytical Engines').waitFor()
  await ada.page.getByText(`${bob.name} sees “Analytical Engines”. Only for ${bob.name}.`).waitFor()
  await comes(bob.page.getByText('Analytical Engines'))
  await ada.page.getByRole('switch', { name: 'Preferred name' }).click()
  await comes(bob.page.getByRole('heading', { level: 1, name: 'Augusta' }))
  await company.click()
  await goes(bob.page.getByText('Analytical Engines'))
  expect(await preview.getByText('Analytical Engines').count()).toBe(0)
  await ada.press('Preferred name: as for everybody')
  await comes(bob.page.getByRole('heading', { level: 1, name: ada.name }))
}

/** Ada lets Bob read a calendar, then change it; Bob does. */
async function lend(ada: Sitting, bob: Sitting): Promise<void> {
  await ada.visit('Settings', 'Calendars', 'Choir')
  await ada.page.getByText('So far only you see this calendar.').waitFor()
  await bob.visit('Connections')
  await ada.page.getByRole('combobox', { name: 'Share with' }).fill(bob.name)
  await ada.page.getByRole('option', { name: bob.name }).click()
  await ada.press('Share')
  await comes(ada.line('Shared with', 'has not accepted yet'))
  await comes(bob.line('Calendars that are offered to you', `From ${ada.name}, to read`))
  await bob.press('Accept', bob.line('Calendars that are offered to you', 'Choir'))
  await goes(ada.page.getByText('has not accepted yet'))
  await comes(bob.page.getByRole('checkbox', { name: `Choir, of ${ada.name}` }))

  await bob.go(WEEK)
  await bob.event('Rehearsal, Wednesday 11 March 2026, 18:00').click()
  await bob.page.getByRole('dialog', { name: 'Rehearsal' }).waitFor()
  const right = ada.page.getByRole('radiogroup', { name: `What ${bob.name} may do` })
  await right.getByRole('radio', { name: 'Change' }).check()
  const editor = bob.page.getByRole('dialog', { name: 'Edit event' })
  await comes(editor)
  await ada.go(WEEK)
  await editor.getByRole('textbox', { name: 'Title' }).fill('Dress rehearsal')
  await bob.press('Save', editor)
  await comes(ada.event('Dress rehearsal, Wednesday 11 March 2026, 18:00'))
}

/** Ada invites Bob, who answers; she changes the times, and takes one invitation back. */
async function invite(ada: Sitting, bob: Sitting): Promise<void> {
  await ada.page.keyboard.press('c')
  const making = ada.page.getByRole('dialog', { name: 'New event' })
  await making.getByRole('textbox', { name: 'Title' }).fill('Lunch')
  await making.getByRole('combobox', { name: 'Calendar' }).selectOption({ label: 'Personal' })
  await making.getByRole('textbox', { name: 'Start date' }).fill('2026-03-12')
  await making.getByRole('combobox', { name: 'Start time' }).fill('12:00')
  await making.getByRole('combobox', { name: 'Repeat' }).selectOption({ index: 2 })
  await making.getByRole('combobox', { name: 'Invite people' }).fill(bob.name)
  await ada.page.getByRole('option', { name: bob.name }).click()
  await ada.press('Save', making)
  await comes(bob.event('Lunch, Thursday 12 March 2026, 12:00 to .*invitation'))

  await ada.event('Lunch, Thursday 12 March').click()
  const guests = ada.page.getByRole('list', { name: 'Invited people' })
  await guests.getByText('no answer yet').waitFor()
  await bob.event('Lunch, Thursday 12 March').click()
  const opened = bob.page.getByRole('dialog', { name: 'Lunch' })
  await opened.getByRole('radio', { name: 'All events' }).check()
  await bob.press('Going', opened)
  await comes(guests.getByText('Going'))
  await opened.getByRole('radio', { name: 'Only this event' }).check()
  await bob.press('Tentative', opened)
  await comes(guests.getByText('Tentative'))
  await opened.getByRole('combobox', { name: 'Show in calendar' }).selectOption({ label: 'Personal' })
  await comes(bob.event('Lunch, Thursday 12 March 2026, 12:00 to .*Personal, .*tentative'))

  const editor = ada.page.getByRole('dialog', { name: 'Edit event' })
  await editor.getByRole('combobox', { name: 'Start time' }).fill('13:00')
  await ada.press('Save', editor)
  const question = ada.page.getByRole('dialog', { name: 'Change repeating event' })
  await question.getByRole('radio', { name: 'Only this event' }).check()
  await ada.press('Continue', question)
  await comes(opened.getByText(/13:00/))
  await comes(bob.event('Lunch, Thursday 12 March 2026, 13:00'))
  await bob.page.keyboard.press('Escape')
}

/** Bob gives the calendar back. */
async function leave(ada: Sitting, bob: Sitting): Promise<void> {
  await ada.visit('Settings', 'Calendars', 'Choir')
  await comes(ada.line('Shared with', bob.name))
  await bob.visit('Settings', 'Calendars', 'Choir')
  await bob.page.getByRole('heading', { name: `Shared by ${ada.name}` }).waitFor()
  await bob.press('Leave this calendar')
  await bob.confirm('Leave this calendar')
  await comes(ada.page.getByText('So far only you see this calendar.'))
  await goes(bob.page.getByRole('checkbox', { name: `Choir, of ${ada.name}` }))
}

/** Ada offers the calendar again, and then ends everything at once. */
async function disconnect(ada: Sitting, bob: Sitting): Promise<void> {
  await ada.page.getByRole('combobox', { name: 'Share with' }).fill(bob.name)
  await ada.page.getByRole('combobox', { name: 'What they may do' }).selectOption('Read and change')
  await ada.press('Share')
  await comes(bob.line('Calendars that are offered to you', `From ${ada.name}, to read and change`))
  await bob.press('Accept', bob.line('Calendars that are offered to you', 'Choir'))
  await bob.go(WEEK)
  await comes(bob.event('Dress rehearsal'))
  await comes(bob.event('Lunch'))
  await ada.visit('Connections', bob.name)
  await comes(ada.line(`Yours that ${bob.name} has`, 'Choir'))
  await ada.press('Disconnect')
  const dialog = ada.page.getByRole('dialog', { name: 'Disconnect' })
  await dialog.getByText(`a calendar of yours for ${bob.name}: Choir`).waitFor()
  await dialog.getByText('all invitations to each other’s events').waitFor()
  await ada.confirm('Disconnect')
  await ada.page.getByText('You are not connected with anybody yet').waitFor()
  await goes(bob.event('Dress rehearsal'))
  await goes(bob.event('Lunch'))
  await bob.visit('Connections')
  await bob.page.getByText('You are not connected with anybody yet').waitFor()
}

/** Ada blocks Bob, who then finds nobody, and lets him find her again. */
async function block(ada: Sitting, bob: Sitting): Promise<void> {
  await acceptRequests(ada)
  await search(bob, ada.name)
  await bob.press('Send request')
  await comes(ada.line('Requests to you', bob.name))
  await ada.page.getByRole('textbox', { name: 'Network name to block' }).fill(bob.name)
  await ada.press('Block')
  await ada.confirm('Block')
  await comes(ada.line('Blocked', bob.name))
  await goes(ada.list('Requests to you'))
  await goes(bob.list('Requests that you sent'))
  await search(bob, ada.name)
  await bob.page.getByText(`Nobody is called exactly ${ada.name}`).waitFor()
  await ada.press('Unblock', ada.line('Blocked', bob.name))
  await ada.page.getByText('You have blocked nobody.').waitFor()
  await search(bob, ada.name)
  await bob.page.getByRole('button', { name: 'Send request' }).waitFor()
}

test('two people connect, show each other what they choose, share a calendar, invite, answer, leave and part, each seeing at once what the other does', async () => {
  const [adaActor, bobActor] = [
    await organiser(client.h, 'Europe/Berlin'),
    await organiser(client.h, 'Europe/Berlin'),
  ]
  await adaActor.request('PUT', '/api/settings', {
    body: { preferred_name: 'Augusta', company: 'Analytical Engines' },
  })
  const choir = await adaActor.request('POST', '/api/calendars', { body: { name: 'Choir' } })
  await adaActor.create({
    title: 'Rehearsal',
    calendar_id: choir.body.id,
    start_at: '2026-03-11T18:00:00',
    end_at: '2026-03-11T19:30:00',
  })
  await using ada = await sitting(adaActor)
  await using bob = await sitting(bobActor)
  await connect(ada, bob)
  await share(ada, bob)
  await lend(ada, bob)
  await invite(ada, bob)
  await leave(ada, bob)
  await disconnect(ada, bob)
  await block(ada, bob)
}, 120_000)
