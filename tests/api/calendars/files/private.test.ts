import { beforeEach, expect, test } from 'bun:test'
import { calendar, exportOf, importInto } from '../../../support/calendar-files'
import { type Sharer, sharedWith } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()
let ada: Sharer
let bob: Sharer
let id: number
beforeEach(async () => {
  const shared = await sharedWith(h, 'write')
  ;[ada, bob, id] = [shared.ada, shared.bob, shared.calendar.id]
})

const event = (...more: readonly string[]) => [
  'UID:lesson',
  'DTSTART:20260310T090000Z',
  'DTEND:20260310T100000Z',
  'SUMMARY:Lesson',
  'X-NOTE:kept',
  ...more,
]

/** The lines of the components of events, but for time stamps. */
const linesIn = (file: string) =>
  file
    .slice(file.indexOf('BEGIN:VEVENT'), file.lastIndexOf('END:VCALENDAR'))
    .split('\r\n')
    .filter((line) => line !== '' && !/^(?:DTSTAMP|CREATED|LAST-MODIFIED)/.test(line))

const only = async () => (await ada.request('GET', `/api/calendars/${id}/events`)).body.events[0]

test.each([
  ['CLASS:PRIVATE', 'private'],
  ['CLASS:CONFIDENTIAL', 'private'],
  ['class;X-A="b:c":private', 'private'],
  ['CLASS:X-BOSS', 'private'],
  ['CLASS:PUBLIC', 'public'],
])(
  'an event that a file gives %s is %s, and the export of its owner says the same',
  async (line, visibility) => {
    expect((await importInto(ada, id, calendar(event(line)))).body).toMatchObject({ created: 1, skipped: [] })
    expect(await only()).toMatchObject({ title: 'Lesson', visibility })
    const lines = linesIn(await exportOf(ada, id)).filter((one) => /^class/i.test(one))
    expect(lines.map((one) => one.toUpperCase())).toEqual([line.toUpperCase()])
    const again = await importInto(ada, id, await exportOf(ada, id))
    expect(again.body).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  },
)

test('a series of which one occurrence is private in its file is private as a whole', async () => {
  const series = event('RRULE:FREQ=DAILY;COUNT=3', 'CLASS:PUBLIC')
  const override = event('RECURRENCE-ID:20260311T090000Z', 'CLASS:PRIVATE')
  await importInto(ada, id, calendar(series, override))
  expect(await only()).toMatchObject({ visibility: 'private' })
})

test('an event that was made private here is exported as private, and stays so when a file says nothing of it', async () => {
  await importInto(ada, id, calendar(event('CLASS:PUBLIC')))
  const { id: eventId } = await only()
  await ada.change(eventId, { visibility: 'private' })
  expect(linesIn(await exportOf(ada, id))).toContain('CLASS:PRIVATE')
  expect(linesIn(await exportOf(ada, id))).not.toContain('CLASS:PUBLIC')
  const changed = calendar(event('LOCATION:Hall'))
  expect((await importInto(ada, id, changed)).body).toMatchObject({ updated: 1 })
  expect(await only()).toMatchObject({ location: 'Hall', visibility: 'private' })
  await importInto(ada, id, calendar(event('CLASS:PUBLIC')))
  expect(await only()).toMatchObject({ visibility: 'public' })
})

test('an event that was made public here is exported without the class of its file', async () => {
  await importInto(ada, id, calendar(event('CLASS:CONFIDENTIAL')))
  await ada.change((await only()).id, { visibility: 'public' })
  expect((await exportOf(ada, id)).toUpperCase()).not.toContain('CLASS:')
})

test('members and readers of the secret address get the times of private events, and nothing else that the file said', async () => {
  const series = event('RRULE:FREQ=DAILY;COUNT=3', 'CLASS:PRIVATE', 'CATEGORIES:Secret', 'SEQUENCE:7')
  const renamed = event('RECURRENCE-ID:20260311T090000Z')
  const moved = [
    'UID:lesson',
    'RECURRENCE-ID:20260312T090000Z',
    'DTSTART:20260312T110000Z',
    'DTEND:20260312T120000Z',
    'SUMMARY:Moved lesson',
  ]
  await importInto(ada, id, calendar([...series, 'EXDATE:20260311T090000Z'], renamed, moved))
  const eventId = (await only()).id
  const feed = await h.app.fetch(new Request(`http://localhost${await ada.feedOf(id)}`))
  const stamps = (sequence: number) => [`UID:private-${eventId}`, `SEQUENCE:${sequence}`]
  for (const file of [await exportOf(bob, id), await feed.text()]) {
    const lines = linesIn(file)
    expect(lines.slice(0, 3)).toEqual(['BEGIN:VEVENT', ...stamps(0)])
    expect(lines).toContain('SUMMARY:Busy')
    expect(lines).toContain('DTSTART:20260312T110000Z')
    expect(lines).toContain('CLASS:PRIVATE')
    expect(lines).toContain('RRULE:FREQ=DAILY;COUNT=3')
    expect(file).not.toMatch(/lesson|kept|secret|VALARM/i)
  }
  expect(linesIn(await exportOf(ada, id))).toContain('SUMMARY:Lesson')
})

test('a member who is invited to a private event exports it whole, and others do not', async () => {
  await importInto(ada, id, calendar(event('CLASS:PRIVATE')))
  expect(await exportOf(bob, id)).not.toContain('Lesson')
  await ada.invite((await only()).id, bob)
  expect(linesIn(await exportOf(bob, id))).toContain('SUMMARY:Lesson')
})

test('an import by a member leaves out what is private, in the file or in the calendar, and takes the rest', async () => {
  const reason = 'is private: only the owner of the calendar can import it'
  await importInto(ada, id, calendar(event('CLASS:PRIVATE')))
  const before = await only()
  const open = event().map((line) => (line.startsWith('UID') ? 'UID:open' : line))
  const closed = event('CLASS:CONFIDENTIAL').map((line) => (line.startsWith('UID') ? 'UID:closed' : line))
  for (const query of ['?dry_run=true', '']) {
    // The very text of the owner's import is no less somebody else's than another one.
    const { body } = await importInto(bob, id, calendar(event('CLASS:PRIVATE'), open, closed), query)
    expect(body).toEqual({
      created: 1,
      updated: 0,
      unchanged: 0,
      skipped: [
        { uid: 'lesson', reason },
        { uid: 'closed', reason },
      ],
    })
  }
  expect(await only()).toEqual(before)
})
