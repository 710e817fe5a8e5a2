import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { eventOccurrences, events } from '../../../../src/db/schema'
import { calendar, calendarOf, importInto } from '../../../support/calendar-files'
import { at, invite, organiser } from '../../../support/events'
import { observed } from '../../../support/statements'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const MEETING = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:30' }
const DAILY = { ...MEETING, recurrence_rule: 'FREQ=DAILY;COUNT=4' }
const MARCH = ['2026-03-01', '2026-04-05'] as const

describe('changing a whole series', () => {
  test('moves its overrides and exceptions by the same amount', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...DAILY, recurrence_rule: 'FREQ=WEEKLY;COUNT=4' })
    await ada.change(id, { title: 'Special', start_at: '2026-03-17T12:00' }, at('2026-03-17T09:00'))
    await ada.remove(id, at('2026-03-24T09:00'))
    const moved = await ada.change(id, { start_at: '2026-03-11T10:15' })
    expect(moved.body).toMatchObject({
      start_at: '2026-03-11T10:15:00+01:00',
      end_at: '2026-03-11T11:45:00+01:00',
      occurrence_start: null,
    })
    expect((await ada.list(...MARCH)).map((one) => [one.title, one.start_at, one.occurrence_start])).toEqual([
      ['Choir', '2026-03-11T10:15:00+01:00', '2026-03-11T10:15:00+01:00'],
      ['Special', '2026-03-18T13:15:00+01:00', '2026-03-18T10:15:00+01:00'],
      // The clocks have changed; the wall shows the same time.
      ['Choir', '2026-04-01T10:15:00+02:00', '2026-04-01T10:15:00+02:00'],
    ])
  })

  test('measures a new start that is given for a moved occurrence from where that is', async () => {
    const weekly = { ...MEETING, recurrence_rule: 'FREQ=WEEKLY;COUNT=3' }
    const cases = [
      // What was read is sent back: nothing moves, however long that occurrence lasts.
      {
        sent: { start_at: '2026-03-18T12:00', end_at: '2026-03-18T12:30' },
        first: '10T09:00',
        second: '18T12:00',
      },
      { sent: { start_at: '2026-03-18T14:00' }, first: '10T11:00', second: '18T14:00' },
    ]
    for (const { sent, first, second } of cases) {
      for (const scope of ['all', 'following']) {
        const ada = await organiser(h)
        const { id } = await ada.create(weekly)
        const override = { start_at: '2026-03-18T12:00', end_at: '2026-03-18T12:30' }
        await ada.change(id, override, at('2026-03-17T09:00'))
        const changed = await ada.change(id, { title: 'Saved', ...sent }, at('2026-03-17T09:00', scope))
        expect(changed.status).toBe(200)
        const listed = (await ada.list(...MARCH)).map((one) => [one.start_at, one.end_at])
        const expectedFirst = scope === 'all' ? first : '10T09:00'
        expect(listed[0]?.[0]).toBe(`2026-03-${expectedFirst}:00+01:00`)
        expect(listed[1]?.[0]).toBe(`2026-03-${second}:00+01:00`)
        const third = first === '10T09:00' ? ['24T09:00', '24T10:30'] : ['24T11:00', '24T12:30']
        expect(listed[2]).toEqual(third.map((time) => `2026-03-${time}:00+01:00`))
      }
    }
  })

  test('keeps what each of its invitees answered to an occurrence when it moves', async () => {
    const [ada, bob, cyd] = [await organiser(h), await organiser(h), await organiser(h)]
    const { id: eventId } = await ada.create(DAILY)
    const guests = [
      [bob, 'Going'],
      [cyd, 'Tentative'],
    ] as const
    for (const [{ row }, answer] of guests) {
      await invite(h, { eventId, userId: row.id, answers: { '2026-03-11T09:00': answer } })
    }
    await ada.change(eventId, { start_at: '2026-03-10T11:00' })
    for (const [guest, answer] of guests) {
      const seen = await guest.list('2026-03-10', '2026-03-12')
      expect(seen.map((one) => [one.start_at, one.my_invitation.response])).toEqual([
        ['2026-03-10T11:00:00+01:00', null],
        ['2026-03-11T11:00:00+01:00', answer],
      ])
    }
  })

  test('moves the weekdays of its rule and its end along, so that the same occurrences are left', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({
      start_at: '2026-03-02T09:00',
      end_at: '2026-03-02T10:00',
      recurrence_rule: 'FREQ=WEEKLY;UNTIL=20260318T080000Z;BYDAY=MO,WE',
    })
    await ada.change(id, { title: 'Last' }, at('2026-03-18T09:00'))
    await ada.change(id, { start_at: '2026-03-03T11:00' })
    expect((await ada.list(...MARCH)).map((one) => [one.title, one.start_at.slice(0, 16)])).toEqual([
      ['Choir', '2026-03-03T11:00'],
      ['Choir', '2026-03-05T11:00'],
      ['Choir', '2026-03-10T11:00'],
      ['Choir', '2026-03-12T11:00'],
      ['Choir', '2026-03-17T11:00'],
      ['Last', '2026-03-19T11:00'],
    ])
  })

  test('reads a new start as that of the occurrence that the request names', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...DAILY, recurrence_rule: 'FREQ=WEEKLY;COUNT=3' })
    const changed = await ada.change(
      id,
      { start_at: '2026-03-24T14:00', end_at: '2026-03-24T15:00' },
      at('2026-03-24T09:00', 'all'),
    )
    expect(changed.body).toMatchObject({
      id,
      start_at: '2026-03-10T14:00:00+01:00',
      end_at: '2026-03-10T15:00:00+01:00',
      occurrence_start: null,
    })
    expect(await ada.starts(...MARCH)).toEqual([
      '2026-03-10T14:00:00+01:00',
      '2026-03-17T14:00:00+01:00',
      '2026-03-24T14:00:00+01:00',
    ])
  })

  test('keeps the moment of the first occurrence, and overrides with their occurrences, in another zone', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...DAILY, recurrence_rule: 'FREQ=WEEKLY;COUNT=4' })
    await ada.change(id, { title: 'Special', start_at: '2026-03-31T12:00' }, at('2026-03-31T09:00'))
    await ada.change(id, { time_zone: 'America/Toronto' })
    expect((await ada.list(...MARCH)).map((one) => [one.title, one.start_at])).toEqual([
      ['Choir', '2026-03-10T09:00:00+01:00'],
      ['Choir', '2026-03-17T09:00:00+01:00'],
      ['Choir', '2026-03-24T09:00:00+01:00'],
      // In Toronto the clocks had changed before the first one already.
      ['Special', '2026-03-31T13:00:00+02:00'],
    ])
  })

  test('keeps the overrides of occurrences that still take place under another rule, and drops the others', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(DAILY)
    await ada.change(id, { title: 'Second' }, at('2026-03-11T09:00'))
    await ada.change(id, { title: 'Third' }, at('2026-03-12T09:00'))
    await ada.change(id, { recurrence_rule: 'FREQ=DAILY;INTERVAL=2;COUNT=3' })
    const shown = async () => (await ada.list(...MARCH)).map((one) => [one.title, one.start_at.slice(0, 10)])
    const every2nd = [
      ['Choir', '2026-03-10'],
      ['Third', '2026-03-12'],
      ['Choir', '2026-03-14'],
    ]
    expect(await shown()).toEqual(every2nd)
    await ada.change(id, { recurrence_rule: 'FREQ=DAILY;COUNT=3' })
    expect(await shown()).toEqual([
      ['Choir', '2026-03-10'],
      ['Choir', '2026-03-11'],
      ['Third', '2026-03-12'],
    ])
  })

  test('makes a single event without overrides and exceptions when it takes the rule away', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(DAILY)
    await ada.remove(id, at('2026-03-10T09:00'))
    await ada.change(id, { title: 'Second' }, at('2026-03-11T09:00'))
    await ada.change(id, { recurrence_rule: null })
    expect(await ada.starts(...MARCH)).toEqual(['2026-03-10T09:00:00+01:00'])
    expect(await h.db.select().from(eventOccurrences).where(eq(eventOccurrences.eventId, id))).toEqual([])
    await ada.change(id, { recurrence_rule: 'FREQ=DAILY;COUNT=2' })
    expect((await ada.list(...MARCH)).map(({ title }) => title)).toEqual(['Choir', 'Choir'])
  })

  test('keeps overrides on their days, without their times, when it becomes all-day', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(DAILY)
    await ada.change(id, { title: 'Second', start_at: '2026-03-20T09:00' }, at('2026-03-11T09:00'))
    await ada.change(id, { start_at: '2026-03-21T09:00' }, at('2026-03-12T09:00'))
    await ada.remove(id, at('2026-03-13T09:00'))
    await ada.change(id, { all_day: true, start_date: '2026-03-10', end_date: '2026-03-10' })
    expect((await ada.list(...MARCH)).map((one) => [one.title, one.start_date, one.is_override])).toEqual([
      ['Choir', '2026-03-10', false],
      ['Second', '2026-03-11', true],
      ['Choir', '2026-03-12', false],
    ])
    await ada.change(id, { all_day: false, ...MEETING })
    expect((await ada.list(...MARCH)).map((one) => [one.title, one.start_at.slice(0, 16)])).toEqual([
      ['Choir', '2026-03-10T09:00'],
      ['Second', '2026-03-11T09:00'],
      ['Choir', '2026-03-12T09:00'],
    ])
  })

  test('lets it be found where it then takes place, and only there', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...DAILY, recurrence_rule: 'FREQ=DAILY;UNTIL=20260312' })
    const ends = async () =>
      (await h.db.select().from(events).where(eq(events.id, id))).map((row) => row.lastEndAt?.toISOString())
    expect(await ends()).toEqual(['2026-03-12T09:30:00.000Z'])
    await ada.change(id, { recurrence_rule: 'FREQ=DAILY' })
    expect(await ends()).toEqual([undefined])
    expect((await ada.starts('2199-01-01', '2199-01-02')).length).toBe(1)
    await ada.change(id, { end_at: '2026-03-11T11:00', recurrence_rule: 'FREQ=DAILY;COUNT=2' })
    expect(await ends()).toEqual(['2026-03-12T10:00:00.000Z'])
    await ada.change(id, { recurrence_rule: null })
    expect(await ends()).toEqual(['2026-03-11T10:00:00.000Z'])
  })

  test('writes its extra dates only where they move or go', async () => {
    const ada = await organiser(h)
    await importInto(
      ada,
      await calendarOf(ada),
      calendar(['UID:x', 'DTSTART;VALUE=DATE:20260310', 'SUMMARY:X', 'RDATE;VALUE=DATE:20260312,20260315']),
    )
    const [{ id }] = await ada.list(...MARCH)
    const changed = async (body: Record<string, unknown>) => {
      using statements = observed(h.db)
      expect(await ada.change(id, body)).toMatchObject({ status: 200 })
      const texts = statements.map(({ text }) => text).filter((text) => /^(insert|delete)/.test(text))
      return [texts.filter((text) => text.includes('event_extra_starts')).length, await ada.starts(...MARCH)]
    }
    const days = (...ofMarch: number[]) => ofMarch.map((day) => `2026-03-${day}`)
    expect(await changed({ title: 'Y' })).toEqual([0, days(10, 12, 15)])
    expect(await changed({ end_date: '2026-03-11' })).toEqual([0, days(10, 12, 15)])
    expect(await changed({ recurrence_rule: 'FREQ=DAILY;COUNT=2' })).toEqual([0, days(10, 11, 12, 15)])
    expect(await changed({ start_date: '2026-03-11' })).toEqual([2, days(11, 12, 13, 16)])
    expect(await changed({ recurrence_rule: null })).toEqual([1, days(11)])
  })
})
