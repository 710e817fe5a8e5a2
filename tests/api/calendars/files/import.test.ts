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
  const RULE = 'must be a recurrence rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO'
  test.each([
    { why: 'has no DTSTART', lines: [] },
    { why: 'has more than one DTSTART', lines: [NINE, NINE] },
    { why: 'DTSTART is no date or date-time', lines: ['DTSTART:soon'] },
    { why: 'DTSTART is no date or date-time', lines: ['DTSTART:20260231'] },
    { why: 'DTSTART is not in the years 1900 to 2200', lines: ['DTSTART:18991231'] },
    { why: 'DTSTART is not in the years 1900 to 2200', lines: ['DTSTART:99990101T000000Z'] },
    { why: 'ends after the year 2200', lines: ['DTSTART:20260101', 'DURATION:P99999W'] },
    { why: 'ends before it starts', lines: [NINE, 'DTEND:20260310T080000'] },
    { why: 'ends before it starts', lines: [NINE, 'DURATION:-PT1H'] },
    {
      why: 'begins with a day and ends with a time, or the reverse',
      lines: [NINE, 'DTEND;VALUE=DATE:20260311'],
    },
    { why: 'DURATION is no duration', lines: [NINE, 'DURATION:long'] },
    { why: 'is cancelled', lines: [NINE, 'STATUS:CANCELLED'] },
    { why: 'has an EXRULE', lines: [NINE, 'RRULE:FREQ=DAILY', 'EXRULE:FREQ=WEEKLY'] },
    { why: 'has more than one RRULE', lines: [NINE, 'RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY'] },
    {
      why: 'recurrence rule must have DAILY, WEEKLY, MONTHLY or YEARLY as FREQ',
      lines: [NINE, 'RRULE:FREQ=HOURLY'],
    },
    { why: `recurrence rule ${RULE}`, lines: [NINE, 'RRULE:weekly'] },
    { why: 'has an RDATE before its start', lines: [NINE, 'RDATE:20260309T090000'] },
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
    {
      why: 'has a time zone that is neither known nor defined in the file',
      lines: ['DTSTART;TZID=Mars:20260310T090000'],
    },
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

  test('takes the others where one has no end, or a UID that is too long', async () => {
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
    expect(await take(calendar([`UID:${'x'.repeat(501)}`, NINE]))).toMatchObject({
      skipped: [{ uid: 'x'.repeat(500), reason: 'UID is longer than 500 characters' }],
    })
  })

  test('takes the others where the bad one is an occurrence of a series', async () => {
    const { take, starts } = await own()
    const series = ['UID:s', NINE, 'SUMMARY:S', 'RRULE:FREQ=DAILY;COUNT=3']
    const bad = [
      ['UID:s', 'RECURRENCE-ID:20260301T090000', NINE, 'SUMMARY:S'],
      ['UID:s', 'RECURRENCE-ID:20260311T090000', 'DTSTART;VALUE=DATE:20260311', 'SUMMARY:S'],
      ['UID:s', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20260311T090000', 'DTSTART:20260311T100000', 'SUMMARY:S'],
    ]
    const skipped = [
      'has an occurrence before its start',
      'changes all occurrences from one on (RANGE=THISANDFUTURE)',
      'has an all-day occurrence of a series with times, or the reverse',
    ].map((reason) => ({ uid: 's', reason }))
    const answered = await take(calendar(series, ...bad))
    expect(answered).toEqual({ created: 1, updated: 0, unchanged: 0, skipped })
    expect(await starts()).toHaveLength(3)
  })
})
