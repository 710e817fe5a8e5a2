import { describe, expect, test } from 'bun:test'
import { calendar, calendarOf, importInto } from '../support/calendar-files'
import { createEvent } from '../support/events'
import type { Actor } from '../support/harness'
import { act, deliveriesOf } from '../support/ntfy'
import { sharedWith } from '../support/sharing'
import { remind, usePushing } from '../support/use-pushing'

const { h, soon, moveTo } = usePushing()

const event = (actor: Actor, body: Record<string, unknown>) => createEvent(actor, { title: 'e', ...body })
const from = (start: number, end: number) => ({ start_at: soon(start), end_at: soon(end) })
const inFile = (minutes: number) => soon(minutes).replaceAll(/[-:]|\.\d+/g, '')

/** An event of an hour that began so many minutes ago comes to somebody who listens. */
const WAYS: ReadonlyArray<readonly [string, (minutes: number) => Promise<Actor>]> = [
  [
    'is created',
    async (minutes) => {
      const ada = await h.listener()
      await event(ada, from(-minutes, 60 - minutes))
      return ada
    },
  ],
  [
    'is imported',
    async (minutes) => {
      const ada = await h.listener()
      const lines = ['UID:e', 'SUMMARY:e', `DTSTART:${inFile(-minutes)}`, `DTEND:${inFile(60 - minutes)}`]
      const { body } = await importInto(ada, await calendarOf(ada), calendar(lines))
      expect(body).toMatchObject({ created: 1 })
      return ada
    },
  ],
  [
    'is moved back',
    async (minutes) => {
      const ada = await h.listener()
      const { id } = await event(ada, from(5000, 5060))
      await h.tick()
      await act(ada, 'PUT', `/api/events/${id}`, from(-minutes, 60 - minutes))
      return ada
    },
  ],
  [
    'is moved back alone out of a series',
    async (minutes) => {
      const ada = await h.listener()
      const { id, start_at: start } = await event(ada, {
        ...from(5000, 5060),
        recurrence_rule: 'FREQ=YEARLY',
      })
      await h.tick()
      const query = `scope=this&occurrence_start=${encodeURIComponent(String(start))}`
      await act(ada, 'PUT', `/api/events/${id}?${query}`, from(-minutes, 60 - minutes))
      return ada
    },
  ],
  [
    'is shared with one',
    async (minutes) => {
      const { ada, bob } = await sharedWith(h, 'read')
      await h.listen(bob)
      const { id } = await ada.createCalendar('Band')
      await event(ada, { calendar_id: id, ...from(5, 65) })
      h.clock.advance({ minutes: minutes + 5 })
      await ada.share(id, bob)
      await bob.acceptAll()
      return bob
    },
  ],
  [
    'is moved into a calendar that one sees',
    async (minutes) => {
      const { ada, bob, calendar: shared } = await sharedWith(h, 'read')
      await h.listen(bob)
      const { id } = await event(ada, from(5, 65))
      h.clock.advance({ minutes: minutes + 5 })
      await act(ada, 'PUT', `/api/events/${id}`, { calendar_id: shared.id })
      return bob
    },
  ],
]

describe.each(WAYS)('an event that %s', (_, enter) => {
  test('is not announced after its end', async () => {
    expect(await h.titles(await enter(61))).toEqual([])
  })

  test('is announced at once while it goes on', async () => {
    expect(await h.titles(await enter(59))).toEqual(['e'])
  })
})

test('an event whose announcement is late because nothing ran is announced though it is over by then', async () => {
  const ada = await h.listener()
  await event(ada, from(10, 20))
  h.clock.advance({ hours: 3 })
  expect(await h.titles(ada)).toEqual(['e'])
})

test('an event that is only reworded after its end keeps the message that waits for its server', async () => {
  const ada = await h.listener()
  const { id } = await event(ada, { ...from(10, 11), reminder_minutes: 0 })
  h.clock.advance({ minutes: 10 })
  h.ntfy.react = () => new Response('no', { status: 500 })
  await h.tick()
  h.ntfy.react = undefined
  h.clock.advance({ minutes: 30 })
  await act(ada, 'PUT', `/api/events/${id}`, { title: 'other' })
  expect(await h.titles(ada)).toEqual(['other'])
})

test('an event that is moved into the past withdraws the message that waits for its server', async () => {
  const ada = await h.listener()
  const { id } = await event(ada, { ...from(10, 70), reminder_minutes: 0 })
  h.clock.advance({ minutes: 10 })
  h.ntfy.react = () => new Response('no', { status: 500 })
  await h.tick()
  h.ntfy.react = undefined
  await act(ada, 'PUT', `/api/events/${id}`, from(-200, -100))
  h.clock.advance({ minutes: 1 })
  expect(await h.titles(ada)).toEqual([])
  expect(await deliveriesOf(ada)).toEqual([])
})

test('a series that is entered late is announced from the occurrence on that still goes on', async () => {
  const ada = await h.listener()
  const daily = { recurrence_rule: 'FREQ=DAILY', reminder_minutes: 0 }
  await event(ada, { title: 'over', ...daily, ...from(-1500, -1480) })
  await event(ada, { title: 'on', ...daily, ...from(-1450, -1430) })
  expect(await h.titles(ada)).toEqual(['on'])
  h.clock.advance({ days: 1 })
  expect(await h.titles(ada)).toEqual(['on', 'over'])
})

test.each([
  ['began a minute ago is not announced', -1, -1, []],
  ['begins in five minutes is announced', 5, 5, ['e']],
] as const)('an event without a length that %s', async (_, start, end, titles) => {
  const ada = await h.listener()
  await event(ada, from(start, end))
  expect(await h.titles(ada)).toEqual([...titles])
})

test.each([
  ['Asia/Tokyo', []],
  ['Europe/Berlin', []],
  ['America/New_York', ['day', 'days']],
])(
  'an all-day event entered at 00:30 in Berlin, after its day, is announced in %s only if the day still lasts there',
  async (timeZone, titles) => {
    moveTo('2026-04-10T12:00:00+02:00')
    const ada = await h.listener({ time_zone: timeZone })
    moveTo('2026-04-16T00:30:00+02:00')
    const all = { all_day: true, end_date: '2026-04-15' }
    await event(ada, { title: 'day', ...all, start_date: '2026-04-15' })
    await event(ada, { title: 'days', ...all, start_date: '2026-04-15', reminder_minutes: 0 })
    expect(await h.titles(ada)).toEqual([...titles])
  },
)

test('an event of several days that began yesterday is announced for as long as its last day lasts', async () => {
  moveTo('2026-05-06T08:00:00+02:00')
  const ada = await h.listener()
  const all = { all_day: true, start_date: '2026-05-05' }
  await event(ada, { title: 'on', ...all, end_date: '2026-05-06' })
  await event(ada, { title: 'over', ...all, end_date: '2026-05-05' })
  expect(await h.titles(ada)).toEqual(['on'])
})

test('a birthday is announced when it is entered on its own day, and not when on a later one', async () => {
  moveTo('2026-06-10T20:00:00+02:00')
  const ada = await h.listener()
  await act(ada, 'POST', '/api/people', { first_name: 'Bo', birthday: '--06-10' })
  moveTo('2026-06-11T08:00:00+02:00')
  await act(ada, 'POST', '/api/people', { first_name: 'Cy', birthday: '--06-10' })
  expect(await h.titles(ada)).toEqual(["Bo's birthday"])
})

test('a reminder or todo, which has no end, is announced for a day, whenever it is entered', async () => {
  moveTo('2026-07-01T12:00:00+02:00')
  const ada = await h.listener()
  await remind(ada, 'reminder', soon(-600))
  await act(ada, 'POST', '/api/todos', { title: 'todo', due_date: '2026-07-01', due_time: '08:00' })
  expect(await h.titles(ada)).toEqual(['reminder', 'todo', 'todo'])
})
