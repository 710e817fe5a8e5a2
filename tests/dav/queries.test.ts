import { describe, expect, test } from 'bun:test'
import { childOf } from '../../src/lib/xml/element'
import { caldav } from '../../src/lib/xml/names'
import { type Phone, phoneOf, PREFIXES } from '../support/dav'
import { organiser } from '../support/events'
import { eventText } from '../support/household'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const [, path = ''] = [...responses.keys()]
  const add = async (name: string, body: Record<string, unknown>) => {
    await ada.create({ title: name, ...body })
  }
  await add('Old', { start_at: '2026-02-10T12:00:00', end_at: '2026-02-10T13:00:00' })
  await add('Lunch', { start_at: '2026-03-10T12:00:00', end_at: '2026-03-10T13:00:00' })
  await add('Holiday', { all_day: true, start_date: '2026-03-20', end_date: '2026-03-22' })
  await add('Choir', {
    start_at: '2016-01-06T19:00:00',
    end_at: '2016-01-06T21:00:00',
    recurrence_rule: 'FREQ=WEEKLY',
  })
  await add('Ended', {
    start_at: '2016-01-06T19:00:00',
    end_at: '2016-01-06T21:00:00',
    recurrence_rule: 'FREQ=WEEKLY;COUNT=3',
  })
  return { ada, phone, path }
}

const query = (filter: string, data = '<c:calendar-data/>') =>
  `<c:calendar-query ${PREFIXES}><d:prop><d:getetag/>${data}</d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">${filter}</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`

const titlesIn = async (phone: Phone, path: string, body: string) => {
  const { status, responses } = await phone.report(path, body, { depth: '1' })
  const texts = [...responses.values()].map(({ found }) => found.get(caldav('calendar-data'))?.text ?? '')
  return {
    status,
    texts,
    titles: texts.map((text) => /^SUMMARY:(.*)$/m.exec(text)?.[1]?.trim() ?? '').toSorted(),
  }
}
const MARCH = '<c:time-range start="20260301T000000Z" end="20260401T000000Z"/>'

describe('calendar-query', () => {
  test('finds what takes place within a time, however old the series is', async () => {
    const { phone, path } = await start()
    expect((await titlesIn(phone, path, query(MARCH))).titles).toEqual(['Choir', 'Holiday', 'Lunch'])
    const later = '<c:time-range start="20260301T000000Z"/>'
    expect((await titlesIn(phone, path, query(later))).titles).toEqual(['Choir', 'Holiday', 'Lunch'])
    expect((await titlesIn(phone, path, query(''))).titles).toHaveLength(5)
  })

  test('finds an occurrence that was moved to a time far from its series', async () => {
    const { ada, phone, path } = await start()
    const event = await ada.create({
      title: 'Moved',
      start_at: '2026-01-05T09:00:00',
      end_at: '2026-01-05T10:00:00',
      recurrence_rule: 'FREQ=DAILY;COUNT=2',
    })
    const occurrence = encodeURIComponent('2026-01-06T09:00:00')
    const changed = await ada.request(
      'PUT',
      `/api/events/${event.id}?scope=this&occurrence_start=${occurrence}`,
      {
        body: { start_at: '2026-03-05T09:00:00', end_at: '2026-03-05T10:00:00' },
      },
    )
    expect(changed.status).toBe(200)
    expect((await titlesIn(phone, path, query(MARCH))).titles).toContain('Moved')
  })

  test('compares texts, and expands series in UTC when it is asked to', async () => {
    const { phone, path } = await start()
    const match =
      '<c:prop-filter name="SUMMARY"><c:text-match collation="i;ascii-casemap">LUN</c:text-match></c:prop-filter>'
    expect((await titlesIn(phone, path, query(match))).titles).toEqual(['Lunch'])
    const expand =
      '<c:calendar-data><c:expand start="20260301T000000Z" end="20260315T000000Z"/></c:calendar-data>'
    const { texts } = await titlesIn(phone, path, query(MARCH, expand))
    const choir = texts.find((text) => text.includes('Choir')) ?? ''
    expect(choir.match(/^DTSTART:.*Z/gm)?.map((line) => line.trim())).toEqual([
      'DTSTART:20260304T180000Z',
      'DTSTART:20260311T180000Z',
    ])
    expect(choir).not.toMatch(/RRULE|VTIMEZONE/)
  })

  test('gives the parts that are asked for', async () => {
    const { phone, path } = await start()
    const part =
      '<c:calendar-data><c:comp name="VCALENDAR"><c:comp name="VEVENT"><c:prop name="UID"/></c:comp></c:comp></c:calendar-data>'
    const { texts } = await titlesIn(phone, path, query(MARCH, part))
    for (const text of texts)
      expect(text).toMatch(
        /^BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:[^\r]*\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n$/,
      )
  })

  test('refuses filters and data that it does not know, each by its name', async () => {
    const { phone, path } = await start()
    const wrong: ReadonlyArray<readonly [string, string]> = [
      [query('<c:time-range start="x"/>'), 'valid-filter'],
      [
        query('<c:prop-filter name="SUMMARY"><c:text-match collation="i;x">a</c:text-match></c:prop-filter>'),
        'supported-collation',
      ],
      [query('', '<c:calendar-data content-type="text/html"/>'), 'supported-calendar-data'],
    ]
    for (const [body, precondition] of wrong) {
      const refused = await phone.report(path, body)
      expect([precondition, refused.status]).toEqual([precondition, 403])
      expect(childOf(refused.xml, caldav(precondition))).toBeDefined()
    }
  })

  test('for todos finds nothing among events', async () => {
    const { phone, path } = await start()
    const { status, responses } = await phone.report(path, query('').replaceAll('VEVENT', 'VTODO'))
    expect([status, responses.size]).toEqual([207, 0])
  })
})

test('free-busy-query tells when somebody is busy, merged and cut to the range', async () => {
  const { phone, path } = await start()
  const body = `<c:free-busy-query ${PREFIXES}><c:time-range start="20260310T000000Z" end="20260312T000000Z"/></c:free-busy-query>`
  const { status, text, headers } = await phone.report(path, body, { depth: '1' })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(text.match(/^FREEBUSY.*$/gm)?.map((line) => line.trim())).toEqual([
    'FREEBUSY:20260310T110000Z/20260310T120000Z',
    'FREEBUSY:20260311T180000Z/20260311T200000Z',
  ])
  expect((await phone.report(path, `<c:free-busy-query ${PREFIXES}/>`)).status).toBe(400)
})

test('finds the same by time alone as with every text read, at the edges of any span and in any zone', async () => {
  const { phone, path } = await start()
  const days = [
    '0225',
    '0226',
    '0227',
    '0228',
    '0301',
    '0304',
    '0305',
    '0306',
    '0310',
    '0329',
    '0331',
    '0402',
    '0405',
  ]
  const starts = (day: string) => [
    `DTSTART:2026${day}T000000Z`,
    `DTSTART:2026${day}T233000`,
    `DTSTART;VALUE=DATE:2026${day}`,
    `DTSTART;TZID=Pacific/Kiritimati:2026${day}T003000`,
    `DTSTART;TZID=Pacific/Pago_Pago:2026${day}T233000\r\nDURATION:P3D`,
    `DTSTART:2026${day}T120000Z\r\nRRULE:FREQ=YEARLY;COUNT=2`,
    `DTSTART:2026${day}T120000Z\r\nRDATE:20260320T120000Z`,
    `DTSTART:2026${day}T120000Z\r\nEXDATE:2026${day}T120000Z`,
    `DTSTART:2026${day}T120000Z\r\nRECURRENCE-ID:20260320T120000Z`,
    `DTSTART:2026${day}T120000Z\r\nSTATUS:CANCELLED`,
  ]
  const made = days.flatMap(starts).map(async (line, n) => {
    const text = eventText(`edge-${n}`, `Edge ${n}`, { start: line })
    const body = line.includes('DURATION') ? text.replace('DURATION:PT1H\r\n', '') : text
    return phone.send('PUT', `${path}edge-${n}.ics`, { body })
  })
  for (const { status } of await Promise.all(made)) expect(status).toBe(201)
  const found = async (filter: string) =>
    [...(await phone.report(path, query(filter, ''), { depth: '1' })).responses.keys()].toSorted()
  const spans = [
    MARCH,
    '<c:time-range start="20260301T000000Z"/>',
    '<c:time-range end="20260306T120000Z"/>',
    '<c:time-range start="20260310T120000Z" end="20260310T120001Z"/>',
    '',
  ]
  for (const span of spans)
    expect(await found(span)).toEqual(await found(`${span}<c:prop-filter name="UID"/>`))
})
