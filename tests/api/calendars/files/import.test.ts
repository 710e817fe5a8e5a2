import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { calendarMembers, events } from '../../../../src/db/schema'
import { calendar, exportOf, importer, importInto, wrapped } from '../../../support/calendar-files'
import { birthdaysOf, invite, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const own = (zone?: string) => importer(h, zone)
const NINE = 'DTSTART:20260310T090000'
const named = (n: number) => [`UID:u${n}`, NINE, `SUMMARY:Event ${n}`]

describe('an import', () => {
  test('takes changed events over and leaves the others, also those that were edited here', async () => {
    const { ada, take, shown } = await own()
    await take(calendar(named(1), named(2)))
    const [one, two] = await ada.list('2026-03-10', '2026-03-11')
    await ada.change(two.id, { title: 'Edited' })
    const file = calendar([...named(1), 'LOCATION:Here'], named(2), named(3))
    expect(await take(file)).toEqual({ created: 1, updated: 1, unchanged: 1, skipped: [] })
    expect(await shown()).toMatchObject([
      { title: 'Edited' },
      { title: 'Event 1', location: 'Here' },
      { title: 'Event 3' },
    ])
    expect((await ada.read(one.id)).body).toMatchObject({ version: 2, created_at: one.created_at })
  })

  test('knows an event without UID by its content, however it is folded', async () => {
    const { take } = await own()
    const file = calendar([NINE, 'SUMMARY:one two three'], [NINE, 'SUMMARY:other'])
    expect(await take(file)).toMatchObject({ created: 2 })
    const folded = file.replace('one two', 'one\r\n  two').replaceAll('\r\n', '\n')
    expect(await take(`\ufeff${folded}`)).toMatchObject({ created: 0, unchanged: 2 })
  })

  test('spoils no other text for one that is broken or folded within a character', async () => {
    const { take, shown } = await own()
    const file = (title: readonly (string | number)[]) =>
      Buffer.concat(
        [
          calendar([...named(1), 'LOCATION:Grüße 東京'])
            .replace('Event 1', '\0')
            .split('\0'),
        ]
          .flat()
          .flatMap((part, at) => (at === 0 ? [part, ...title] : [part]))
          .map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))),
      )
    const [first = 0, ...rest] = Buffer.from('京')
    await take(file(['Broken ', 0xff]))
    expect(await shown()).toMatchObject([{ title: 'Broken ÿ', location: 'Grüße 東京' }])
    await take(file(['東', first, '\r\n ', ...rest]))
    expect(await shown()).toMatchObject([{ title: '東京', location: 'Grüße 東京' }])
  })

  test('takes the latest of several revisions in one file', async () => {
    const { take, shown } = await own()
    const revision = (n: number) => [
      ...named(n).map((line) => line.replace('UID:u2', 'UID:u1')),
      `SEQUENCE:${n}`,
    ]
    expect(await take(calendar(revision(1), revision(2)))).toMatchObject({
      created: 1,
      skipped: [{ uid: 'u1', reason: 'appears twice in the file' }],
    })
    expect(await shown()).toMatchObject([{ title: 'Event 2' }])
  })

  test('tells what it would do, and does nothing, with dry_run', async () => {
    const { ada, id, take } = await own()
    await take(calendar(named(1), named(2)))
    const rows = () => h.db.select().from(events).where(eq(events.calendarId, id))
    const before = await rows()
    const file = calendar(named(1), [...named(2), 'LOCATION:x'], named(3), ['UID:bad'])
    const expected = {
      created: 1,
      updated: 1,
      unchanged: 1,
      skipped: [{ uid: 'bad', reason: 'has no DTSTART' }],
    }
    expect(await take(file, '?dry_run=true')).toEqual(expected)
    expect(await rows()).toEqual(before)
    expect(await take(file)).toEqual(expected)
    expect(await ada.list('2026-03-10', '2026-03-11')).toHaveLength(3)
  })

  test('makes each event once where the same file is imported many times at once', async () => {
    for (let round = 0; round < 20; round++) {
      const { id, take } = await own()
      const file = calendar(...Array.from({ length: 20 }, (_, n) => named(n)), [NINE, 'SUMMARY:Without UID'])
      const answers = await Promise.all(Array.from({ length: 4 }, () => take(file)))
      expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(21)
      expect(await h.db.$count(events, eq(events.calendarId, id))).toBe(21)
    }
  }, 30_000)

  test('into a shared calendar needs the permission to write; an export needs that to read', async () => {
    const { ada, id, take } = await own()
    const [reader, writer, stranger] = [await organiser(h), await organiser(h), await organiser(h)]
    const now = { createdAt: h.clock.now(), updatedAt: h.clock.now() }
    await h.db.insert(calendarMembers).values([
      { calendarId: id, userId: reader.row.id, permission: 'read', status: 'accepted', ...now },
      { calendarId: id, userId: writer.row.id, permission: 'write', status: 'accepted', ...now },
      { calendarId: id, userId: stranger.row.id, permission: 'write', status: 'pending', ...now },
    ])
    await take(calendar(named(1)))
    const forbidden = { status: 403, body: { detail: 'Insufficient permissions' } }
    const absent = { status: 404, body: { detail: 'Calendar not found' } }
    expect(await importInto(reader, id, calendar(named(2)))).toMatchObject(forbidden)
    expect(await importInto(reader, id, 'no calendar')).toMatchObject(forbidden)
    expect(await importInto(stranger, id, calendar(named(2)))).toMatchObject(absent)
    expect((await importInto(writer, id, calendar(named(2)))).body).toMatchObject({ created: 1 })
    for (const actor of [ada, reader, writer]) expect(await exportOf(actor, id)).toContain('SUMMARY:Event 2')
    expect(await stranger.request('GET', `/api/calendars/${id}/export`)).toMatchObject(absent)
    for (const actor of [reader, writer]) {
      expect(await actor.makeFeed(id)).toMatchObject(forbidden)
      expect(await actor.endFeed(id)).toMatchObject(forbidden)
    }
    const birthdays = await birthdaysOf(h, ada.row.id)
    expect(await importInto(ada, birthdays.id, calendar(named(1)))).toMatchObject({
      status: 409,
      body: { detail: 'Birthdays are managed through people' },
    })
    expect(await ada.request('GET', `/api/calendars/${birthdays.id}/export`)).toMatchObject({
      status: 409,
      body: { detail: 'The Birthdays calendar cannot be exported' },
    })
  })

  test('tells invitees of changed times, and of nothing else', async () => {
    const { ada, take } = await own()
    const bob = await organiser(h)
    await take(calendar(named(1)))
    const [event] = await ada.list('2026-03-10', '2026-03-11')
    await invite(h, { eventId: event.id, userId: bob.row.id })
    const told = async () => (await bob.request('GET', '/api/notifications')).body.notifications.length
    await take(calendar([...named(1), 'LOCATION:Here']))
    expect(await told()).toBe(0)
    await take(calendar(['UID:u1', 'DTSTART:20260311T090000', 'SUMMARY:Event 1']))
    expect(await told()).toBe(1)
  })

  test('refuses a file that is no calendar', async () => {
    const { ada, id } = await own()
    const detail = 'file: is not an iCalendar file'
    for (const file of [
      '',
      'hello',
      'BEGIN:VCARD\r\nEND:VCARD\r\n',
      'BEGIN:VEVENT\r\nEND:VEVENT\r\n',
      '\0'.repeat(9),
    ]) {
      expect(await importInto(ada, id, file)).toMatchObject({ status: 422, body: { detail } })
    }
    expect(await ada.request('POST', `/api/calendars/${id}/import`, { body: {} })).toMatchObject({
      status: 415,
      body: { detail: 'Content-Type must be text/calendar' },
    })
    expect((await importInto(ada, id, wrapped())).body).toEqual({
      created: 0,
      updated: 0,
      unchanged: 0,
      skipped: [],
    })
  })
})

describe('an import of a file with a bad component', () => {
  test.each([
    { why: 'has no DTSTART', lines: [] },
    { why: 'DTSTART is no date or date-time', lines: ['DTSTART:soon'] },
    { why: 'DTSTART is no date or date-time', lines: ['DTSTART:20260231'] },
    { why: 'has a line that cannot be read', lines: [NINE, 'no colon'] },
    { why: 'contains U+0000', lines: [NINE, 'SUMMARY:a\0b'] },
    {
      why: 'holds components within components',
      lines: [
        NINE,
        ...Array.from({ length: 9 }, () => 'BEGIN:X'),
        ...Array.from({ length: 9 }, () => 'END:X'),
      ],
    },
    { why: 'is larger than 1 MiB', lines: [NINE, `ATTACH:${'x'.repeat(1_048_576)}`] },
  ])('takes the others, and says of that one: $why', async ({ why, lines }) => {
    const { take, shown } = await own()
    expect(await take(calendar(named(1), ['UID:bad', ...lines], named(2)))).toEqual({
      created: 2,
      updated: 0,
      unchanged: 0,
      skipped: [{ uid: 'bad', reason: why }],
    })
    expect(await shown()).toHaveLength(2)
  })

  test.each([
    { what: 'two starts', lines: [NINE, NINE] },
    { what: 'a start before 1900', lines: ['DTSTART:18991231'], isUnsupported: true, on: '1900-12-31' },
    { what: 'a leap day before 1900', lines: ['DTSTART:16040229'], isUnsupported: true, on: '1900-02-28' },
    { what: 'an end after 2200', lines: ['DTSTART:20260310', 'DURATION:P99999W'], isUnsupported: true },
    { what: 'an end before its start', lines: [NINE, 'DTEND:20260310T080000'] },
    { what: 'a negative duration', lines: [NINE, 'DURATION:-PT1H'] },
    { what: 'a start with a time and an end without', lines: [NINE, 'DTEND;VALUE=DATE:20260311'] },
    { what: 'a duration that is none', lines: [NINE, 'DURATION:long'] },
    { what: 'an EXRULE', lines: [NINE, 'RRULE:FREQ=DAILY', 'EXRULE:FREQ=WEEKLY'], isUnsupported: true },
    { what: 'two rules', lines: [NINE, 'RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY'], isUnsupported: true },
    { what: 'an hourly rule', lines: [NINE, 'RRULE:FREQ=HOURLY'], isUnsupported: true },
    { what: 'a large interval', lines: [NINE, 'RRULE:FREQ=DAILY;INTERVAL=1001'], isUnsupported: true },
    { what: 'another calendar', lines: [NINE, 'RRULE:RSCALE=HEBREW;FREQ=YEARLY'], isUnsupported: true },
    { what: 'a rule that is none', lines: [NINE, 'RRULE:weekly'], isUnsupported: true },
    { what: 'a date before its start', lines: [NINE, 'RDATE:20260309T090000'], isUnsupported: true },
    { what: 'an unknown time zone', lines: ['DTSTART;TZID=Mars:20260310T090000'] },
    { what: 'a UID that is too long', lines: [NINE], uid: 'x'.repeat(501) },
  ])('takes an event with $what, and exports it as it was', async ({ lines, uid = 'odd', ...expected }) => {
    const { ada, id, take } = await own()
    const odd = [`UID:${uid}`, ...lines, 'SUMMARY:Odd']
    expect(await take(calendar(odd))).toMatchObject({ created: 1, skipped: [] })
    const { isUnsupported = false, on = '2026-03-10' } = expected
    const [event] = (await ada.request('GET', `/api/calendars/${id}/events`)).body.events
    expect(event).toMatchObject({
      title: 'Odd',
      recurrence_rule: null,
      recurrence_unsupported: isUnsupported,
    })
    expect(event.start_date ?? event.start_at.slice(0, 10)).toBe(on)
    for (const line of odd) expect((await exportOf(ada, id)).split('\r\n')).toContain(line)
    expect((await ada.change(event.id, { title: 'Renamed' })).status).toBe(200)
    const renamed = (await exportOf(ada, id)).split('\r\n')
    for (const line of odd.slice(0, -1)) expect(renamed).toContain(line)
    expect(renamed).toContain('SUMMARY:Renamed')
    const moved = await ada.change(
      event.id,
      event.all_day ? { start_date: '2026-05-01' } : { start_at: '2026-05-01T09:00' },
    )
    expect(moved.status).toBe(isUnsupported ? 409 : 200)
    if (isUnsupported) expect(moved.body.detail).toBe('Change this in the program that made it')
  })

  test('takes the others where one has no end', async () => {
    const { take } = await own()
    const open = ['BEGIN:VEVENT', 'UID:open', NINE]
    const whole = ['BEGIN:VEVENT', ...named(1), 'END:VEVENT']
    expect(await take(wrapped(open, whole, open))).toMatchObject({
      created: 1,
      skipped: [
        { uid: 'open', reason: 'has no end' },
        { uid: 'open', reason: 'has no end' },
      ],
    })
  })

  test('shows what it can of odd occurrences of a series, and says which ones are odd', async () => {
    const { ada, id, take, starts } = await own()
    const series = ['UID:s', NINE, 'SUMMARY:S', 'RRULE:FREQ=DAILY;COUNT=3']
    const odd = [
      ['UID:s', 'RECURRENCE-ID:20260301T090000', NINE, 'SUMMARY:Before'],
      ['UID:s', 'RECURRENCE-ID:20260312T090000', 'DTSTART;VALUE=DATE:20260312', 'SUMMARY:Day'],
      ['UID:s', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20260311T090000', 'DTSTART:20260311T100000', 'SUMMARY:S'],
    ]
    const skipped = [
      'has an occurrence before its start',
      'changes all occurrences from one on (RANGE=THISANDFUTURE): the first of them is taken',
    ].map((reason) => ({ uid: 's', reason }))
    const answered = await take(calendar(series, ...odd))
    expect(answered).toEqual({ created: 1, updated: 0, unchanged: 0, skipped })
    expect(await starts()).toEqual([
      '2026-03-10T09:00:00+01:00',
      '2026-03-10T09:00:00+01:00',
      '2026-03-11T10:00:00+01:00',
      '2026-03-12',
    ])
    const [event] = (await ada.request('GET', `/api/calendars/${id}/events`)).body.events
    expect(event.recurrence_unsupported).toBe(true)
    expect((await ada.change(event.id, { recurrence_rule: null })).status).toBe(409)
    expect(
      (
        await ada.change(
          event.id,
          { title: 'T' },
          { scope: 'following', occurrence_start: '2026-03-11T09:00' },
        )
      ).status,
    ).toBe(409)
    expect(
      (await ada.change(event.id, { title: 'T' }, { scope: 'this', occurrence_start: '2026-03-11T09:00' }))
        .status,
    ).toBe(200)
    const text = await exportOf(ada, id)
    for (const line of [...series, ...odd.flat()].filter((one) => one !== 'SUMMARY:S'))
      expect(text).toContain(`${line}\r\n`)
  })

  test('takes a cancelled event, which windows do not show', async () => {
    const { ada, id, take, shown } = await own()
    const cancelled = ['UID:c', NINE, 'SUMMARY:Off', 'STATUS:CANCELLED', 'RRULE:FREQ=DAILY']
    expect(await take(calendar(cancelled))).toMatchObject({ created: 1, skipped: [] })
    expect(await shown()).toEqual([])
    const [event] = (await ada.request('GET', `/api/calendars/${id}/events`)).body.events
    expect(event).toMatchObject({ title: 'Off', is_cancelled: true })
    expect((await ada.occurrences(event.id, '2026-03-01', '2026-04-01')).body.occurrences).toEqual([])
    for (const line of cancelled) expect(await exportOf(ada, id)).toContain(`${line}\r\n`)
  })
})
