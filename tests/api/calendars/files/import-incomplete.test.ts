import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { events, people } from '../../../../src/db/schema'
import { calendar, calendarOf, importInto } from '../../../support/calendar-files'
import { type Actor } from '../../../support/harness'
import { until } from '../../../support/service'
import { sharedWith } from '../../../support/sharing'
import { FOR_OTHERS, MANY, pretendCount } from '../../../support/tallies'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness({ per: 'test' })
const sql = useSql(h, 'test')

const COUNT = 1200
const file = calendar(
  ...Array.from({ length: COUNT }, (_, i) => [`UID:e${i}`, 'DTSTART;VALUE=DATE:20260501', `SUMMARY:E${i}`]),
)
const cards = Array.from(
  { length: COUNT },
  (_, i) => `BEGIN:VCARD\r\nVERSION:4.0\r\nUID:p${i}\r\nFN:P${i}\r\nN:P${i};;;;\r\nEND:VCARD\r\n`,
).join('')
const importPeople = (actor: Actor) =>
  actor.request('POST', '/api/people/import', { body: cards, headers: { 'content-type': 'text/vcard' } })

const pretend = (actor: Pick<Actor, 'row'>, kind: string, count: number) =>
  pretendCount(sql, actor, kind, count)

const eventsIn = (id: number) => h.db.$count(events, eq(events.calendarId, id))
const peopleOf = ({ row }: Pick<Actor, 'row'>) => h.db.$count(people, eq(people.userId, row.id))
const stays = (created: number) =>
  `${created} created and 0 updated before stay, and the same import takes up the rest`

test('an import for which there is no room says how many events stay, and the same import takes up the rest', async () => {
  const { ada, bob, calendar: shared } = await sharedWith(h, 'write')
  await pretend(ada, 'events', FOR_OTHERS - COUNT + 50)
  const full = await importInto(bob, shared.id, file)
  const taken = await eventsIn(shared.id)
  expect(taken).toBeGreaterThan(0)
  expect([full.status, full.body]).toEqual([
    409,
    { detail: `This calendar is full: ${stays(taken)}`, code: 'import_incomplete' },
  ])
  await pretend(ada, 'events', taken)
  const rest = { created: COUNT - taken, updated: 0, unchanged: taken, skipped: [] }
  expect((await importInto(bob, shared.id, file)).body).toEqual(rest)
  expect(await eventsIn(shared.id)).toBe(COUNT)
})

test('an import for which there is no room at all leaves nothing, and says no more than that', async () => {
  const ada = await h.signedIn()
  await pretend(ada, 'events', MANY)
  const full = await importInto(ada, await calendarOf(ada), file)
  expect([full.status, full.body]).toEqual([409, { detail: 'You have too many events' }])
})

test('an import that takes too long says how many events stay, and the same import takes up the rest', async () => {
  const ada = await h.signedIn()
  const id = await calendarOf(ada)
  const importing = importInto(ada, id, file)
  await until(() => eventsIn(id))
  h.clock.advance({ seconds: 51 })
  const late = await importing
  const taken = await eventsIn(id)
  expect([late.status, late.body]).toEqual([
    503,
    { detail: `Service temporarily unavailable: ${stays(taken)}`, code: 'import_incomplete' },
  ])
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
  const rest = { created: COUNT - taken, updated: 0, unchanged: taken, skipped: [] }
  expect((await importInto(ada, id, file)).body).toEqual(rest)
})

test('an import of people says the same', async () => {
  const ada = await h.signedIn()
  await pretend(ada, 'people', MANY - COUNT + 50)
  const full = await importPeople(ada)
  const taken = await peopleOf(ada)
  expect(taken).toBeGreaterThan(0)
  expect([full.status, full.body]).toEqual([
    409,
    { detail: `You have too many people: ${stays(taken)}`, code: 'import_incomplete' },
  ])
  await pretend(ada, 'people', taken)
  expect((await importPeople(ada)).body).toMatchObject({ created: COUNT - taken, unchanged: taken })
})
