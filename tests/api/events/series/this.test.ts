import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { eventOccurrences, occurrenceResponses } from '../../../../src/db/schema'
import { at, invite, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const DAILY = {
  start_at: '2026-03-10T09:00',
  end_at: '2026-03-10T10:30',
  description: 'Bring scores',
  location: 'Hall',
  recurrence_rule: 'FREQ=DAILY;COUNT=4',
}
const SECOND = at('2026-03-11T09:00')
const MARCH = ['2026-03-01', '2026-04-05'] as const
const rowsOf = (id: number) => h.db.select().from(eventOccurrences).where(eq(eventOccurrences.eventId, id))

describe('changing one occurrence', () => {
  test('answers the occurrence, and changes no other', async () => {
    const ada = await organiser(h)
    const event = await ada.create(DAILY)
    const changed = await ada.change(event.id, { title: 'Concert', end_at: '2026-03-11T12:00' }, SECOND)
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
    expect(changed.body).toEqual({
      ...event,
      title: 'Concert',
      start_at: '2026-03-11T09:00:00+01:00',
      end_at: '2026-03-11T12:00:00+01:00',
      occurrence_start: '2026-03-11T09:00:00+01:00',
      is_override: true,
      version: 2,
      updated_at: expect.any(String),
    })
    const shown = await ada.list(...MARCH)
    expect(shown.map((one) => [one.title, one.is_override])).toEqual([
      ['Choir', false],
      ['Concert', true],
      ['Choir', false],
      ['Choir', false],
    ])
    expect(shown[1]).toEqual(changed.body)
    expect((await ada.read(event.id)).body).toMatchObject({ title: 'Choir', is_override: false, version: 2 })
  })

  test('lets the fields that it does not set follow the series later', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(DAILY)
    await ada.change(id, { location: 'Church' }, SECOND)
    await ada.change(id, { title: 'Rehearsal', location: 'Cellar', start_at: '2026-03-10T18:00' })
    const [, second] = await ada.list(...MARCH)
    expect(second).toMatchObject({
      title: 'Rehearsal',
      location: 'Church',
      start_at: '2026-03-11T18:00:00+01:00',
      end_at: '2026-03-11T19:30:00+01:00',
      is_override: true,
    })
  })

  test('adds to what was set before, and sets null too', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...DAILY, reminder_minutes: 10 })
    await ada.change(id, { title: 'Concert' }, SECOND)
    await ada.change(id, { location: null, reminder_minutes: null }, SECOND)
    const again = await ada.change(id, { start_at: '2026-03-11T20:00' }, SECOND)
    expect(again.body).toMatchObject({
      title: 'Concert',
      location: null,
      reminder_minutes: null,
      description: 'Bring scores',
      start_at: '2026-03-11T20:00:00+01:00',
      end_at: '2026-03-11T21:30:00+01:00',
    })
    await ada.change(id, { location: 'Cellar' })
    expect((await ada.list(...MARCH))[1]).toMatchObject({ location: null })
  })

  test('lets a field that is set back follow the series again, and ends the override with the last one', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(DAILY)
    await ada.change(id, { title: 'Concert', start_at: '2026-03-11T20:00' }, SECOND)
    const half = await ada.change(id, { title: 'Choir' }, SECOND)
    expect(half.body).toMatchObject({
      title: 'Choir',
      start_at: '2026-03-11T20:00:00+01:00',
      is_override: true,
    })
    const back = await ada.change(id, { start_at: '2026-03-11T09:00' }, SECOND)
    expect(back.body).toMatchObject({ is_override: false, start_at: '2026-03-11T09:00:00+01:00' })
    expect(await rowsOf(id)).toEqual([])
    await ada.change(id, { title: 'Rehearsal' })
    expect((await ada.list(...MARCH)).map(({ title }) => title)).toEqual(Array(4).fill('Rehearsal'))
  })

  test.each([
    [{ recurrence_rule: 'FREQ=DAILY' }, 'recurrence_rule'],
    [{ recurrence_rule: null }, 'recurrence_rule'],
    [{ calendar_id: 1 }, 'calendar_id'],
    [{ all_day: true, start_date: '2026-03-11', end_date: '2026-03-11' }, 'all_day'],
    [{ time_zone: 'Asia/Tokyo' }, 'time_zone'],
    [{ end_at: '2026-03-11T08:00' }, 'end_at'],
    [{ start_date: '2026-03-11' }, 'start_date'],
  ])('refuses %j', async (body, field) => {
    const ada = await organiser(h)
    const event = await ada.create(DAILY)
    const refused = await ada.change(event.id, { title: 'x', ...body }, SECOND)
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, `body.${field}`])
    expect((await ada.read(event.id)).body).toEqual(event)
    expect(await rowsOf(event.id)).toEqual([])
  })

  test('changes nothing when it is sent back as it was read', async () => {
    const ada = await organiser(h)
    const { recurrence_rule } = DAILY
    await ada.create(DAILY)
    await ada.create({ all_day: true, start_date: '2026-03-10', end_date: '2026-03-10', recurrence_rule })
    for (const one of await ada.list('2026-03-11', '2026-03-12')) {
      const { occurrence_start } = one
      const changed = await ada.change(one.id, one, at(occurrence_start))
      expect([changed.status, changed.body]).toEqual([200, { ...one, version: one.version + 1 }])
      expect(await rowsOf(one.id)).toEqual([])
    }
  })

  test('takes wall times in the zone of the event, and that zone beside them', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...DAILY, time_zone: 'America/Toronto' })
    const changed = await ada.change(
      id,
      { start_at: '2026-03-11T10:00', time_zone: 'America/Toronto' },
      SECOND,
    )
    expect(changed.body.start_at).toBe('2026-03-11T15:00:00+01:00')
  })

  test('can move it to another occurrence’s time, and both are shown', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(DAILY)
    await ada.change(id, { start_at: '2026-03-12T09:00' }, SECOND)
    expect(
      (await ada.list(...MARCH)).map((one) => [one.start_at.slice(8, 10), one.occurrence_start.slice(8, 10)]),
    ).toEqual([
      ['10', '10'],
      ['12', '11'],
      ['12', '12'],
      ['13', '13'],
    ])
  })

  test('changes one day of an all-day series', async () => {
    const ada = await organiser(h)
    const trip = {
      all_day: true,
      start_date: '2026-03-10',
      end_date: '2026-03-11',
      recurrence_rule: 'FREQ=WEEKLY;COUNT=3',
    }
    const { id } = await ada.create(trip)
    const query = at('2026-03-17')
    const changed = await ada.change(id, { start_date: '2026-03-20' }, query)
    expect(changed.body).toMatchObject({
      start_date: '2026-03-20',
      end_date: '2026-03-21',
      occurrence_start: '2026-03-17',
    })
    await ada.change(id, { start_date: '2026-03-11' })
    expect((await ada.list(...MARCH)).map((one) => [one.occurrence_start, one.start_date])).toEqual([
      ['2026-03-11', '2026-03-11'],
      ['2026-03-18', '2026-03-21'],
      ['2026-03-25', '2026-03-25'],
    ])
  })

  test('belongs to the same occurrence when the series moves, also where daylight saving moved it', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({
      start_at: '2026-03-28T02:30',
      end_at: '2026-03-28T03:00',
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
    })
    const query = at('2026-03-29T03:30+02:00')
    await ada.change(id, { title: 'Night' }, query)
    await ada.change(id, { start_at: '2026-03-28T04:30' })
    expect((await ada.list(...MARCH)).map((one) => [one.title, one.start_at])).toEqual([
      ['Choir', '2026-03-28T04:30:00+01:00'],
      ['Night', '2026-03-29T04:30:00+02:00'],
      ['Choir', '2026-03-30T04:30:00+02:00'],
    ])
  })

  test('forgets the answers to it when it is deleted', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    const { id } = await ada.create(DAILY)
    const answers = { '2026-03-11T09:00': 'Going', '2026-03-12T09:00': 'Going' } as const
    const invitation = await invite(h, { eventId: id, userId: bob.row.id, answers })
    await ada.remove(id, SECOND)
    const left = await h.db
      .select()
      .from(occurrenceResponses)
      .where(eq(occurrenceResponses.invitationId, invitation.id))
    expect(left.map(({ occurrenceStart }) => occurrenceStart)).toEqual(['2026-03-12 09:00:00'])
  })
})
