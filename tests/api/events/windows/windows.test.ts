import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { calendars, events } from '../../../../src/db/schema'
import { at, invite, organiser } from '../../../support/events'
import { observed } from '../../../support/statements'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const timed = (start: string, end: string) => ({ start_at: start, end_at: end })
const days = (start: string, end = start) => ({ all_day: true, start_date: start, end_date: end })

describe('a window', () => {
  test('shows events that overlap it, and none that ends as it begins or begins as it ends', async () => {
    const ada = await organiser(h)
    await ada.create({ title: 'before', ...timed('2026-03-10T08:00', '2026-03-10T09:00') })
    await ada.create({ title: 'into', ...timed('2026-03-10T08:00', '2026-03-10T09:01') })
    await ada.create({ title: 'around', ...timed('2026-03-01T08:00', '2026-03-20T09:01') })
    await ada.create({ title: 'out of', ...timed('2026-03-10T09:59', '2026-03-10T11:00') })
    await ada.create({ title: 'after', ...timed('2026-03-10T10:00', '2026-03-10T11:00') })
    const shown = await ada.list('2026-03-10T09:00', '2026-03-10T10:00')
    expect(shown.map(({ title }) => title)).toEqual(['around', 'into', 'out of'])
  })

  test('shows events without a length from its beginning on, but not at its end', async () => {
    const ada = await organiser(h)
    for (const time of ['08:59', '09:00', '09:30', '10:00']) {
      await ada.create({ title: time, ...timed(`2026-03-10T${time}`, `2026-03-10T${time}`) })
    }
    const shown = await ada.list('2026-03-10T09:00', '2026-03-10T10:00')
    expect(shown.map(({ title }) => title)).toEqual(['09:00', '09:30'])
  })

  test('is in order of time: all-day before timed events, and those that begin at once by id', async () => {
    const ada = await organiser(h)
    await ada.create({ title: 'late', ...timed('2026-03-10T20:00', '2026-03-10T21:00') })
    await ada.create({ title: 'long', ...timed('2026-03-10T00:00', '2026-03-10T21:00') })
    await ada.create({ title: 'short', ...timed('2026-03-10T00:00', '2026-03-10T01:00') })
    await ada.create({ title: 'day', ...days('2026-03-10') })
    await ada.create({ title: 'days', ...days('2026-03-09', '2026-03-11') })
    const shown = await ada.list('2026-03-10', '2026-03-11')
    expect(shown.map(({ title }) => title)).toEqual(['days', 'day', 'long', 'short', 'late'])
  })

  test('takes days in the zone of the reader and date-times without an offset in that of the server', async () => {
    const ada = await organiser(h, 'America/Los_Angeles')
    await ada.create({ title: 'evening', ...timed('2026-03-10T21:00', '2026-03-10T22:00') })
    expect(await ada.starts('2026-03-10', '2026-03-11')).toEqual(['2026-03-11T05:00:00+01:00'])
    expect(await ada.starts('2026-03-11', '2026-03-12')).toEqual([])
    expect(await ada.starts('2026-03-11T05:00', '2026-03-11T06:00')).toEqual(['2026-03-11T05:00:00+01:00'])
    expect(await ada.starts('2026-03-10T21:00', '2026-03-10T22:00')).toEqual([])
    expect(await ada.starts('2026-03-11T04:00Z', '2026-03-11T06:00+01:00')).toEqual([
      '2026-03-11T05:00:00+01:00',
    ])
  })

  test('an all-day event is the same day for readers at -11 and +14', async () => {
    for (const zone of ['Pacific/Pago_Pago', 'Pacific/Kiritimati']) {
      const ada = await organiser(h, zone)
      await ada.create({ title: zone, ...days('2026-03-10') })
      expect(await ada.starts('2026-03-10', '2026-03-11')).toEqual(['2026-03-10'])
      expect(await ada.starts('2026-03-09', '2026-03-10')).toEqual([])
      expect(await ada.starts('2026-03-11', '2026-03-12')).toEqual([])
    }
    const ada = await organiser(h, 'Pacific/Kiritimati')
    await ada.create({ ...days('2026-03-10') })
    expect(await ada.starts('2026-03-09T10:00Z', '2026-03-09T10:01Z')).toEqual(['2026-03-10'])
    expect(await ada.starts('2026-03-10T10:00Z', '2026-03-10T10:01Z')).toEqual([])
  })

  test.each([
    ['', 'from'],
    ['from=2026-03-01', 'to'],
    ['from=2026-03-01&to=2026-03-01', 'to'],
    ['from=2026-03-02&to=2026-03-01', 'to'],
    ['from=2026-01-01&to=2027-02-06', 'to'],
    ['from=2026-01-01T00:00&to=2027-02-05T00:01', 'to'],
    ['from=yesterday&to=2026-03-01', 'from'],
    ['from=2026-02-30&to=2026-03-01', 'from'],
    ['from=1899-01-01&to=1899-03-01', 'from'],
    ['from=2026-03-01&to=2026-03-02&calendar_id=x', 'calendar_id'],
  ])('is refused with “%s”, for its %s', async (query, field) => {
    const ada = await organiser(h)
    const { id } = await ada.create(timed('2026-03-10T09:00', '2026-03-10T10:00'))
    const paths = field === 'calendar_id' ? ['/api/events'] : ['/api/events', `/api/events/${id}/occurrences`]
    for (const path of paths) {
      const refused = await ada.request('GET', `${path}?${query}`)
      expect([refused.status, refused.body.errors[0].field]).toEqual([422, `query.${field}`])
    }
  })

  test('may have 400 days', async () => {
    const ada = await organiser(h)
    expect(await ada.list('2026-01-01', '2027-02-05')).toEqual([])
    expect(await ada.list('2026-01-01T00:00', '2027-02-05T00:00')).toEqual([])
  })

  test('holds 5 000 occurrences and no more', async () => {
    const ada = await organiser(h)
    const made = await ada.create({
      ...timed('2026-03-01T00:00', '2026-03-01T00:01'),
      recurrence_rule: 'FREQ=DAILY;BYHOUR=0,1,2,3,4;BYMINUTE=0,1,2,3',
      time_zone: 'UTC',
    })
    const window = ['2026-03-01T00:00Z', '2026-11-06T00:00Z'] as const
    expect((await ada.list(...window)).length).toBe(5000)
    const refused = await ada.occurrences(made.id, window[0], '2026-11-06T00:01Z')
    expect([refused.status, refused.body]).toEqual([422, { detail: 'Narrow the window' }])
    await ada.create(timed('2026-03-02T00:00Z', '2026-03-02T00:00Z'))
    const full = await ada.window(...window)
    expect([full.status, full.body]).toEqual([422, { detail: 'Narrow the window' }])
    expect(
      await ada.list(...window, { q: 'choir', calendar_id: String(made.calendar_id) }).catch(() => 'full'),
    ).toBe('full')
    expect(await ada.list(...window, { q: 'nothing of the kind' })).toEqual([])
  })
})

describe('the events of a window', () => {
  test('are those of the own visible calendars, or of the one that is named', async () => {
    const ada = await organiser(h)
    const hidden = await ada.createCalendar('Secret', { is_visible: false })
    await ada.create({ title: 'open', ...days('2026-03-10') })
    await ada.create({ title: 'secret', ...days('2026-03-10'), calendar_id: hidden.id })
    const titles = async (query = {}) =>
      (await ada.list('2026-03-10', '2026-03-11', query)).map(({ title }) => title)
    expect(await titles()).toEqual(['open'])
    expect(await titles({ calendar_id: String(hidden.id) })).toEqual(['secret'])
  })

  test('are refused for a foreign calendar as for an absent one', async () => {
    const [ada, eve] = [await organiser(h), await organiser(h)]
    const { calendar_id: foreign } = await ada.create(days('2026-03-10'))
    for (const id of [foreign, 2_147_483_647]) {
      const refused = await eve.window('2026-03-10', '2026-03-11', { calendar_id: String(id) })
      expect([refused.status, refused.body]).toEqual([404, { detail: 'Calendar not found' }])
    }
    expect(await eve.list('2026-03-10', '2026-03-11')).toEqual([])
  })

  test('are found by q in title, description or location, literally and without regard to case', async () => {
    const ada = await organiser(h)
    await ada.create({ title: '100% Övning', ...days('2026-03-10') })
    await ada.create({ title: 'b', description: 'a 100% sure thing', ...days('2026-03-10') })
    await ada.create({ title: 'c', location: 'Room 100%_', ...days('2026-03-10') })
    await ada.create({ title: '1000', ...days('2026-03-10') })
    const titles = async (q: string) =>
      (await ada.list('2026-03-10', '2026-03-11', { q })).map(({ title }) => title)
    expect(await titles('100%')).toEqual(['100% Övning', 'b', 'c'])
    expect(await titles('%_')).toEqual(['c'])
    expect(await titles('öVNING')).toEqual(['100% Övning'])
    expect(await titles('.*')).toEqual([])
  })

  test('are found by what an override says, and not by what it replaces', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({
      ...timed('2026-03-10T09:00', '2026-03-10T10:00'),
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
    })
    await ada.change(id, { title: 'Concert' }, at('2026-03-11T09:00'))
    expect(await ada.starts('2026-03-01', '2026-04-01', { q: 'concert' })).toEqual([
      '2026-03-11T09:00:00+01:00',
    ])
    expect(await ada.starts('2026-03-01', '2026-04-01', { q: 'choir' })).toEqual([
      '2026-03-10T09:00:00+01:00',
      '2026-03-12T09:00:00+01:00',
    ])
  })

  test('take the same number of queries for one series and for fifty', async () => {
    const ada = await organiser(h)
    const queries = async () => {
      using statements = observed(h.db)
      await ada.list('2026-03-01', '2026-04-01')
      return statements.length
    }
    const series = { ...timed('2026-03-10T09:00', '2026-03-10T10:00'), recurrence_rule: 'FREQ=DAILY' }
    const make = async () => {
      const { id } = await ada.create(series)
      await ada.change(id, { title: 'Other' }, at('2026-03-12T09:00'))
    }
    await make()
    const few = await queries()
    for (let made = 0; made < 49; made++) await make()
    expect(await queries()).toBe(few)
    expect(few).toBeGreaterThan(3)
  })
})

describe('invitations', () => {
  const meeting = timed('2026-03-10T09:00', '2026-03-10T10:00')

  test('an invitee sees the event without the organiser’s calendar, and may not change it', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    const event = await ada.create({ title: 'Meeting', ...meeting })
    const invitation = await invite(h, { eventId: event.id, userId: bob.row.id })
    const [seen] = await bob.list('2026-03-10', '2026-03-11')
    expect(seen).toMatchObject({
      id: event.id,
      calendar_id: null,
      calendar_name: null,
      calendar_color: null,
      access: 'read',
      my_invitation: { id: invitation.id, response: null, display_calendar_id: null },
    })
    expect((await bob.read(event.id)).body).toEqual(seen)
    for (const refused of [await bob.change(event.id, { title: 'Mine' }), await bob.remove(event.id)]) {
      expect([refused.status, refused.body]).toEqual([403, { detail: 'Insufficient permissions' }])
    }
    expect((await ada.read(event.id)).body).toEqual(event)
    const refused = await bob.window('2026-03-10', '2026-03-11', {
      calendar_id: String(event.calendar_id),
    })
    expect(refused.status).toBe(404)
  })

  test('a declined event shows only where it is asked for', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    const { id: eventId } = await ada.create(meeting)
    await invite(h, { eventId, userId: bob.row.id, response: 'Declined' })
    expect(await bob.list('2026-03-10', '2026-03-11')).toEqual([])
    expect(await bob.list('2026-03-10', '2026-03-11', { include_declined: 'false' })).toEqual([])
    const [seen] = await bob.list('2026-03-10', '2026-03-11', { include_declined: 'true' })
    expect(seen).toMatchObject({ id: eventId, my_invitation: { response: 'Declined' } })
    expect((await bob.read(eventId)).status).toBe(200)
  })

  test('an answer for one occurrence holds for that one', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    const { id: eventId } = await ada.create({ ...meeting, recurrence_rule: 'FREQ=DAILY;COUNT=3' })
    const answers = { '2026-03-11T09:00': 'Declined', '2026-03-12T09:00': 'Going' } as const
    await invite(h, { eventId, userId: bob.row.id, response: 'Tentative', answers })
    const responses = async (query = {}) =>
      (await bob.list('2026-03-01', '2026-04-01', query)).map((event) => event.my_invitation.response)
    expect(await responses()).toEqual(['Tentative', 'Going'])
    expect(await responses({ include_declined: 'true' })).toEqual(['Tentative', 'Declined', 'Going'])
    const { body } = await bob.occurrences(eventId, '2026-03-01', '2026-04-01')
    expect(body.occurrences.map((event: { start_at: string }) => event.start_at)).toEqual([
      '2026-03-10T09:00:00+01:00',
      '2026-03-12T09:00:00+01:00',
    ])
  })

  test('a series that was declined shows the occurrences that were not', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    const { id: eventId } = await ada.create({ ...meeting, recurrence_rule: 'FREQ=DAILY;COUNT=3' })
    await invite(h, {
      eventId,
      userId: bob.row.id,
      response: 'Declined',
      answers: { '2026-03-11T09:00': 'Going' },
    })
    expect(await bob.starts('2026-03-01', '2026-04-01')).toEqual(['2026-03-11T09:00:00+01:00'])
  })

  test('the display calendar is the event’s calendar for the invitee, shown and hidden with it', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    const event = await ada.create({ ...meeting })
    const display = await bob.createCalendar('Friends', { color: '#00ff00' })
    await invite(h, { eventId: event.id, userId: bob.row.id, displayCalendarId: display.id })
    const window = ['2026-03-10', '2026-03-11'] as const
    const [seen] = await bob.list(...window, { calendar_id: String(display.id) })
    expect(seen).toMatchObject({
      id: event.id,
      calendar_id: display.id,
      calendar_name: 'Friends',
      calendar_color: '#00ff00',
      access: 'read',
    })
    expect(await bob.list(...window)).toEqual([seen])
    await h.db.update(calendars).set({ isVisible: false }).where(eq(calendars.id, display.id))
    expect(await bob.list(...window)).toEqual([])
    expect((await bob.list(...window, { calendar_id: String(display.id) })).length).toBe(1)
    expect((await ada.read(event.id)).body.calendar_id).toBe(event.calendar_id)
  })

  test('an invitation ends with its event', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    const { id: eventId } = await ada.create(meeting)
    await invite(h, { eventId, userId: bob.row.id })
    await ada.remove(eventId)
    expect(await bob.list('2026-03-10', '2026-03-11')).toEqual([])
    expect((await bob.read(eventId)).status).toBe(404)
    expect(await h.db.select().from(events).where(eq(events.id, eventId))).toEqual([])
  })
})
