import { afterAll, beforeAll, expect, test } from 'bun:test'
import { act, configure, type Pushing, startPushing } from '../support/ntfy'
import { sharedWith } from '../support/sharing'

let h: Pushing
beforeAll(async () => {
  h = await startPushing()
})
afterAll(() => h[Symbol.asyncDispose]())

const soon = (minutes: number) => new Date(+h.clock.now() + minutes * 60_000).toISOString()
const at = (title: string, minutes: number) => ({
  title,
  start_at: soon(minutes),
  end_at: soon(minutes + 1),
  reminder_minutes: 0,
})

/** An owner who hears of events, and a writer whose events are due every ten minutes of the next hours. */
async function flooded() {
  const shared = await sharedWith(h, 'write')
  const { ada, bob, calendar } = shared
  await configure(ada, {
    ntfy_enabled: true,
    ntfy_server_url: h.ntfy.url,
    ntfy_topic: ada.row.username,
  })
  await h.tick()
  for (let minutes = 10; minutes <= 130; minutes += 10) {
    for (let n = 0; n < 20; n++) {
      await act(bob, 'POST', '/api/events', { ...at('Flood', minutes), calendar_id: calendar.id })
    }
  }
  return { ...shared, told: () => tellings(ada.row.username) }
}

/** The titles of what is sent to the topic in the next ten minutes. */
async function tellings(wanted: string): Promise<string[]> {
  h.clock.advance({ minutes: 10 })
  const sent: string[] = []
  for (let taken = await h.tick(); taken.length > 0; taken = await h.tick())
    sent.push(...taken.filter(({ topic }) => topic === wanted).map(({ title }) => title))
  return sent
}

const floods = (titles: readonly string[]) => titles.filter((title) => title.startsWith('Flood')).length

test('of the events of one calendar an owner is told 45 times an hour, of those of another besides, and the log says what is left out', async () => {
  const { ada, told } = await flooded()
  await act(ada, 'POST', '/api/events', at('Dentist', 50))
  const first = [await told(), await told(), await told(), await told()]
  expect(first.map(floods)).toEqual([20, 20, 5, 0])
  expect(
    h.log.entries.filter(({ message }) => message.startsWith('More event messages')).at(-1),
  ).toMatchObject({
    level: 'warn',
    fields: { users: 1, messages: 35 },
  })
  const [second, third] = [await told(), await told()]
  expect([second.map((title) => title.slice(0, 7)), third]).toEqual([['Dentist'], []])
  // The first of them are an hour old: there is room again, and what is told is what is due then.
  const later = [await told(), await told(), await told()]
  expect(later.map(floods)).toEqual([20, 20, 5])
})

test('an owner is told 60 times an hour of all events together, and of everything else as ever', async () => {
  const { ada, told } = await flooded()
  for (let n = 0; n < 30; n++) await act(ada, 'POST', '/api/events', at('Own', 25))
  await act(ada, 'POST', '/api/reminders', { title: 'Pills', remind_at: soon(45) })
  const sent = [...(await told()), ...(await told()), ...(await told()), ...(await told()), ...(await told())]
  expect([sent.length, sent.filter((title) => title.startsWith('Pills')).length]).toEqual([61, 1])
})
