import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { calendar, calendarOf, importInto } from '../support/calendar-files'
import type { Actor } from '../support/harness'
import { act, configure, deliveriesOf, type Pushing, startPushing } from '../support/ntfy'
import { sharedWith } from '../support/sharing'

let h: Pushing
beforeAll(async () => {
  h = await startPushing()
})
afterAll(() => h[Symbol.asyncDispose]())

/** The harness begins on Wednesday 4 March 2026, 10:30 in Berlin; every test goes on from where the clock is. */
const at = (iso: string) => h.clock.advance({ ms: Date.parse(iso) - +h.clock.now() })
const soon = (minutes: number) => new Date(+h.clock.now() + minutes * 60_000).toISOString()
const event = (actor: Actor, body: Record<string, unknown>) =>
  act(actor, 'POST', '/api/events', { title: 'e', ...body })
const from = (start: number, end: number) => ({ start_at: soon(start), end_at: soon(end) })
const listening = (topic: string) => ({ ntfy_enabled: true, ntfy_server_url: h.ntfy.url, ntfy_topic: topic })
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
      const query = `scope=this&occurrence_start=${encodeURIComponent(start)}`
      await act(ada, 'PUT', `/api/events/${id}?${query}`, from(-minutes, 60 - minutes))
      return ada
    },
  ],
  [
    'is shared with one',
    async (minutes) => {
      const { ada, bob } = await sharedWith(h, 'read')
      await configure(bob, listening(bob.row.username))
      const { id } = await act(ada, 'POST', '/api/calendars', { name: 'Band' })
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
      await configure(bob, listening(bob.row.username))
      const { id } = await event(ada, from(5, 65))
      h.clock.advance({ minutes: minutes + 5 })
      await act(ada, 'PUT', `/api/events/${id}`, { calendar_id: shared.id })
      return bob
    },
  ],
]

describe.each(WAYS)('an event that %s', (_, enter) => {
  test('after its end is not announced', async () => {
    expect(await h.titles(await enter(61))).toEqual([])
  })

  test('while it goes on is announced at once', async () => {
    expect(await h.titles(await enter(59))).toEqual(['e'])
  })
})

test('an event that is announced late, as nothing ran, is announced though it is over by then', async () => {
  const ada = await h.listener()
  await event(ada, from(10, 20))
  h.clock.advance({ hours: 3 })
  expect(await h.titles(ada)).toEqual(['e'])
})

test('an event that is only worded anew after its end keeps the message that waits for its server', async () => {
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
  ['at its start, without a length', -1, -1, []],
  ['later today, without a length', 5, 5, ['e']],
] as const)('an event that ends %s is announced as such', async (_, start, end, titles) => {
  const ada = await h.listener()
  await event(ada, from(start, end))
  expect(await h.titles(ada)).toEqual([...titles])
})

test.each([
  ['Asia/Tokyo', []],
  ['Europe/Berlin', []],
  ['America/New_York', ['day', 'days']],
])(
  'a day that ended in Europe, entered at 00:30 there, is over in %s where it is',
  async (timeZone, titles) => {
    at('2026-04-10T12:00:00+02:00')
    const ada = await h.listener({ time_zone: timeZone })
    at('2026-04-16T00:30:00+02:00')
    const all = { all_day: true, end_date: '2026-04-15' }
    await event(ada, { title: 'day', ...all, start_date: '2026-04-15' })
    await event(ada, { title: 'days', ...all, start_date: '2026-04-15', reminder_minutes: 0 })
    expect(await h.titles(ada)).toEqual([...titles])
  },
)

test('an event of several days that began yesterday is announced for as long as its last day lasts', async () => {
  at('2026-05-06T08:00:00+02:00')
  const ada = await h.listener()
  const all = { all_day: true, start_date: '2026-05-05' }
  await event(ada, { title: 'on', ...all, end_date: '2026-05-06' })
  await event(ada, { title: 'over', ...all, end_date: '2026-05-05' })
  expect(await h.titles(ada)).toEqual(['on'])
})

test('a birthday that is entered on a later day is not announced, and on its own day it is', async () => {
  at('2026-06-10T20:00:00+02:00')
  const ada = await h.listener()
  await act(ada, 'POST', '/api/people', { first_name: 'Bo', birthday: '--06-10' })
  at('2026-06-11T08:00:00+02:00')
  await act(ada, 'POST', '/api/people', { first_name: 'Cy', birthday: '--06-10' })
  expect(await h.titles(ada)).toEqual(["Bo's birthday"])
})

test('what has no end is announced for a day, whenever it is entered', async () => {
  at('2026-07-01T12:00:00+02:00')
  const ada = await h.listener()
  await act(ada, 'POST', '/api/reminders', { title: 'reminder', remind_at: soon(-600) })
  await act(ada, 'POST', '/api/todos', { title: 'todo', due_date: '2026-07-01', due_time: '08:00' })
  expect(await h.titles(ada)).toEqual(['reminder', 'todo', 'todo'])
})
