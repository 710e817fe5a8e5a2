import { expect, test } from 'bun:test'
import { sharedWith } from '../support/sharing'
import { remind, usePushing } from '../support/use-pushing'

const { h, soon } = usePushing()

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
  await h.listen(ada)
  await h.tick()
  for (let minutes = 10; minutes <= 130; minutes += 10) {
    for (let n = 0; n < 20; n++) {
      await bob.create({ ...at('Flood', minutes), calendar_id: calendar.id })
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

test('an owner is told of at most 45 events of one calendar an hour, besides those of another, and the log counts what is left out', async () => {
  const { ada, told } = await flooded()
  await ada.create(at('Dentist', 50))
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

test('an owner is told of at most 60 events an hour, and of everything else as ever', async () => {
  const { ada, told } = await flooded()
  for (let n = 0; n < 30; n++) await ada.create(at('Own', 25))
  await remind(ada, 'Pills', soon(45))
  const sent = [...(await told()), ...(await told()), ...(await told()), ...(await told()), ...(await told())]
  expect([sent.length, sent.filter((title) => title.startsWith('Pills')).length]).toEqual([61, 1])
})
