import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { events, settings } from '../../../../src/db/schema'
import { calendar, calendarOf, exportOf, importInto } from '../../../support/calendar-files'
import * as producers from '../../../support/calendar-producers'
import { checksums } from '../../../support/checksum'
import { at, invite, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

type Ada = Awaited<ReturnType<typeof organiser>>
const MIB = 1_048_576
const ok = ({ status, body }: { status: number; body: unknown }) => {
  if (status >= 300) throw new Error(JSON.stringify(body))
}

/** Events of every kind as they are made and changed here. */
async function makeEvents(ada: Ada): Promise<void> {
  const timed = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:30' }
  const texts = {
    description: `Zoë 🎂\r\n${'東京, \\; "x" '.repeat(400)}\ufeff\u2028`,
    location: 'Hall; 2, "B"',
    reminder_minutes: 15,
  }
  await ada.create({ ...timed, ...texts })
  await ada.create({
    title: ' \ufeffA\ufeffB: c',
    start_at: '2026-03-10T09:00Z',
    end_at: '2026-03-10T09:00Z',
  })
  await ada.create({ all_day: true, start_date: '2026-03-10', end_date: '2026-03-12', reminder_minutes: 0 })
  // Its end, which files name exclusively, is beyond the years that they may name.
  await ada.create({ all_day: true, start_date: '2200-12-31', end_date: '2200-12-31' })
  // The second of two wall times that are alike.
  await ada.create({ start_at: '2026-10-25T02:30:00+01:00', end_at: '2026-10-25T02:45:00+01:00' })
  const skipped = { start_at: '2026-03-29T02:30', end_at: '2026-03-29T03:30' }
  await ada.create({ ...skipped, recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  const changed = { ...timed, ...texts, recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU,FR;COUNT=40' }
  for (const zone of ['Europe/Berlin', 'us/eastern', 'UTC']) {
    const series = await ada.create({ ...changed, time_zone: zone })
    await changeOccurrences(ada, series.id)
  }
  const days = { all_day: true, start_date: '2026-03-10', end_date: '2026-03-11' }
  const whole = await ada.create({ ...days, recurrence_rule: 'FREQ=MONTHLY;BYMONTHDAY=10;UNTIL=20270310' })
  await changeOccurrences(ada, whole.id)
}

const MOVED = { start_at: '2026-10-25T02:30:00+01:00', end_at: '2026-10-25T03:30:00+01:00' }
const MOVED_DAY = { start_date: '2026-06-07', end_date: '2026-06-09' }

/** An occurrence is left out, others have texts, alarms and times of their own, and the series is divided. */
async function changeOccurrences(ada: Ada, id: number): Promise<void> {
  const { occurrences } = (await ada.occurrences(id, '2026-03-01', '2026-12-31')).body
  const [, gone, titled, moved, alarmed, rest] = occurrences
  const aim = (one: { occurrence_start: string }, scope = 'this') => ({
    scope,
    occurrence_start: one.occurrence_start,
  })
  ok(await ada.remove(id, aim(gone)))
  ok(await ada.change(id, { title: 'Other', description: null }, aim(titled)))
  ok(await ada.change(id, moved.all_day ? MOVED_DAY : MOVED, aim(moved)))
  ok(await ada.change(id, { reminder_minutes: 5 }, aim(alarmed)))
  ok(await ada.change(id, { title: 'From here on' }, aim(rest, 'following')))
}

const NINE = 'DTSTART:20260310T090000'
const alarm = (...lines: readonly string[]) => ['BEGIN:VALARM', ...lines, 'END:VALARM']
const FOREIGN = calendar(
  ['UID:dates', NINE, 'DURATION:PT1H', 'RDATE:20260312T090000,20260320T100000', 'SUMMARY:RDATE'],
  ['UID:directions', NINE, 'DESCRIPTION:a\u202eb\\n\u2066c\\n\u2067d\u2069'],
  ['UID:long directions', NINE, `DESCRIPTION:${'x'.repeat(9990)}\u2066${'y'.repeat(50)}\u2069`],
  ['UID:periods', NINE, 'RRULE:FREQ=DAILY;COUNT=3', 'RDATE;VALUE=PERIOD:20260401T090000/PT3H'],
  ['UID:not in the rule', NINE, 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=5', 'EXDATE:20260316T090000'],
  [
    'UID:escaped\\, \\;\\n and long',
    NINE,
    `SUMMARY;LANGUAGE=en:${'Long '.repeat(100)}`,
    'X-A;B="c;d":e\ufefff',
  ],
  [NINE, 'SUMMARY:Without UID', 'SEQUENCE:7', 'CREATED:20200101T000000Z', 'LAST-MODIFIED:20200101T000000Z'],
  ['UID:orphan', 'RECURRENCE-ID:20260311T090000', 'DTSTART:20260311T100000', 'SUMMARY:Orphan'],
  ['UID:orphan', 'RECURRENCE-ID:20260312T090000', 'DTSTART:20260312T100000', 'SUMMARY:Later', 'X-OWN:1'],
  [
    'UID:alarms',
    NINE,
    ...alarm('ACTION:AUDIO', 'TRIGGER:-PT10M'),
    ...alarm('ACTION:EMAIL', 'TRIGGER;RELATED=END:PT0S'),
    ...alarm('ACTION:DISPLAY', 'TRIGGER;VALUE=DATE-TIME:20260309T080000Z'),
  ],
  ['UID:large', NINE, `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'QUJD'.repeat(MIB / 4 - 50)}`],
  ['UID:large in Chinese', NINE, `X-NOTE:${'東'.repeat(MIB - 100)}`],
)

/** Edits that the next import of the same file would leave alone. */
async function editImported(ada: Ada): Promise<void> {
  const shown = await ada.list('2026-01-01', '2026-12-31')
  const ids = [...new Set(shown.map(({ id }) => id))]
  for (const [n, id] of ids.entries()) {
    const { recurrence_rule, all_day } = (await ada.read(id)).body
    if (n % 4 === 0) ok(await ada.change(id, { title: `Edited ${n}`, reminder_minutes: 30 }))
    if (n % 4 === 1) ok(await ada.change(id, { description: 'Edited', location: null }))
    if (recurrence_rule === null || n % 2 === 0) continue
    const { occurrences } = (await ada.occurrences(id, '2026-03-01', '2026-12-31')).body
    const aim = at(occurrences.at(-1).occurrence_start)
    ok(await ada.change(id, all_day ? MOVED_DAY : MOVED, aim))
  }
}

/** A calendar with all of this in it, whose owner and an invitee get messages. */
async function richCalendar() {
  const [ada, bob] = [await organiser(h, 'Europe/Berlin'), await organiser(h)]
  const id = await calendarOf(ada)
  await makeEvents(ada)
  for (const file of [...Object.values(producers), FOREIGN]) ok(await importInto(ada, id, file))
  await h.db.update(settings).set({ ntfyEnabled: true })
  await editImported(ada)
  const [first] = await ada.list('2026-03-10', '2026-03-11')
  await invite(h, { eventId: first.id, userId: bob.row.id })
  return { ada, bob, id }
}

test('an export that is imported where it came from is unchanged, and changes nothing', async () => {
  const { ada, id } = await richCalendar()
  const feed = (await h.request('GET', await ada.feedOf(id))).body
  const checksum = await checksums(h.db)
  const before = await checksum()
  const text = await exportOf(ada, id)
  const unchanged = await h.db.$count(events, eq(events.calendarId, id))
  expect(unchanged).toBeGreaterThan(30)
  for (const file of [text, feed, text.replaceAll('\r\n', '\n'), text.replaceAll('\r\n ', '')]) {
    for (const query of ['?dry_run=true', '']) {
      const answered = await importInto(ada, id, file, query)
      expect([answered.status, answered.body]).toEqual([
        200,
        { created: 0, updated: 0, unchanged, skipped: [] },
      ])
    }
  }
  expect(await exportOf(ada, id)).toBe(text)
  expect(await checksum()).toEqual(before)
  // Lines that another program wrote stay as long as they were.
  const given = new Set([...Object.values(producers), FOREIGN].flatMap((file) => file.split('\r\n')))
  for (const line of text.split('\r\n')) expect(given.has(line) || Buffer.byteLength(line) <= 75).toBe(true)
}, 60_000)

test('an import of an export takes over what has changed since then, there or here, and nothing else', async () => {
  const ada = await organiser(h, 'Europe/Berlin')
  const id = await calendarOf(ada)
  const make = (title: string) =>
    ada.create({
      title,
      start_at: '2026-03-10T09:00',
      end_at: '2026-03-10T10:00',
      recurrence_rule: 'FREQ=DAILY;COUNT=5',
    })
  const [one, two, three] = [await make('One'), await make('Two'), await make('Three')]
  const aim = at('2026-03-11T09:00')
  ok(await ada.change(two.id, { title: 'Second' }, aim))
  const text = await exportOf(ada, id)
  ok(await ada.change(three.id, { title: 'Fourth' }, aim))
  const edited = text.replace('SUMMARY:Second', 'SUMMARY:Second\\, elsewhere')
  expect((await importInto(ada, id, edited)).body).toEqual({
    created: 0,
    updated: 2,
    unchanged: 1,
    skipped: [],
  })
  const titles = async (event: { id: number }) =>
    (await ada.occurrences(event.id, '2026-03-10', '2026-03-12')).body.occurrences.map(
      ({ title }: { title: string }) => title,
    )
  expect([await titles(one), await titles(two), await titles(three)]).toEqual([
    ['One', 'One'],
    ['Two', 'Second, elsewhere'],
    ['Three', 'Three'],
  ])
  expect((await ada.read(one.id)).body.version).toBe(1)
})
