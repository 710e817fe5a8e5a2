import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { events } from '../../../../src/db/schema'
import { at, birthdaysOf, organiser } from '../../../support/events'
import { pausesOf } from '../../../support/pauses'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const TIMED = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:30' }
const ALL_DAY = { all_day: true, start_date: '2026-03-10', end_date: '2026-03-12' }

describe('POST /api/events', () => {
  test('answers every field of a timed event, in the default calendar and the zone of the user', async () => {
    const ada = await organiser(h, 'America/Toronto')
    const calendars = (await ada.calendars()).body.calendars
    const personal = calendars.find((calendar: { is_default: boolean }) => calendar.is_default)
    const answered = await ada.attempt({ title: ' Choir ', location: 'Hall', ...TIMED })
    expect([answered.status, answered.headers.get('etag')]).toEqual([201, '"1"'])
    expect(answered.body).toEqual({
      id: expect.any(Number),
      calendar_id: personal.id,
      calendar_name: 'Personal',
      calendar_color: '#3b82f6',
      title: 'Choir',
      description: null,
      location: 'Hall',
      all_day: false,
      start_at: '2026-03-10T14:00:00+01:00',
      end_at: '2026-03-10T15:30:00+01:00',
      time_zone: 'America/Toronto',
      start_date: null,
      end_date: null,
      recurrence_rule: null,
      recurrence_unsupported: false,
      reminder_minutes: null,
      visibility: 'public',
      access: 'owner',
      my_invitation: null,
      is_virtual: false,
      occurrence_start: null,
      is_override: false,
      version: 1,
      created_at: '2026-03-04T10:30:00+01:00',
      updated_at: '2026-03-04T10:30:00+01:00',
    })
    const read = await ada.read(answered.body.id)
    expect([read.status, read.headers.get('etag'), read.body]).toEqual([200, '"1"', answered.body])
  })

  test('answers an all-day event by its days', async () => {
    const ada = await organiser(h)
    const texts = { description: 'Two\nlines', reminder_minutes: 40_320 }
    const event = await ada.create({ ...ALL_DAY, ...texts, time_zone: 'Asia/Tokyo' })
    expect(event).toMatchObject({
      ...ALL_DAY,
      start_at: null,
      end_at: null,
      time_zone: null,
      description: 'Two\nlines',
      reminder_minutes: 40_320,
    })
  })

  test('takes a date-time without an offset as wall time in the zone of the event', async () => {
    const ada = await organiser(h, 'America/Toronto')
    const event = await ada.create({ ...TIMED, time_zone: 'Asia/Tokyo' })
    expect(event).toMatchObject({ start_at: '2026-03-10T01:00:00+01:00', time_zone: 'Asia/Tokyo' })
    const zulu = await ada.create({
      start_at: '2026-03-10T09:00Z',
      end_at: '2026-03-10T12:00+02:00',
      time_zone: 'Asia/Tokyo',
    })
    expect(zulu).toMatchObject({
      start_at: '2026-03-10T10:00:00+01:00',
      end_at: '2026-03-10T11:00:00+01:00',
    })
  })

  test('accepts aliases of zones and keeps them as they were given', async () => {
    const ada = await organiser(h)
    const event = await ada.create({ ...TIMED, time_zone: 'Europe/Kiev', recurrence_rule: 'FREQ=DAILY' })
    expect(event).toMatchObject({ time_zone: 'Europe/Kiev', start_at: '2026-03-10T08:00:00+01:00' })
  })

  test.each([
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ description: 'x'.repeat(10_001) }, 'description'],
    [{ location: 'x'.repeat(501) }, 'location'],
    [{ end_at: '2026-03-10T08:59' }, 'end_at'],
    [{ start_at: undefined }, 'start_at'],
    [{ end_at: null }, 'end_at'],
    [{ start_at: '2026-02-30T09:00' }, 'start_at'],
    [{ start_at: '1899-12-31T09:00' }, 'start_at'],
    [{ end_at: '2201-01-01T09:00' }, 'end_at'],
    [{ time_zone: 'Europe/Atlantis' }, 'time_zone'],
    [{ time_zone: '+01:00' }, 'time_zone'],
    [{ start_date: '2026-03-10' }, 'start_date'],
    [{ ...ALL_DAY }, 'start_at'],
    [{ all_day: true, start_at: undefined, end_at: undefined }, 'start_date'],
    [{ ...ALL_DAY, start_at: undefined, end_at: undefined, end_date: '2026-03-09' }, 'end_date'],
    [{ reminder_minutes: 40_321 }, 'reminder_minutes'],
    [{ reminder_minutes: -1 }, 'reminder_minutes'],
    [{ recurrence_rule: 'FREQ=DAILY;INTERVAL=0' }, 'recurrence_rule'],
    [{ recurrence_rule: 'FREQ=SECONDLY' }, 'recurrence_rule'],
    [{ recurrence_rule: 'FREQ=HOURLY' }, 'recurrence_rule'],
    [{ recurrence_rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'recurrence_rule'],
    [{ recurrence_rule: 'FREQ=DAILY;COUNT=2;UNTIL=20270101' }, 'recurrence_rule'],
    [{ recurrence_rule: 'every day' }, 'recurrence_rule'],
    [{ title: 'a\u0000b' }, 'title'],
  ])('refuses %j and names %s', async (fields, field) => {
    const ada = await organiser(h)
    const refused = await ada.attempt({ ...TIMED, ...fields })
    expect(refused.status).toBe(422)
    expect(refused.body.errors[0].field).toBe(`body.${field}`)
    expect(await ada.list('2026-03-01', '2026-03-31')).toEqual([])
  })

  test('takes an event that takes no time', async () => {
    const ada = await organiser(h)
    const event = await ada.create({ start_at: '2026-03-10T09:00', end_at: '2026-03-10T09:00' })
    expect(event.end_at).toBe(event.start_at)
  })

  test('keeps the rule as it was given', async () => {
    const ada = await organiser(h)
    const rule = 'FREQ=WEEKLY;BYDAY=TU,FR;COUNT=4'
    const event = await ada.create({ ...TIMED, recurrence_rule: rule })
    expect(event).toMatchObject({ recurrence_rule: rule, occurrence_start: null })
  })

  test('answers the same bytes for a foreign calendar and an absent one', async () => {
    const [ada, eve] = [await organiser(h), await organiser(h)]
    const { calendar_id: foreign } = await ada.create(TIMED)
    for (const id of [foreign, 2_147_483_647]) {
      const refused = await eve.attempt({ ...TIMED, calendar_id: id })
      expect([refused.status, refused.body]).toEqual([404, { detail: 'Calendar not found' }])
    }
  })

  test('the Birthdays calendar takes no events', async () => {
    const ada = await organiser(h)
    const { id } = await birthdaysOf(h, ada.row.id)
    const refused = await ada.attempt({ ...TIMED, calendar_id: id })
    expect([refused.status, refused.body]).toEqual([409, { detail: 'Birthdays are managed through people' }])
    const event = await ada.create(TIMED)
    const moved = await ada.change(event.id, { calendar_id: id })
    expect([moved.status, moved.body.detail]).toEqual([409, 'Birthdays are managed through people'])
    expect((await ada.read(event.id)).body).toEqual(event)
  })
})

describe('events of others', () => {
  test('a foreign event is answered as one that does not exist', async () => {
    const [ada, eve] = [await organiser(h), await organiser(h)]
    const { id } = await ada.create({ ...TIMED, recurrence_rule: 'FREQ=DAILY' })
    for (const other of [id, 2_147_483_647]) {
      const query = at('2026-03-10T09:00')
      const answers = [
        await eve.read(other),
        await eve.change(other, { title: 'Mine' }),
        await eve.change(other, { title: 'Mine' }, query, { 'if-match': '"7"' }),
        await eve.remove(other),
        await eve.occurrences(other, '2026-03-01', '2026-03-31'),
      ]
      for (const { status, body } of answers) {
        expect([status, body]).toEqual([404, { detail: 'Event not found' }])
      }
    }
    expect((await ada.read(id)).body).toMatchObject({ title: 'Choir', version: 1 })
  })

  test.each(['0', '2147483648', 'x', '1.5', '%00'])(
    'an id of %s is answered as that of no event',
    async (id) => {
      const ada = await organiser(h)
      const answered = await ada.request('GET', `/api/events/${id}`)
      expect([answered.status, answered.body]).toEqual([404, { detail: 'Event not found' }])
    },
  )

  test('deleting a calendar deletes its events', async () => {
    const ada = await organiser(h)
    const calendar = await ada.createCalendar('Band')
    const event = await ada.create({ ...TIMED, calendar_id: calendar.id })
    expect(event).toMatchObject({ calendar_name: 'Band', calendar_id: calendar.id })
    expect((await ada.deleteCalendar(calendar.id)).status).toBe(204)
    expect((await ada.read(event.id)).status).toBe(404)
    expect(await h.db.select().from(events).where(eq(events.id, event.id))).toEqual([])
  })
})

describe('POST /api/events/preview-recurrence', () => {
  test('answers the first occurrences and the rule in words, and stores nothing', async () => {
    const ada = await organiser(h)
    const before = (await h.db.select().from(events)).length
    const answered = await ada.preview({
      start: '2026-03-01T19:00',
      time_zone: 'America/Toronto',
      recurrence_rule: 'FREQ=WEEKLY;BYDAY=SU,TU',
      count: 3,
    })
    expect(answered.status).toBe(200)
    expect(answered.body).toEqual({
      occurrences: ['2026-03-02T01:00:00+01:00', '2026-03-04T01:00:00+01:00', '2026-03-09T00:00:00+01:00'],
      text: expect.stringMatching(/\w/),
    })
    expect((await h.db.select().from(events)).length).toBe(before)
  })

  test('answers days for a day, ten unless asked otherwise', async () => {
    const ada = await organiser(h)
    const { body } = await ada.preview({ start: '2026-01-31', recurrence_rule: 'FREQ=MONTHLY' })
    expect(body.occurrences.length).toBe(10)
    expect(body.occurrences.slice(0, 3)).toEqual(['2026-01-31', '2026-03-31', '2026-05-31'])
  })

  test('lets others in while it looks for days that come a few times a century', async () => {
    const ada = await organiser(h)
    const rare = { recurrence_rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU' }
    const { body } = await ada.preview({ start: '1900-01-01', ...rare })
    const years = [1920, 1948, 1976, 2004, 2032, 2060, 2088, 2128, 2156]
    expect(body.occurrences).toEqual(['1900-01-01', ...years.map((year) => `${year}-02-29`)])
    const paused = await pausesOf(h, () => ada.preview({ start: '1900-01-01', count: 50, ...rare }))
    expect(paused).toBeGreaterThan(20)
    const timed = {
      start: '2019-12-31T02:30',
      time_zone: 'Europe/Berlin',
      recurrence_rule: 'FREQ=DAILY',
      count: 8,
    }
    expect((await ada.preview(timed)).body.occurrences.map((start: string) => start.slice(0, 10))).toEqual(
      ['12-31', '01-01', '01-02', '01-03', '01-04', '01-05', '01-06', '01-07'].map((day) =>
        day === '12-31' ? `2019-${day}` : `2020-${day}`,
      ),
    )
  })

  test.each([
    [{ count: 51 }, 'count'],
    [{ count: 0 }, 'count'],
    [{ start: '2026-13-01' }, 'start'],
    [{ recurrence_rule: 'FREQ=DAILY;BYHOUR=9' }, 'recurrence_rule'],
    [{ recurrence_rule: 'FREQ=MINUTELY' }, 'recurrence_rule'],
    [{ time_zone: 'Nowhere' }, 'time_zone'],
  ])('refuses %j and names %s', async (fields, field) => {
    const ada = await organiser(h)
    const refused = await ada.preview({ start: '2026-01-31', recurrence_rule: 'FREQ=DAILY', ...fields })
    expect([refused.status, refused.body.errors?.[0].field]).toEqual([422, `body.${field}`])
  })
})
