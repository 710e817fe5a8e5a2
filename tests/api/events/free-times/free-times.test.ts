import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { calendarMembers, invitationParts, settings } from '../../../../src/db/schema'
import { calendar, calendarOf, importInto } from '../../../support/calendar-files'
import { at, invite } from '../../../support/events'
import { befriend } from '../../../support/inviting'
import { type Sharer, sharer, sharedWith } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const sql = useSql(h)

/** A Tuesday; the clock stands at 4 March 2026, 10:30 in Berlin, the server's zone. */
const DAY = '2026-03-10'
const NINE_TO_NOON = { from: '09:00', to: '12:00' }
const ANY_TIME = { hours: undefined }
const at9 = { start_at: `${DAY}T09:00`, end_at: `${DAY}T10:00` }

const ask = (actor: Sharer, body: object = {}) =>
  actor.request('POST', '/api/free-busy', {
    body: { from: DAY, to: '2026-03-11', minutes: 60, hours: NINE_TO_NOON, ...body },
  })

interface Proposal {
  readonly from: string
  readonly to: string
  readonly free: number[]
  readonly busy: number[]
  readonly unknown: number[]
}

const proposalsOf = async (actor: Sharer, body?: object): Promise<Proposal[]> => {
  const { status, body: answer } = await ask(actor, body)
  if (status !== 200) throw new Error(JSON.stringify(answer))
  return answer.proposals
}

/** The times of day from which the caller is free. */
const times = async (actor: Sharer, body?: object) =>
  (await proposalsOf(actor, body)).map(({ from }) => from.slice(11, 16)).toSorted()

const FROM_TEN = ['10:00', '10:15', '10:30', '10:45', '11:00']
const FROM_NINE = ['09:00', '09:15', '09:30', '09:45', ...FROM_TEN]

/** What the answer says of the other at nine o'clock. */
async function atNine(ada: Sharer, bob: Sharer): Promise<string> {
  const all = await proposalsOf(ada, { with: [bob.row.id] })
  const nine = all.find(({ from }) => from.slice(11, 16) === '09:00')
  if (!nine) return 'the caller is busy'
  if (nine.busy.includes(bob.row.id)) return 'busy'
  return nine.free.includes(bob.row.id) ? 'free' : 'unknown'
}

/** Ada sees a calendar of Bob. */
async function shared() {
  const { ada: bob, bob: ada, calendar: choir } = await sharedWith(h, 'read')
  return { ada, bob, choir }
}

describe('the own calendars', () => {
  test('leave the quarters of an hour at which nothing takes place', async () => {
    const ada = await sharer(h)
    await ada.create(at9)
    const { status, body } = await ask(ada)
    expect(status).toBe(200)
    expect(body.proposals[0]).toEqual({
      from: `${DAY}T10:00:00+01:00`,
      to: `${DAY}T11:00:00+01:00`,
      free: [ada.row.id],
      busy: [],
      unknown: [],
    })
    expect(body.people).toEqual([
      { user_id: ada.row.id, network_name: ada.row.networkName, shares_calendar: true },
    ])
    expect(await times(ada)).toEqual(FROM_TEN)
  })

  test('count also when they are hidden, and with occurrences as they were moved, and not as they were deleted', async () => {
    const ada = await sharer(h)
    const hidden = await ada.createCalendar('Hidden')
    await ada.changeCalendar(hidden.id, { is_visible: false })
    const series = {
      start_at: '2026-03-01T09:00',
      end_at: '2026-03-01T10:00',
      recurrence_rule: 'FREQ=DAILY',
    }
    const { id } = await ada.create({ ...series, calendar_id: hidden.id })
    expect(await times(ada)).toEqual(FROM_TEN)
    await ada.change(id, { start_at: `${DAY}T11:00` }, at(`${DAY}T09:00`))
    expect(await times(ada)).toEqual(['09:00', '09:15', '09:30', '09:45', '10:00'])
    await ada.remove(id, at(`${DAY}T09:00`))
    expect(await times(ada)).toEqual(FROM_NINE)
  })

  test('do not count the event that is to be moved', async () => {
    const ada = await sharer(h)
    const { id } = await ada.create(at9)
    expect(await times(ada, { except_event_id: id })).toEqual(FROM_NINE)
  })

  test('are busy all day with an all-day event, in the zone of the caller', async () => {
    const ada = await sharer(h)
    await h.db.update(settings).set({ timeZone: 'Asia/Tokyo' }).where(eq(settings.userId, ada.row.id))
    await ada.create({ all_day: true, start_date: DAY, end_date: DAY })
    const span = { ...ANY_TIME, from: '2026-03-09', to: '2026-03-12', minutes: 1440 }
    expect((await proposalsOf(ada, span)).map(({ from }) => from)).toEqual([
      '2026-03-09T00:00:00+09:00',
      '2026-03-11T00:00:00+09:00',
    ])
  })

  test('do not count what a program has marked as cancelled or as taking up no time, nor what has no length', async () => {
    const ada = await sharer(h)
    const lines = (uid: string, ...more: string[]) => [
      `UID:${uid}`,
      'DTSTART:20260310T080000Z',
      'DTEND:20260310T090000Z',
      'SUMMARY:Choir',
      ...more,
    ]
    const id = await calendarOf(ada)
    const file = calendar(
      lines('1', 'TRANSP:TRANSPARENT'),
      lines('2', 'STATUS:CANCELLED'),
      lines('3', 'transp;X-A=b:transparent'),
    )
    expect((await importInto(ada, id, file)).body.created).toBe(3)
    await ada.create({ start_at: `${DAY}T09:30`, end_at: `${DAY}T09:30` })
    expect(await times(ada)).toEqual(FROM_NINE)
    const opaque = calendar(lines('4', 'TRANSP:OPAQUE', 'DESCRIPTION:TRANSP:TRANSPARENT'))
    await importInto(ada, id, opaque)
    expect(await times(ada)).toEqual(FROM_TEN)
  })
})

describe('an invitation', () => {
  test('keeps the caller busy until they decline it, also for one occurrence', async () => {
    const [ada, bob] = [await sharer(h), await sharer(h)]
    await befriend(h, ada, [bob])
    const daily = {
      start_at: '2026-03-09T09:00',
      end_at: '2026-03-09T10:00',
      recurrence_rule: 'FREQ=DAILY',
    }
    const event = await bob.create({ ...daily })
    await bob.invite(event.id, ada)
    const [{ id }] = (await ada.invitations()).body.invitations
    expect(await times(ada)).toEqual(FROM_TEN)
    for (const answer of ['Tentative', 'Going']) {
      await ada.respond(id, answer)
      expect(await times(ada)).toEqual(FROM_TEN)
    }
    await ada.respond(id, 'Declined', `${DAY}T09:00`)
    expect(await times(ada)).toEqual(FROM_NINE)
    await ada.respond(id, 'Going', `${DAY}T09:00`)
    await ada.respond(id, 'Declined')
    expect(await times(ada)).toEqual(FROM_TEN)
    expect(await times(ada, { from: '2026-03-11', to: '2026-03-12' })).toEqual(FROM_NINE)
  })

  test('keeps the caller free where their program says that it takes up no time', async () => {
    const [ada, bob] = [await sharer(h), await sharer(h)]
    await befriend(h, ada, [bob])
    const { id: eventId } = await bob.create(at9)
    const { id } = await invite(h, { eventId, userId: ada.row.id, response: 'Going' })
    expect(await times(ada)).toEqual(FROM_TEN)
    const parts = { '': { transparency: 'TRANSPARENT', alarms: '' } }
    await h.db.insert(invitationParts).values({ invitationId: id, parts })
    expect(await times(ada)).toEqual(FROM_NINE)
  })
})

describe('a calendar that somebody shares', () => {
  test('says when its owner is free, and never more than that', async () => {
    const { ada, bob, choir } = await shared()
    expect(await atNine(ada, bob)).toBe('free')
    await bob.create({ ...at9, calendar_id: choir.id, title: 'Zanzibar' })
    expect(await atNine(ada, bob)).toBe('busy')
    const { body } = await ask(ada, { with: [bob.row.id] })
    expect(JSON.stringify(body)).not.toContain('Zanzibar')
    expect(body.people).toEqual(
      [ada, bob].map(({ row }) => ({
        user_id: row.id,
        network_name: row.networkName,
        shares_calendar: true,
      })),
    )
  })

  test('says nothing of the calendars that are not shared', async () => {
    const { ada, bob } = await shared()
    await bob.create(at9)
    expect(await atNine(ada, bob)).toBe('free')
  })

  test('says it also where the caller has hidden it, or has declined the event', async () => {
    const { ada, bob, choir } = await shared()
    const { id } = await bob.create({ ...at9, calendar_id: choir.id })
    await h.db.update(calendarMembers).set({ isVisible: false }).where(eq(calendarMembers.userId, ada.row.id))
    expect(await atNine(ada, bob)).toBe('busy')
    await invite(h, { eventId: id, userId: ada.row.id, response: 'Declined' })
    expect(await atNine(ada, bob)).toBe('busy')
  })

  test('does not keep its members busy, unless they are invited', async () => {
    const { ada, bob, choir } = await shared()
    const { id } = await bob.create({ ...at9, calendar_id: choir.id })
    expect(await times(ada)).toEqual(FROM_NINE)
    await bob.invite(id, ada)
    expect(await times(ada)).toEqual(FROM_TEN)
  })

  test('tells of a private event its times alone: not that it takes up none', async () => {
    const { ada, bob, choir } = await shared()
    const file = (...more: string[]) =>
      calendar(['UID:1', 'DTSTART:20260310T080000Z', 'DTEND:20260310T090000Z', 'TRANSP:TRANSPARENT', ...more])
    await importInto(bob, choir.id, file())
    expect(await atNine(ada, bob)).toBe('free')
    await importInto(bob, choir.id, file('CLASS:PRIVATE'))
    expect(await atNine(ada, bob)).toBe('busy')
  })

  test('says nothing before it is accepted or once it is withdrawn', async () => {
    const [ada, bob] = [await sharer(h), await sharer(h)]
    await befriend(h, ada, [bob])
    const choir = await bob.createCalendar('Choir')
    await bob.create({ ...at9, calendar_id: choir.id })
    const { body: member } = await bob.share(choir.id, ada)
    expect(await atNine(ada, bob)).toBe('unknown')
    await ada.acceptAll()
    expect(await atNine(ada, bob)).toBe('busy')
    await bob.dismiss(choir.id, member.id)
    expect(await atNine(ada, bob)).toBe('unknown')
  })
})

describe('proposals', () => {
  test('put the times first at which the fewest are busy, then the earliest', async () => {
    const { ada, bob, choir } = await shared()
    const cleo = await sharer(h)
    await befriend(h, ada, [cleo])
    await bob.create({ ...at9, calendar_id: choir.id })
    const found = await proposalsOf(ada, { minutes: 60, with: [cleo.row.id, bob.row.id] })
    expect(found.map(({ from }) => from.slice(11, 16))).toEqual([
      ...FROM_TEN,
      '09:00',
      '09:15',
      '09:30',
      '09:45',
    ])
    expect(found[0]).toMatchObject({ free: [ada.row.id, bob.row.id], busy: [], unknown: [cleo.row.id] })
    expect(found.at(-1)).toMatchObject({ free: [ada.row.id], busy: [bob.row.id], unknown: [cleo.row.id] })
  })

  test('are at most 20, lie on the days that are named, and begin after now', async () => {
    const ada = await sharer(h)
    const week = { from: '2026-03-02', to: '2026-03-09' }
    const [first] = await proposalsOf(ada, { ...week, ...ANY_TIME, minutes: 30 })
    expect(first?.from).toBe('2026-03-04T10:30:00+01:00')
    const hours = { ...NINE_TO_NOON, days: ['fr', 'SU'] }
    const found = await proposalsOf(ada, { ...week, hours, minutes: 15 })
    expect([found.length, ...new Set(found.map(({ from }) => from.slice(0, 10)))]).toEqual([
      20,
      '2026-03-06',
      '2026-03-08',
    ])
    expect(await proposalsOf(ada, { from: '2026-03-02', to: '2026-03-04' })).toEqual([])
  })

  test('follow the clock on the days on which it changes', async () => {
    const ada = await sharer(h)
    await h.db.update(settings).set({ timeZone: 'Europe/Berlin' }).where(eq(settings.userId, ada.row.id))
    const night = { from: '01:00', to: '04:00' }
    const between = async (day: string, to: string) =>
      (await proposalsOf(ada, { from: day, to, minutes: 60, hours: night })).map(({ from }) => from.slice(11))
    expect((await between('2026-03-29', '2026-03-30')).at(-1)).toBe('03:00:00+02:00')
    expect(await between('2026-03-29', '2026-03-30')).toHaveLength(5)
    expect(await between('2026-10-25', '2026-10-26')).toHaveLength(13)
  })
})

describe('what is asked', () => {
  test.each([
    ['a stranger', { with: [999_999] }, [404, 'Connection not found']],
    ['no id', { with: [-1] }, [404, 'Connection not found']],
    ['an event that is not seen', { except_event_id: 999_999 }, [404, 'Event not found']],
    ['no event', { except_event_id: -1 }, [404, 'Event not found']],
    ['a long span', { to: '2027-04-20' }, [422, 'body.to']],
    ['an empty span', { to: DAY }, [422, 'body.to']],
    ['backward hours', { hours: { from: '12:00', to: '09:00' } }, [422, 'body.hours.to']],
    ['no hours', { hours: { from: '12:00', to: '12:00' } }, [422, 'body.hours.to']],
    ['another day', { hours: { ...NINE_TO_NOON, days: ['Montag'] } }, [422, 'body.hours.days.0']],
    ['a moment', { minutes: 4 }, [422, 'body.minutes']],
    ['two days', { minutes: 1441 }, [422, 'body.minutes']],
    ['21 people', { with: Array.from({ length: 21 }, (_, id) => id + 1) }, [422, 'body.with']],
  ])('is refused for %s', async (_, fields, expected) => {
    const ada = await sharer(h)
    const { status, body } = await ask(ada, fields)
    expect([status, body.errors?.[0]?.field ?? body.detail]).toEqual(expected)
  })

  test('may name the caller and the same person twice', async () => {
    const { ada, bob } = await shared()
    const { body } = await ask(ada, { with: [bob.row.id, ada.row.id, bob.row.id] })
    expect(body.people.map(({ user_id }: { user_id: number }) => user_id)).toEqual([ada.row.id, bob.row.id])
  })

  test('is refused beyond 5 000 occurrences in the span, however many there are elsewhere', async () => {
    const ada = await sharer(h)
    const id = await calendarOf(ada)
    await sql`
      insert into events (calendar_id, title, all_day, start_at, end_at, start_wall, time_zone, last_end_at, created_at, updated_at)
      select ${id}, 'E', false, start, start + interval '1 hour', start at time zone 'UTC', 'UTC', start + interval '1 hour', now(), now()
      from generate_series(1, 10000) n, lateral (select timestamptz '2026-04-01 08:00Z' + n * interval '1 minute') as at (start)`
    expect(await times(ada)).toEqual(FROM_NINE)
    expect((await ask(ada, { to: '2026-05-01' })).body).toEqual({ detail: 'Narrow the window' })
    expect(
      await proposalsOf(ada, { ...ANY_TIME, from: '2026-04-01', to: '2026-04-04', minutes: 540 }),
    ).toHaveLength(5)
  })
})
