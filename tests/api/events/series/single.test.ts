import { describe, expect, test } from 'bun:test'
import { at, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const MEETING = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:30' }
const TRIP = { all_day: true, start_date: '2026-03-10', end_date: '2026-03-12' }
const DAILY = { ...MEETING, recurrence_rule: 'FREQ=DAILY;COUNT=4' }

describe('changing a single event', () => {
  test('changes what is given, clears what is null and leaves the rest', async () => {
    const ada = await organiser(h)
    const event = await ada.create({ ...MEETING, description: 'd', location: 'l', reminder_minutes: 5 })
    h.clock.advance({ minutes: 1 })
    const changed = await ada.change(event.id, { title: 'New', location: null, is_virtual: true, id: 7 })
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
    expect(changed.body).toEqual({
      ...event,
      title: 'New',
      location: null,
      version: 2,
      updated_at: expect.not.stringMatching(event.updated_at),
    })
    expect((await ada.read(event.id)).body).toEqual(changed.body)
  })

  test('keeps the exact duration with a new start, and the start with a new end', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(MEETING)
    expect((await ada.change(id, { start_at: '2026-03-28T23:00' })).body).toMatchObject({
      start_at: '2026-03-28T23:00:00+01:00',
      end_at: '2026-03-29T00:30:00+01:00',
    })
    expect((await ada.change(id, { end_at: '2026-03-29T04:00' })).body).toMatchObject({
      start_at: '2026-03-28T23:00:00+01:00',
      end_at: '2026-03-29T04:00:00+02:00',
    })
    // Four hours took the clocks from 23:00 to 4:00.
    expect((await ada.change(id, { start_at: '2026-04-10T23:00' })).body.end_at).toBe(
      '2026-04-11T03:00:00+02:00',
    )
    const trip = await ada.create(TRIP)
    expect((await ada.change(trip.id, { start_date: '2026-03-28' })).body).toMatchObject({
      start_date: '2026-03-28',
      end_date: '2026-03-30',
    })
  })

  test('makes it all-day, and timed again, with the times of the other kind', async () => {
    const ada = await organiser(h)
    const event = await ada.create(MEETING)
    for (const [body, field] of [
      [{ all_day: true }, 'start_date'],
      [{ all_day: true, start_date: '2026-03-10' }, 'end_date'],
      [{ start_date: '2026-03-10', end_date: '2026-03-10' }, 'start_date'],
      [
        { all_day: true, start_date: '2026-03-10', end_date: '2026-03-10', end_at: '2026-03-10T09:00' },
        'end_at',
      ],
    ] as const) {
      const refused = await ada.change(event.id, body)
      expect([refused.status, refused.body.errors[0].field]).toEqual([422, `body.${field}`])
    }
    expect((await ada.read(event.id)).body).toEqual(event)
    const day = (await ada.change(event.id, { ...TRIP, start_at: null, end_at: null, time_zone: null })).body
    expect(day).toMatchObject({ ...TRIP, start_at: null, end_at: null, time_zone: null })
    const refused = await ada.change(event.id, { all_day: false })
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'body.start_at'])
    const timed = (await ada.change(event.id, { all_day: false, ...MEETING })).body
    expect(timed).toMatchObject({ start_at: event.start_at, time_zone: 'Europe/Berlin', start_date: null })
  })

  test.each([
    [{ start_at: null }, 'start_at'],
    [{ end_at: '2026-03-10T08:00' }, 'end_at'],
    [{ start_at: '2200-12-31T23:30' }, 'end_at'],
    [{ title: null }, 'title'],
    [{ all_day: null }, 'all_day'],
    [{ recurrence_rule: 'FREQ=SECONDLY' }, 'recurrence_rule'],
  ])('refuses %j', async (body, field) => {
    const ada = await organiser(h)
    const event = await ada.create(MEETING)
    const refused = await ada.change(event.id, body)
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, `body.${field}`])
    expect((await ada.read(event.id)).body).toEqual(event)
  })

  test('moves it to another calendar of the owner, and to nobody else’s', async () => {
    const [ada, eve] = [await organiser(h), await organiser(h)]
    const event = await ada.create(MEETING)
    const band = await ada.createCalendar('Band')
    const moved = await ada.change(event.id, { calendar_id: band.id })
    expect(moved.body).toMatchObject({ calendar_id: band.id, calendar_name: 'Band' })
    const foreign = (await eve.create(MEETING)).calendar_id
    for (const calendar_id of [foreign, 2_147_483_647]) {
      const refused = await ada.change(event.id, { calendar_id, title: 'x' })
      expect([refused.status, refused.body]).toEqual([404, { detail: 'Calendar not found' }])
    }
    expect((await ada.read(event.id)).body).toEqual(moved.body)
  })

  test('changes what the clock shows, not when it takes place, with another zone', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(MEETING)
    const changed = await ada.change(id, { time_zone: 'America/Toronto' })
    expect(changed.body).toMatchObject({
      start_at: '2026-03-10T09:00:00+01:00',
      time_zone: 'America/Toronto',
    })
    const moved = await ada.change(id, { start_at: '2026-03-10T09:00' })
    expect(moved.body.start_at).toBe('2026-03-10T14:00:00+01:00')
  })

  test('finds no occurrence of it', async () => {
    const ada = await organiser(h)
    const event = await ada.create(MEETING)
    for (const scope of ['all', 'this', 'following']) {
      const query = at('2026-03-10T09:00', scope)
      for (const refused of [await ada.change(event.id, {}, query), await ada.remove(event.id, query)]) {
        expect([refused.status, refused.body]).toEqual([404, { detail: 'Occurrence not found' }])
      }
    }
    expect((await ada.read(event.id)).body).toEqual(event)
  })
})

describe('the occurrence of a change', () => {
  test.each(['this', 'following'])('must be named for the scope %s', async (scope) => {
    const ada = await organiser(h)
    const event = await ada.create(DAILY)
    for (const refused of [
      await ada.change(event.id, { title: 'x' }, { scope }),
      await ada.remove(event.id, { scope }),
    ]) {
      expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'query.occurrence_start'])
    }
    expect((await ada.read(event.id)).body).toEqual(event)
  })

  test('must be one of the series', async () => {
    const ada = await organiser(h)
    const event = await ada.create(DAILY)
    for (const start of ['2026-03-10T09:01', '2026-03-14T09:00', '2026-03-09T09:00', '2026-03-10']) {
      for (const scope of ['all', 'this', 'following']) {
        const refused = await ada.change(event.id, { title: 'x' }, at(start, scope))
        expect([refused.status, refused.body]).toEqual([404, { detail: 'Occurrence not found' }])
      }
    }
    const nonsense = await ada.change(event.id, { title: 'x' }, at('tomorrow'))
    expect([nonsense.status, nonsense.body.errors[0].field]).toEqual([422, 'query.occurrence_start'])
    const scope = await ada.change(event.id, { title: 'x' }, at('2026-03-10T09:00', 'some'))
    expect([scope.status, scope.body.errors[0].field]).toEqual([422, 'query.scope'])
    expect((await ada.read(event.id)).body).toEqual(event)
  })

  test('is named by any spelling of its start', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...DAILY, time_zone: 'America/Toronto' })
    for (const start of ['2026-03-11T09:00', '2026-03-11T14:00:00+01:00', '2026-03-11T13:00:00.000Z']) {
      const changed = await ada.change(id, { title: start }, at(start))
      expect(changed.body).toMatchObject({ title: start, occurrence_start: '2026-03-11T14:00:00+01:00' })
    }
    // As browsers' address lines send it: the plus of the offset arrives as a space.
    const raw = `/api/events/${id}?scope=this&occurrence_start=2026-03-11T14:00:00+01:00`
    expect((await ada.request('PUT', raw, { body: { title: 'Raw' } })).body).toMatchObject({ title: 'Raw' })
  })
})
