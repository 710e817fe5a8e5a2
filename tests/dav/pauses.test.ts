import { expect, test } from 'bun:test'
import { calendarText } from '../support/dav-queries'
import { type Phone, phoneOf, PREFIXES } from '../support/dav'
import { organiser } from '../support/events'
import { pausesOf } from '../support/pauses'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const OBJECTS = 12
const OVERRIDES = 300

async function start() {
  const phone = await phoneOf(h, await organiser(h))
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const [, path = ''] = [...responses.keys()]
  return { phone, path }
}

const put = async (phone: Phone, path: string, ...lines: readonly string[]) => {
  const headers = { 'content-type': 'text/calendar; charset=utf-8' }
  const { status } = await phone.send('PUT', path, { headers, body: calendarText(...lines) })
  expect(status).toBe(201)
}

/** What happens while `work` is done: each look at the time zone of an object, and each pause. */
async function stepsOf(work: () => Promise<unknown>): Promise<string[]> {
  const steps: string[] = []
  const { calendarFiles, clock } = h.deps
  const former = { ...calendarFiles }
  let asked = 0
  Object.assign(calendarFiles, {
    zoneOfWindows: (name: string) => {
      steps.push('object')
      return former.zoneOfWindows(name)
    },
  })
  Object.assign(clock, {
    monotonic: () => (asked += 11),
    sleep: async () => {
      steps.push('pause')
      asked = 0
    },
  })
  try {
    await work()
  } finally {
    Object.assign(calendarFiles, former)
    for (const own of ['monotonic', 'sleep']) Reflect.deleteProperty(clock, own)
  }
  return steps
}

test('between any two objects that a report expands, others get in', async () => {
  const { phone, path } = await start()
  for (let n = 0; n < OBJECTS; n++)
    await put(
      phone,
      `${path}${n}.ics`,
      'BEGIN:VEVENT',
      `UID:${n}`,
      'DTSTAMP:20260101T000000Z',
      'DTSTART;TZID=W. Europe Standard Time:20260301T090000',
      'RRULE:FREQ=DAILY',
      'END:VEVENT',
    )
  const body = `<c:calendar-query ${PREFIXES}><d:prop><c:calendar-data><c:expand start="20260301T000000Z" end="20260401T000000Z"/></c:calendar-data></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"/></c:comp-filter></c:filter></c:calendar-query>`
  const steps = await stepsOf(async () => {
    const { text } = await phone.report(path, body, { depth: '1' })
    expect(text.match(/BEGIN:VEVENT/g)?.length).toBe(OBJECTS * 31)
  })
  expect(steps.filter((step) => step === 'object').length).toBeGreaterThanOrEqual(OBJECTS)
  expect(steps.some((step, i) => step === 'object' && steps[i + 1] === 'object')).toBe(false)
})

test('while an event of many changed occurrences is read, others get in at each of them', async () => {
  const { phone, path } = await start()
  const changed = Array.from({ length: OVERRIDES }, (_, day) => {
    const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10).replaceAll('-', '')
    return [
      'BEGIN:VEVENT',
      'UID:one',
      `RECURRENCE-ID:${date}T090000Z`,
      `DTSTART:${date}T100000Z`,
      'END:VEVENT',
    ]
  })
  const series = ['BEGIN:VEVENT', 'UID:one', 'DTSTART:20260101T090000Z', 'RRULE:FREQ=DAILY', 'END:VEVENT']
  const paused = await pausesOf(h, () => put(phone, `${path}one.ics`, ...series, ...changed.flat()))
  // It is looked at for its UID twice, read, placed in the series, and compared with it.
  expect(paused).toBeGreaterThan(5 * OVERRIDES)
})

test('a report with more conditions than any program has is refused', async () => {
  const { phone, path } = await start()
  const filter = (count: number) =>
    `<c:calendar-query ${PREFIXES}><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">${'<c:prop-filter name="SUMMARY"/>'.repeat(count)}</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`
  expect((await phone.report(path, filter(150))).status).toBe(207)
  const refused = await phone.report(path, filter(250))
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('supported-filter')])
})
