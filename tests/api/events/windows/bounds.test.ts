import { describe, expect, test } from 'bun:test'
import { calendar, calendarOf, importInto } from '../../../support/calendar-files'
import { at, invite, organiser } from '../../../support/events'
import type { Actor } from '../../../support/harness'
import { observed, rowsReadBy, type Statement } from '../../../support/statements'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const sql = useSql(h)

const MiB = 1024 * 1024
const LONG = '𝒳'.repeat(10_000)
const DAY = '2026-03-10'
const NEXT = '2026-03-11'
const hours = { start_at: `${DAY}T09:00`, end_at: `${DAY}T10:00` }
const TOO_MUCH = [422, { detail: 'Narrow the window' }]

const windowOf = async (actor: Actor, query: string) => {
  using statements = observed(h.db)
  const { status, body } = await actor.request('GET', `/api/events?${query}`)
  return { status, body, statements: [...statements] }
}
const day = (more = '') => `from=${DAY}&to=${NEXT}${more}`

/** Single events of an hour of the day, in the default calendar. */
async function insertMany(actor: Actor, count: number, description: string) {
  const id = await calendarOf(actor)
  await sql`
    insert into events (calendar_id, title, description, all_day, start_at, end_at, start_wall, time_zone, last_end_at, created_at, updated_at)
    select ${id}, 'E' || n, ${description}, false, ${`${DAY}T08:00Z`}, ${`${DAY}T09:00Z`}, ${`${DAY} 08:00`}::text::timestamp, 'UTC', ${`${DAY}T09:00Z`}, now(), now()
    from generate_series(1, ${count}) n`
}

/** Characters of all that the statements answer. */
async function charactersOf(statements: readonly Statement[]) {
  let count = 0
  for (const { text, params } of statements) {
    const rows = await sql.unsafe(text, params as string[]).values()
    count += JSON.stringify(rows).length
  }
  return count
}

describe('a window', () => {
  test('is refused beyond 8 MiB before long texts are read, also where one event repeats its own', async () => {
    const ada = await organiser(h)
    const rule = 'FREQ=DAILY;BYHOUR=0,2,4,6,8,10,12,14,16,18,20,22;BYMINUTE=0'
    const times = { start_at: '2026-01-01T00:00', end_at: '2026-01-01T00:01', time_zone: 'UTC' }
    const event = await ada.create({ ...times, description: LONG, recurrence_rule: rule })
    const refused = await windowOf(ada, 'from=2026-01-01&to=2027-02-04')
    expect([refused.status, refused.body]).toEqual(TOO_MUCH)
    expect(await charactersOf(refused.statements)).toBeLessThan(10_000)
    const occurrences = await ada.occurrences(event.id, '2026-01-01', '2027-02-04')
    expect([occurrences.status, occurrences.body]).toEqual(TOO_MUCH)
    const shown = await ada.list('2026-02-01', '2026-02-15')
    expect(shown).toHaveLength(14 * 12)
    expect(shown.every(({ description }) => description === LONG)).toBe(true)
  })

  test('reads no long texts of events that q or the bound leaves out', async () => {
    const ada = await organiser(h)
    await insertMany(ada, 3000, LONG)
    await ada.create({ title: 'Zzz', description: `${LONG.slice(2)}.`, ...hours })
    const [none, one, all] = [
      await windowOf(ada, day('&q=zzzz')),
      await windowOf(ada, day('&q=zZz')),
      await windowOf(ada, day()),
    ]
    expect([none.body, [all.status, all.body]]).toEqual([
      { events: [], invitations_truncated: false },
      TOO_MUCH,
    ])
    expect(one.body.events).toMatchObject([{ title: 'Zzz', description: `${LONG.slice(2)}.` }])
    expect(await charactersOf(none.statements)).toBeLessThan(10_000)
    expect(await charactersOf(one.statements)).toBeLessThan(40_000)
    expect(await charactersOf(all.statements)).toBeLessThan(3 * MiB)
    expect((await ada.dashboard(DAY)).body.events).toHaveLength(50)
  })

  test('counts characters that JSON escapes as they are sent', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    await insertMany(ada, 480, '"'.repeat(10_000))
    await insertMany(bob, 480, 'x'.repeat(10_000))
    const refused = await windowOf(ada, day())
    expect([refused.status, refused.body]).toEqual(TOO_MUCH)
    expect(await bob.list(DAY, NEXT)).toHaveLength(480)
  })

  test('reads no more of 20 000 events than it needs to count 5 000 occurrences', async () => {
    const ada = await organiser(h)
    await insertMany(ada, 20_000, 'x')
    const refused = await windowOf(ada, day())
    expect([refused.status, refused.body]).toEqual(TOO_MUCH)
    expect(await charactersOf(refused.statements)).toBeLessThan(2.5 * MiB)
    expect((await windowOf(ada, day('&q=E19999'))).body.events).toHaveLength(1)
  })

  test('shows the long text of an override, and finds what it alone says', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({
      ...hours,
      description: `${LONG.slice(4)}ab`,
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
    })
    const own = `Ünique${LONG.slice(20)}`
    await ada.change(id, { description: own }, at(`${NEXT}T09:00`))
    await ada.change(id, { description: null }, at('2026-03-12T09:00'))
    const texts = async (query = {}) =>
      (await ada.list(DAY, '2026-03-20', query)).map(({ description }) => description)
    expect(await texts()).toEqual([`${LONG.slice(4)}ab`, own, null])
    expect(await texts({ q: 'üNIQUE' })).toEqual([own])
    expect(await texts({ q: 'ab' })).toEqual([`${LONG.slice(4)}ab`])
    expect(await texts({ q: 'choir' })).toHaveLength(3)
  })

  test('lets others in while it expands many series', async () => {
    const ada = await organiser(h)
    for (let made = 0; made < 5; made++) await ada.create({ ...hours, recurrence_rule: 'FREQ=DAILY' })
    let [asked, paused] = [0, 0]
    Object.assign(h.clock, { monotonic: () => (asked += 11), sleep: async () => void paused++ })
    try {
      expect(await ada.list(DAY, NEXT)).toHaveLength(5)
    } finally {
      for (const own of ['monotonic', 'sleep']) Reflect.deleteProperty(h.clock, own)
    }
    expect(paused).toBeGreaterThanOrEqual(5)
  })
})

describe('extra starts', () => {
  const datesOf = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      new Date(Date.UTC(2026, 2, 1) + i * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''),
    ).join()

  test('are read by a window and by the dashboard in their days alone', async () => {
    const ada = await organiser(h)
    const file = calendar(
      ...Array.from({ length: 20 }, (_, i) => [
        `UID:d${i}`,
        'DTSTART;VALUE=DATE:20260101',
        'SUMMARY:X',
        `RDATE;VALUE=DATE:${datesOf(1000)}`,
      ]),
    )
    await importInto(ada, await calendarOf(ada), file)
    await sql`analyze event_extra_starts`
    const rowsOf = async (statements: readonly Statement[]) => {
      let count = 0
      for (const one of statements.filter(({ text }) => text.includes('event_extra_starts')))
        count += await rowsReadBy(sql, one, 'event_extra_starts')
      return count
    }
    const month = await windowOf(ada, 'from=2026-03-10&to=2026-03-20')
    expect([month.body.events.length, await rowsOf(month.statements)]).toEqual([200, 200])
    using statements = observed(h.db)
    const { body } = await ada.dashboard(DAY)
    expect([body.events.length, await rowsOf([...statements])]).toEqual([20, 20])
  })

  test('are not counted where they do not take place, and show where they were moved', async () => {
    const ada = await organiser(h)
    const file = calendar([
      'UID:x',
      'DTSTART;TZID=Pacific/Kiritimati:20260301T010000',
      'DTEND;TZID=Pacific/Kiritimati:20260301T020000',
      'SUMMARY:X',
      'RDATE;TZID=Pacific/Kiritimati:20260310T010000,20260311T010000,20260312T010000',
      'EXDATE;TZID=Pacific/Kiritimati:20260311T010000',
    ])
    await importInto(ada, await calendarOf(ada), file)
    expect(await ada.starts('2026-03-09', '2026-03-12')).toEqual([
      '2026-03-09T12:00:00+01:00',
      '2026-03-11T12:00:00+01:00',
    ])
    expect(await ada.starts('2026-03-10', '2026-03-11')).toEqual([])
  })
})

describe('an invitation', () => {
  const ALL = Array.from({ length: 60 }, (_, i) => i).join()
  const EACH_SECOND = `FREQ=DAILY;BYHOUR=${ALL.slice(0, ALL.indexOf(',24'))};BYMINUTE=${ALL};BYSECOND=${ALL}`

  /** A rule as it was stored before there was a bound of occurrences a day. */
  async function spam(
    eve: Awaited<ReturnType<typeof organiser>>,
    userId: number,
    response: 'Going' | null = null,
  ) {
    const times = { start_at: `${DAY}T00:00`, end_at: `${DAY}T00:00`, time_zone: 'Europe/Berlin' }
    const event = await eve.create({ title: 'spam', ...times, recurrence_rule: 'FREQ=DAILY' })
    await sql`update events set recurrence_rule = ${EACH_SECOND} where id = ${event.id}`
    const invitation = await invite(h, { eventId: event.id, userId, response })
    return { event, invitation }
  }
  const titles = (events: Array<{ title: string }>) =>
    Object.fromEntries(
      Map.groupBy(events, ({ title }) => title)
        .entries()
        .map(([title, { length }]) => [title, length]),
    )

  test('leaves the window readable: its first 500 occurrences show, and the answer says so', async () => {
    const [eve, vic] = [await organiser(h), await organiser(h)]
    const dentist = { title: 'dentist', start_at: `${DAY}T23:50`, end_at: `${DAY}T23:55` }
    await vic.create(dentist)
    const { event } = await spam(eve, vic.row.id)
    const { status, body } = await windowOf(vic, day())
    expect([status, body.invitations_truncated, titles(body.events)]).toEqual([
      200,
      true,
      { dentist: 1, spam: 500 },
    ])
    expect(body.events[499]).toMatchObject({ title: 'spam', start_at: `${DAY}T00:08:19+01:00` })
    expect(body.events[500]).toMatchObject({ title: 'dentist' })
    const { body: own } = await vic.occurrences(event.id, DAY, NEXT)
    expect([own.occurrences.length, own.invitations_truncated]).toEqual([500, true])
    const refused = await eve.occurrences(event.id, DAY, NEXT)
    expect([refused.status, refused.body]).toEqual(TOO_MUCH)
  })

  test('never fails a window after it is accepted either, however dense its organiser makes it', async () => {
    const [eve, vic] = [await organiser(h), await organiser(h)]
    await vic.create({ title: 'dentist', start_at: `${DAY}T23:50`, end_at: `${DAY}T23:55` })
    await spam(eve, vic.row.id, 'Going')
    const { status, body } = await windowOf(vic, day())
    expect([status, body.invitations_truncated, titles(body.events)]).toEqual([
      200,
      true,
      { dentist: 1, spam: 2000 },
    ])
    const dashboard = await vic.request('GET', `/api/dashboard?date=${DAY}`)
    expect(titles(dashboard.body.events)).toEqual({ dentist: 1, spam: 49 })
  })

  test('leaves own events on the dashboard, in the order of time', async () => {
    const [eve, vic] = [await organiser(h), await organiser(h)]
    for (let hour = 10; hour < 22; hour++) {
      await vic.create({ title: `own`, start_at: `${DAY}T${hour}:00`, end_at: `${DAY}T${hour}:30` })
    }
    await spam(eve, vic.row.id)
    const shown = async () => (await vic.dashboard(DAY)).body
    const { events, invitations_truncated } = await shown()
    expect([titles(events), invitations_truncated]).toEqual([{ spam: 38, own: 12 }, true])
    const starts = events.map(({ start_at }: { start_at: string }) => start_at)
    expect(starts).toEqual(starts.toSorted())
    await insertMany(vic, 50, 'x')
    expect(Object.values(titles((await shown()).events)).reduce((a, b) => a + b)).toBe(50)
    expect(titles((await shown()).events)).not.toHaveProperty('spam')
  })

  test('shows an occurrence that was answered, wherever in the series it is', async () => {
    const [eve, vic] = [await organiser(h), await organiser(h)]
    const { invitation } = await spam(eve, vic.row.id)
    await sql`
      insert into occurrence_responses (invitation_id, occurrence_start, response, created_at, updated_at)
      values (${invitation.id}, ${`${DAY} 20:00:00`}::text::timestamp, 'Going', now(), now())`
    const { body } = await windowOf(vic, day())
    expect([body.events.length, body.events.at(-1).start_at]).toEqual([501, `${DAY}T20:00:00+01:00`])
  })

  test('takes no more than 1 MiB of an answer, and never fails it', async () => {
    const [eve, vic] = [await organiser(h), await organiser(h)]
    await vic.create({ title: 'late', start_at: `${DAY}T20:00`, end_at: `${DAY}T21:00` })
    await insertMany(eve, 300, LONG)
    const now = h.clock.now()
    await sql`
      insert into event_invitations (event_id, user_id, created_at, updated_at)
      select id, ${vic.row.id}, ${now}, ${now} from events where calendar_id = ${await calendarOf(eve)}`
    const { status, body } = await windowOf(vic, day())
    expect([status, body.invitations_truncated, body.events.at(-1).title]).toEqual([200, true, 'late'])
    expect(body.events.length).toBeGreaterThan(20)
    expect(JSON.stringify(body).length).toBeLessThan(MiB)
  })

  test('is left out where its organiser has filled the window with overrides, and nothing else is', async () => {
    const [eve, vic] = [await organiser(h), await organiser(h)]
    await vic.create({ title: 'own', ...hours, recurrence_rule: 'FREQ=DAILY' })
    const { event } = await spam(eve, vic.row.id)
    await sql`
      insert into event_occurrences (event_id, occurrence_start, changes, created_at, updated_at)
      select ${event.id}, ${DAY}::date + n * interval '1 second', '{"title": "x"}', now(), now() from generate_series(0, 3000) n`
    const { body } = await windowOf(vic, day())
    expect([body.invitations_truncated, titles(body.events)]).toEqual([true, { own: 1 }])
  })
})
