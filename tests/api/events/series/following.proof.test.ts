import { describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { eventInvitations, eventOccurrences, events } from '../../../../src/db/schema'
import { at, invite, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const WEEKLY = {
  start_at: '2026-03-02T09:00',
  end_at: '2026-03-02T10:00',
  recurrence_rule: 'FREQ=WEEKLY;COUNT=5',
}
const from = (start: string) => at(start, 'following')
const SPRING = ['2026-03-01', '2026-05-01'] as const
type Organiser = Awaited<ReturnType<typeof organiser>>
const shown = async (ada: Organiser) =>
  (await ada.list(...SPRING)).map((one) => [one.id, one.title, one.start_at.slice(0, 16)])

describe('changing a series from an occurrence on', () => {
  test('ends it before that one and answers a new series that begins there', async () => {
    const ada = await organiser(h)
    const old = await ada.create({ ...WEEKLY, description: 'd', location: 'l', reminder_minutes: 3 })
    const changed = await ada.change(
      old.id,
      { title: 'New', start_at: '2026-03-16T11:00' },
      from('2026-03-16T09:00'),
    )
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"1"'])
    expect(changed.body).toEqual({
      ...old,
      id: expect.any(Number),
      title: 'New',
      start_at: '2026-03-16T11:00:00+01:00',
      end_at: '2026-03-16T12:00:00+01:00',
      recurrence_rule: 'FREQ=WEEKLY;COUNT=3',
    })
    expect(changed.body.id).not.toBe(old.id)
    expect(await shown(ada)).toEqual([
      [old.id, 'Choir', '2026-03-02T09:00'],
      [old.id, 'Choir', '2026-03-09T09:00'],
      [changed.body.id, 'New', '2026-03-16T11:00'],
      [changed.body.id, 'New', '2026-03-23T11:00'],
      [changed.body.id, 'New', '2026-03-30T11:00'],
    ])
    expect((await ada.read(old.id)).body).toMatchObject({
      title: 'Choir',
      start_at: old.start_at,
      version: 2,
    })
    expect((await ada.read(changed.body.id)).body).toEqual(changed.body)
  })

  test('changes all of it where that one is the first', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(WEEKLY)
    const changed = await ada.change(
      id,
      { title: 'New', start_at: '2026-03-02T08:00' },
      from('2026-03-02T09:00'),
    )
    expect(changed.body).toMatchObject({
      id,
      title: 'New',
      recurrence_rule: WEEKLY.recurrence_rule,
      version: 2,
    })
    expect((await shown(ada)).length).toBe(5)
    expect(
      (await h.db.select().from(events).where(eq(events.calendarId, changed.body.calendar_id))).length,
    ).toBe(1)
  })

  test('reduces COUNT by all that came before, deleted ones too', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(WEEKLY)
    await ada.remove(id, at('2026-03-02T09:00'))
    const changed = await ada.change(id, { title: 'New' }, from('2026-03-16T09:00'))
    expect(changed.body.recurrence_rule).toBe('FREQ=WEEKLY;COUNT=3')
    expect((await shown(ada)).map(([, title, start]) => [title, start])).toEqual([
      ['Choir', '2026-03-09T09:00'],
      ['New', '2026-03-16T09:00'],
      ['New', '2026-03-23T09:00'],
      ['New', '2026-03-30T09:00'],
    ])
  })

  test('keeps the last occurrence of UNTIL, and lets an endless series go on', async () => {
    const ada = await organiser(h)
    for (const rule of ['FREQ=WEEKLY;UNTIL=20260330T070000Z', 'FREQ=WEEKLY;UNTIL=20260330']) {
      const { id } = await ada.create({ ...WEEKLY, recurrence_rule: rule })
      const changed = await ada.change(id, { title: 'New' }, from('2026-03-16T09:00'))
      expect(changed.body.recurrence_rule).toBe(rule)
      expect((await ada.starts(...SPRING)).length).toBe(5)
      await ada.remove(id)
      await ada.remove(changed.body.id)
    }
    const { id } = await ada.create({ ...WEEKLY, recurrence_rule: 'FREQ=WEEKLY' })
    const changed = await ada.change(id, { start_at: '2026-03-16T12:00' }, from('2026-03-16T09:00'))
    expect(changed.body.recurrence_rule).toBe('FREQ=WEEKLY')
    expect((await ada.starts('2150-01-01', '2150-01-15')).length).toBe(2)
    expect((await ada.occurrences(id, '2150-01-01', '2150-01-15')).body.occurrences).toEqual([])
  })

  test('keeps as many occurrences until the end when the start is moved', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...WEEKLY, recurrence_rule: 'FREQ=WEEKLY;UNTIL=20260330T070000Z' })
    await ada.change(id, { start_at: '2026-03-16T12:00' }, from('2026-03-16T09:00'))
    expect((await ada.starts(...SPRING)).at(-1)).toBe('2026-03-30T12:00:00+02:00')
  })

  test('keeps the rhythm of an interval', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...WEEKLY, recurrence_rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH' })
    const before = await ada.starts(...SPRING)
    const changed = await ada.change(id, { title: 'New' }, from('2026-03-19T09:00'))
    expect(await ada.starts(...SPRING)).toEqual(before)
    expect(changed.body.start_at).toBe('2026-03-19T09:00:00+01:00')
  })

  test('moves the overrides and exceptions from there on by as much as the start', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(WEEKLY)
    await ada.change(id, { title: 'Early' }, at('2026-03-09T09:00'))
    await ada.change(id, { title: 'Own', start_at: '2026-03-24T15:00' }, at('2026-03-23T09:00'))
    await ada.remove(id, at('2026-03-30T09:00'))
    const changed = await ada.change(id, { start_at: '2026-03-17T10:00' }, from('2026-03-16T09:00'))
    const next = changed.body.id
    expect(await shown(ada)).toEqual([
      [id, 'Choir', '2026-03-02T09:00'],
      [id, 'Early', '2026-03-09T09:00'],
      [next, 'Choir', '2026-03-17T10:00'],
      [next, 'Own', '2026-03-25T16:00'],
    ])
    const keys = async (eventId: number) =>
      (await h.db.select().from(eventOccurrences).where(eq(eventOccurrences.eventId, eventId))).length
    expect([await keys(id), await keys(next)]).toEqual([1, 2])
  })

  test('keeps what an override says when it begins with that', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(WEEKLY)
    await ada.change(id, { title: 'Own' }, at('2026-03-16T09:00'))
    const changed = await ada.change(id, { location: 'Hall' }, from('2026-03-16T09:00'))
    expect(changed.body).toMatchObject({ title: 'Choir', location: 'Hall' })
    expect((await ada.list(...SPRING)).map((one) => [one.title, one.location])).toEqual([
      ['Choir', null],
      ['Choir', null],
      ['Own', 'Hall'],
      ['Choir', 'Hall'],
      ['Choir', 'Hall'],
    ])
  })

  test('takes the invitations and the answers from there on along', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    const { id } = await ada.create(WEEKLY)
    const display = await bob.createCalendar('Friends')
    await invite(h, {
      eventId: id,
      userId: bob.row.id,
      response: 'Tentative',
      displayCalendarId: display.id,
      answers: { '2026-03-09T09:00': 'Going', '2026-03-23T09:00': 'Declined', '2026-03-30T09:00': 'Going' },
    })
    const changed = await ada.change(id, { start_at: '2026-03-16T10:00' }, from('2026-03-16T09:00'))
    const seen = await bob.list(...SPRING, { include_declined: 'true' })
    expect(seen.map((one) => [one.id, one.my_invitation.response, one.calendar_name])).toEqual([
      [id, 'Tentative', 'Friends'],
      [id, 'Going', 'Friends'],
      [changed.body.id, 'Tentative', 'Friends'],
      [changed.body.id, 'Declined', 'Friends'],
      [changed.body.id, 'Going', 'Friends'],
    ])
    const invitations = await h.db
      .select()
      .from(eventInvitations)
      .where(eq(eventInvitations.userId, bob.row.id))
    expect(invitations.map(({ eventId }) => eventId)).toEqual([id, changed.body.id])
  })

  test('gives another rule, zone, calendar or kind of times to the new series alone', async () => {
    const ada = await organiser(h)
    const band = await ada.createCalendar('Band')
    const { id, ...old } = await ada.create(WEEKLY)
    const body = {
      calendar_id: band.id,
      all_day: true,
      start_date: '2026-03-17',
      end_date: '2026-03-18',
      recurrence_rule: 'FREQ=MONTHLY;COUNT=2',
    }
    const changed = await ada.change(id, body, from('2026-03-16T09:00'))
    expect(changed.body).toMatchObject({ ...body, calendar_name: 'Band', start_at: null })
    expect((await ada.read(id)).body).toMatchObject({ calendar_id: old.calendar_id, start_at: old.start_at })
    expect((await ada.list(...SPRING)).map((one) => one.start_date ?? one.start_at.slice(0, 10))).toEqual([
      '2026-03-02',
      '2026-03-09',
      '2026-03-17',
      '2026-04-17',
    ])
  })

  test('keeps the time of a series that is divided where the clock skips that time', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({
      start_at: '2026-03-27T02:30',
      end_at: '2026-03-27T03:00',
      recurrence_rule: 'FREQ=DAILY;COUNT=5',
    })
    const changed = await ada.change(id, { title: 'New' }, from('2026-03-29T03:30+02:00'))
    expect(changed.body).toMatchObject({
      start_at: '2026-03-29T03:30:00+02:00',
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
    })
    expect((await shown(ada)).map(([, title, start]) => [title, start])).toEqual([
      ['Choir', '2026-03-27T02:30'],
      ['Choir', '2026-03-28T02:30'],
      ['New', '2026-03-29T03:30'],
      ['New', '2026-03-30T02:30'],
      ['New', '2026-03-31T02:30'],
    ])
    await ada.change(changed.body.id, { start_at: '2026-03-29T20:00' })
    expect((await shown(ada)).at(-1)?.[2]).toBe('2026-03-31T20:00')
  })

  test('divides nothing when it is refused', async () => {
    const ada = await organiser(h)
    const event = await ada.create(WEEKLY)
    const before = await shown(ada)
    for (const body of [
      { recurrence_rule: 'FREQ=HOURLY' },
      { end_at: '2026-03-16T08:00' },
      { calendar_id: 2_147_483_647 },
    ]) {
      const refused = await ada.change(event.id, body, from('2026-03-16T09:00'))
      expect([404, 422]).toContain(refused.status)
    }
    expect(await shown(ada)).toEqual(before)
    expect((await ada.read(event.id)).body).toEqual(event)
    const all = await h.db
      .select()
      .from(events)
      .where(and(eq(events.calendarId, event.calendar_id)))
    expect(all.length).toBe(1)
  })

  test.each([
    'FREQ=DAILY;INTERVAL=3;COUNT=9',
    'FREQ=DAILY;BYHOUR=1,2,3,22;COUNT=25',
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,MO,SA',
    'FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20260430T070000Z',
    'FREQ=MONTHLY;BYMONTHDAY=-1,1;COUNT=7',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2,1',
    'FREQ=YEARLY;BYWEEKNO=10,12,15;BYDAY=FR,SA',
    'FREQ=YEARLY;BYYEARDAY=62,63,100,-240;COUNT=8',
  ])('leaves the times of %s as they were', async (recurrence_rule) => {
    const ada = await organiser(h)
    const window = ['2026-03-01', '2026-06-01'] as const
    const series = { start_at: '2026-03-03T02:15', end_at: '2026-03-03T03:45', recurrence_rule }
    const whole = await ada.create(series)
    const before = await ada.starts(...window)
    await ada.remove(whole.id)
    expect(before.length).toBeGreaterThan(3)
    for (const start of before.slice(1)) {
      const { id } = await ada.create(series)
      const next = await ada.change(id, { title: 'Rest' }, from(start))
      expect([start, next.status, next.body.start_at]).toEqual([start, 200, start])
      expect(await ada.starts(...window)).toEqual(before)
      await ada.remove(id)
      expect(await ada.starts(...window)).toEqual(before.slice(before.indexOf(start)))
      await ada.remove(next.body.id)
    }
  })
})
