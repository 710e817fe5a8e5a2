import { describe, expect, test } from 'bun:test'
import { alarm, component, put, read, startWith, triggersIn, whole } from '../support/alarms'
import { useHarness } from '../support/use-harness'

const start = startWith(useHarness({ env: { DAV_ALLOW_HTTP: 'on' } }))

/** A series of four weeks, and one of its occurrences. */
const weekly = (alarms: readonly string[], more: readonly string[] = []) =>
  component(['RRULE:FREQ=WEEKLY;COUNT=4', ...more], alarms)
const week = (day: number, alarms: readonly string[], more: readonly string[] = []) =>
  component([`RECURRENCE-ID;TZID=Europe/Berlin:202603${day}T120000`, ...more], alarms).map((line) =>
    line.replace(/:20260310/, `:202603${day}`),
  )
/** The events of a text, each with its lines in any order, and its alarms. */
const eventsIn = (text: string) =>
  text
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((event) => event.replace('END:VCALENDAR', '').trim().split('\r\n').toSorted().join('\n'))
    .toSorted()

describe.each(['read', 'write'] as const)('a member with permission to %s', (permission) => {
  test('sets an alarm for one occurrence, which nobody else sees or hears of', async () => {
    const { owner, phone, own, href, ofOwner, ofMember } = await start(permission, whole(weekly(alarm(15))))
    const ofAda = await read(owner, own)
    const { etag } = await read(phone, href)
    const kept = await put(phone, href, whole(weekly(alarm(30)), week(17, alarm(90))), { 'if-match': etag })
    expect([kept.status, kept.headers.get('etag')]).toEqual([204, null])
    const after = await read(phone, href)
    expect(eventsIn(after.text)).toEqual(eventsIn(whole(weekly(alarm(30)), week(17, alarm(90)))))
    expect(await ofMember()).toEqual({ heard: [`choir.ics ${after.etag}`], hasMoved: true })
    expect(await ofOwner()).toEqual({ heard: [], hasMoved: false })
    expect(await read(owner, own)).toEqual(ofAda)
  })

  test('changes the alarm of such an occurrence, silences another one, and takes both back', async () => {
    const { phone, href } = await start(permission, whole(weekly([])))
    for (const parts of [
      [weekly(alarm(30)), week(17, alarm(90)), week(24, [])],
      [weekly(alarm(30)), week(17, alarm(60)), week(24, [])],
      [weekly(alarm(30)), week(24, [])],
      [weekly(alarm(30))],
    ]) {
      const { etag } = await read(phone, href)
      expect((await put(phone, href, whole(...parts), { 'if-match': etag })).status).toBe(204)
      expect(eventsIn((await read(phone, href)).text)).toEqual(eventsIn(whole(...parts)))
    }
  })

  test('sees what the series says in such an occurrence, and it goes with the occurrence', async () => {
    const { owner, phone, own, href } = await start(permission, whole(weekly([])))
    await put(phone, href, whole(weekly(alarm(30)), week(17, alarm(90)), week(24, alarm(60))))
    await put(owner, own, whole(weekly([], ['LOCATION:Hall', 'EXDATE;TZID=Europe/Berlin:20260317T120000'])))
    const { text } = await read(phone, href)
    expect(triggersIn(text)).toEqual(['30', '60'])
    expect(text.match(/LOCATION:Hall/g)).toHaveLength(2)
    await put(owner, own, whole(weekly([]).map((line) => line.replace('COUNT=4', 'COUNT=2'))))
    expect(triggersIn((await read(phone, href)).text)).toEqual(['30', '90'])
    await put(owner, own, whole(weekly([]), week(24, alarm(5), ['LOCATION:Yard'])))
    expect(triggersIn((await read(phone, href)).text)).toEqual(['30', '60', '90'])
  })
})

describe('a member who only reads', () => {
  test('is refused an occurrence that says anything else, is none, or is left out', async () => {
    const exdate = 'EXDATE;TZID=Europe/Berlin:20260324T120000'
    const { owner, own, phone, href } = await start('read', whole(weekly([], [exdate])))
    const ofAda = await read(owner, own)
    for (const occurrence of [
      week(17, alarm(90), ['LOCATION:Hall']),
      week(17, alarm(90)).map((line) => line.replace('SUMMARY:Choir', 'SUMMARY:Other')),
      week(17, alarm(90)).map((line) => line.replace('T130000', 'T140000')),
      week(18, alarm(90)),
      week(24, alarm(90)),
    ])
      expect((await put(phone, href, whole(weekly(alarm(30), [exdate]), occurrence))).status).toBe(403)
    expect(await read(owner, own)).toEqual(ofAda)
    expect(triggersIn((await read(phone, href)).text)).toEqual([])
  })

  test('has alarms of their own for a hundred occurrences, and no more', async () => {
    const daily = component(['RRULE:FREQ=DAILY;COUNT=200'], [])
    const { phone, href } = await start('read', whole(daily))
    const day = (n: number) =>
      new Date(Date.UTC(2026, 2, 10 + n)).toISOString().slice(0, 10).replaceAll('-', '')
    const occurrence = (n: number) =>
      component([`RECURRENCE-ID;TZID=Europe/Berlin:${day(n)}T120000`], alarm(90)).map((line) =>
        line.replace(/:20260310/, `:${day(n)}`),
      )
    const some = (count: number) => whole(daily, ...Array.from({ length: count }, (_, n) => occurrence(n)))
    expect((await put(phone, href, some(101))).status).toBe(403)
    expect((await put(phone, href, some(100))).status).toBe(204)
    expect(triggersIn((await read(phone, href)).text)).toHaveLength(100)
  })

  test('gets no text beyond the size of an object, however long the series becomes', async () => {
    const { owner, own, phone, href } = await start('read', whole(weekly([])))
    expect((await put(phone, href, whole(weekly([]), week(17, alarm(90)), week(24, alarm(60))))).status).toBe(
      204,
    )
    const long = `DESCRIPTION:${'x'.repeat(400_000)}`
    await put(owner, own, whole(weekly([], [long])))
    const { text } = await read(phone, href)
    expect(triggersIn(text)).toEqual(['90'])
    expect(text.length).toBeLessThan(1_048_576)
  })

  test('is refused an occurrence of what does not repeat', async () => {
    const { phone, href } = await start('read')
    const written = whole(component([], alarm(30)), week(17, alarm(90)))
    expect((await put(phone, href, written)).status).toBe(403)
  })
})
