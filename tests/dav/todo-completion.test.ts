import { describe, expect, test } from 'bun:test'
import { createJobs } from '../../src/jobs/schedule'
import { type Phone, phoneOf, syncOf } from '../support/dav'
import { organiser } from '../support/events'
import { putText, todoLines, todoText, withoutStamps } from '../support/todo-objects'
import { useHarness } from '../support/use-harness'
import { textOfChild } from '../../src/lib/xml/element'
import { dav } from '../../src/lib/xml/names'

const h = useHarness({ per: 'test', env: { DAV_ALLOW_HTTP: 'on' } })

/** A list with one weekly todo of a phone, due on Tuesday, 3 March 2026, at nine; it is Wednesday, the 4th. */
async function start(rule = 'FREQ=WEEKLY;INTERVAL=1') {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const path = `${phone.home}todos/`
  const lines = (day: string, ...more: readonly string[]) =>
    todoLines(
      'weekly@phone',
      `DTSTART;TZID=Europe/Berlin:${day}T080000`,
      `DUE;TZID=Europe/Berlin:${day}T090000`,
      `RRULE:${rule}`,
      ...more,
    )
  await putText(phone, `${path}weekly.ics`, todoText(lines('20260303', 'STATUS:NEEDS-ACTION')))
  const list = async () => {
    const { todos } = (await ada.request('GET', '/api/todos')).body
    return todos.map((todo: Record<string, unknown>) => [
      todo['completed'],
      todo['due_date'],
      todo['recurrence'],
    ])
  }
  const jobs = createJobs(h.deps)
  return { ada, phone, path, lines, list, tick: () => jobs.tick() }
}

const COMPLETED = ['STATUS:COMPLETED', 'COMPLETED:20260304T093000Z', 'PERCENT-COMPLETE:100']

/** The texts of a list by name, as a client that has nothing reads them. */
async function texts(phone: Phone, path: string) {
  const { responses } = await phone.propfind(path, ['d:getetag'], '1')
  const hrefs = [...responses.keys()].filter((href) => href !== path)
  const read = await Promise.all(hrefs.map((href) => phone.send('GET', href)))
  return Object.fromEntries(hrefs.map((href, at) => [href.slice(path.length), read[at]?.text ?? '']))
}

async function changesSince(phone: Phone, path: string, token: string) {
  const { responses, xml } = await phone.report(path, syncOf(token))
  return {
    names: [...responses].map(([href, { status }]) => [href.slice(path.length), status]),
    token: textOfChild(xml, dav('sync-token')) ?? '',
  }
}

/** Midnight before Sunday, when the week begins. */
const UNTIL_SUNDAY = { days: 3, hours: 13, minutes: 30 }

describe('a recurring todo that a client completes', () => {
  test('itself stays completed for everybody until it reopens with its next date, without anyone reading JSON', async () => {
    const { phone, path, lines, list, tick } = await start()
    const text = todoText(lines('20260303', ...COMPLETED))
    expect((await putText(phone, `${path}weekly.ics`, text)).status).toBe(204)
    expect(await list()).toEqual([[true, '2026-03-03', 'weekly']])
    expect(await texts(phone, path)).toEqual({ 'weekly.ics': text })
    const before = await changesSince(phone, path, '')
    h.clock.advance({ ...UNTIL_SUNDAY, minutes: UNTIL_SUNDAY.minutes - 1 })
    await tick()
    expect((await changesSince(phone, path, before.token)).names).toEqual([])
    h.clock.advance({ minutes: 1 })
    await tick()
    expect((await changesSince(phone, path, before.token)).names).toEqual([['weekly.ics', undefined]])
    const open = todoText(lines('20260310', 'STATUS:NEEDS-ACTION'))
    const { 'weekly.ics': now = '', ...others } = await texts(phone, path)
    expect([withoutStamps(now), others]).toEqual([withoutStamps(open), {}])
    expect(await list()).toEqual([[false, '2026-03-10', 'weekly']])
  })

  test('reopens with its alarms, also those at a time of their own, as long before it is due as before', async () => {
    const { phone, path, lines, tick } = await start()
    const alarms = (at: string) => [
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      `TRIGGER;VALUE=DATE-TIME:${at}`,
      'X-WR-ALARMUID:1',
      'END:VALARM',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-PT10M',
      'END:VALARM',
    ]
    const text = todoText(lines('20260324', ...COMPLETED, ...alarms('20260324T074500Z')))
    await putText(phone, `${path}weekly.ics`, text)
    h.clock.advance({ days: 25 })
    await tick()
    const { 'weekly.ics': now = '' } = await texts(phone, path)
    // The clocks have changed meanwhile.
    const open = todoText(lines('20260331', 'STATUS:NEEDS-ACTION', ...alarms('20260331T064500Z')))
    expect(withoutStamps(now)).toBe(withoutStamps(open))
  })

  test('early is not open again at the same date', async () => {
    const { phone, path, lines, list, tick } = await start()
    await putText(phone, `${path}weekly.ics`, todoText(lines('20260310')))
    await putText(phone, `${path}weekly.ics`, todoText(lines('20260310', ...COMPLETED)))
    h.clock.advance({ days: 6 })
    await tick()
    expect(await list()).toEqual([[true, '2026-03-10', 'weekly']])
    h.clock.advance({ days: 5 })
    await tick()
    const { 'weekly.ics': now = '' } = await texts(phone, path)
    expect(withoutStamps(now)).toBe(withoutStamps(todoText(lines('20260317', 'STATUS:NEEDS-ACTION'))))
  })

  test('and completes again with what it has read before, is completed once', async () => {
    const { phone, path, lines, list, tick } = await start()
    const text = todoText(lines('20260303', ...COMPLETED))
    await putText(phone, `${path}weekly.ics`, text)
    h.clock.advance(UNTIL_SUNDAY)
    await tick()
    // Nothing says that the text has changed here meanwhile.
    await putText(phone, `${path}weekly.ics`, text)
    await tick()
    expect(await list()).toEqual([[false, '2026-03-10', 'weekly']])
  })

  test('by moving it on is open with the date to which it was moved', async () => {
    const { phone, path, lines, list, tick } = await start()
    const text = todoText(lines('20260310', 'STATUS:NEEDS-ACTION'))
    await putText(phone, `${path}weekly.ics`, text)
    expect(await list()).toEqual([[false, '2026-03-10', 'weekly']])
    h.clock.advance(UNTIL_SUNDAY)
    await tick()
    expect(await texts(phone, path)).toEqual({ 'weekly.ics': text })
    expect(await list()).toEqual([[false, '2026-03-10', 'weekly']])
  })

  test.each([
    ['a record without the rule', []],
    ['a record with the rule', ['RRULE:FREQ=WEEKLY;INTERVAL=1']],
  ])('by %s, and by moving it on, is open once, and the record stays completed', async (_, rule) => {
    const { phone, path, lines, list, tick } = await start()
    const record = todoText(
      todoLines('record@phone', 'DUE;TZID=Europe/Berlin:20260303T090000', ...rule, ...COMPLETED),
    )
    const text = todoText(lines('20260310', 'STATUS:NEEDS-ACTION'))
    expect((await putText(phone, `${path}record.ics`, record)).status).toBe(201)
    await putText(phone, `${path}weekly.ics`, text)
    h.clock.advance({ days: 6 })
    await tick()
    expect(await texts(phone, path)).toEqual({ 'weekly.ics': text, 'record.ics': record })
    expect(await list()).toEqual([
      [false, '2026-03-10', 'weekly'],
      [true, '2026-03-03', null],
    ])
  })

  test('by an occurrence of its own is open with the date of the next one', async () => {
    const { phone, path, lines, list, tick } = await start()
    const done = (day: string) => [
      'UID:weekly@phone',
      `RECURRENCE-ID;TZID=Europe/Berlin:${day}T080000`,
      `DUE;TZID=Europe/Berlin:${day}T090000`,
      'SUMMARY:Water the plants',
      ...COMPLETED,
    ]
    const text = todoText(lines('20260303'), done('20260303'))
    await putText(phone, `${path}weekly.ics`, text)
    expect(await list()).toEqual([[false, '2026-03-10', 'weekly']])
    h.clock.advance({ days: 1 })
    await tick()
    expect(await texts(phone, path)).toEqual({ 'weekly.ics': text })
    await putText(phone, `${path}weekly.ics`, todoText(lines('20260303'), done('20260303'), done('20260310')))
    expect(await list()).toEqual([[false, '2026-03-17', 'weekly']])
  })

  test('by its last occurrence is completed for good', async () => {
    const { phone, path, lines, list, tick } = await start('FREQ=WEEKLY;COUNT=1')
    const done = ['UID:weekly@phone', 'RECURRENCE-ID;TZID=Europe/Berlin:20260303T080000', ...COMPLETED]
    const text = todoText(lines('20260303'), done)
    await putText(phone, `${path}weekly.ics`, text)
    h.clock.advance({ days: 6 })
    await tick()
    expect(await texts(phone, path)).toEqual({ 'weekly.ics': text })
    expect(await list()).toEqual([[true, '2026-03-03', null]])
  })
})

describe('a recurring todo that JSON completes', () => {
  test('is completed for clients, and later open with its next date; former occurrences of their own go', async () => {
    const { ada, phone, path, lines, tick } = await start()
    const done = ['UID:weekly@phone', 'RECURRENCE-ID;TZID=Europe/Berlin:20260303T080000', ...COMPLETED]
    await putText(phone, `${path}weekly.ics`, todoText(lines('20260303'), done))
    const [{ id }] = (await ada.request('GET', '/api/todos')).body.todos
    h.clock.advance({ days: 6 })
    await ada.request('POST', `/api/todos/${id}/toggle`)
    const completed = (await texts(phone, path))['weekly.ics'] ?? ''
    expect(completed).toContain('DUE;TZID=Europe/Berlin:20260303T090000\r\n')
    expect(completed).toContain('STATUS:COMPLETED\r\nCOMPLETED:20260310T093000Z\r\n')
    h.clock.advance({ days: 7 })
    await tick()
    expect(withoutStamps((await texts(phone, path))['weekly.ics'] ?? '')).toBe(
      withoutStamps(todoText(lines('20260317'))),
    )
  })

  test('is read by clients as it is, when no client has written it', async () => {
    const { ada, phone, path, tick } = await start()
    const { id } = (
      await ada.request('POST', '/api/todos', {
        body: { title: 'Sweep', recurrence: 'daily', due_date: '2026-03-04', due_time: '18:00' },
      })
    ).body
    await ada.request('POST', `/api/todos/${id}/toggle`)
    const read = async () => Object.values(await texts(phone, path)).find((text) => text.includes('Sweep'))
    const completed = await read()
    expect(completed).toContain('DUE:20260304T180000\r\n')
    expect(completed).toContain('RRULE:FREQ=DAILY\r\nSTATUS:COMPLETED\r\nCOMPLETED:20260304T093000Z\r\n')
    h.clock.advance({ days: 1 })
    await tick()
    expect(await read()).toContain(
      'DTSTART:20260305T180000\r\nDUE:20260305T180000\r\nRRULE:FREQ=DAILY\r\nSTATUS:NEEDS-ACTION\r\n',
    )
  })
})
