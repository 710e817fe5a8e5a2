import { expect, test } from 'bun:test'
import { calendar, importInto } from '../../../support/calendar-files'
import { sharedWith } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

/** 10 000 characters, and no word twice: what takes longest to store. */
const longText = (seed: number) =>
  Array.from({ length: 1400 }, (_, i) => ((seed * 1400 + i) * 7919 + 1e8).toString(36)).join(' ')
const heavy = (name: string, count: number) =>
  calendar(
    ...Array.from({ length: count }, (_, i) => [
      `UID:${name}${i}`,
      'DTSTART:20260310T090000Z',
      'SUMMARY:X',
      `DESCRIPTION:${longText(i)}`,
    ]),
  )
const COUNT = 150

test('while a member imports long texts twice at once, both imports and all that the owner makes are taken', async () => {
  const { ada, bob, calendar: shared } = await sharedWith(h, 'write')
  const work = { isUnderWay: true }
  const imports = Promise.all(
    ['a', 'b'].map((name) => importInto(bob, shared.id, heavy(name, COUNT))),
  ).finally(() => (work.isUnderWay = false))
  const made: number[] = []
  while (work.isUnderWay) {
    const body = { title: 'Own', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
    made.push((await ada.attempt(body)).status)
  }
  const answer = { created: COUNT, updated: 0, unchanged: 0, skipped: [] }
  expect((await imports).map(({ status, body }) => [status, body])).toEqual([
    [200, answer],
    [200, answer],
  ])
  expect(made.filter((status) => status !== 201)).toEqual([])
  // Each import is far more than ten transactions, and the owner has a turn at any of them.
  expect(made.length).toBeGreaterThan(10)
}, 60_000)

test('each event of a file that is imported eight times at once is created by one import, and known to the others', async () => {
  const { bob, calendar: shared } = await sharedWith(h, 'write')
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => importInto(bob, shared.id, heavy('x', 20))),
  )
  const total = (key: string) => answers.reduce((sum, { body }) => sum + body[key], 0)
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect([total('created'), total('updated'), total('unchanged')]).toEqual([20, 0, 140])
})
