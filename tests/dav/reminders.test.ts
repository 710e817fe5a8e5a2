import { expect, test } from 'bun:test'
import { phoneOf } from '../support/dav'
import { organiser } from '../support/events'
import { putText, todoText, withoutStamps } from '../support/todo-objects'
import { useHarness } from '../support/use-harness'

const h = useHarness({ per: 'test', env: { DAV_ALLOW_HTTP: 'on' } })

async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const path = `${phone.home}reminders/`
  const list = async () => (await ada.request('GET', '/api/reminders')).body.reminders
  const read = async () => {
    const { responses } = await phone.propfind(path, ['d:getetag'], '1')
    const hrefs = [...responses.keys()].filter((href) => href !== path)
    expect(hrefs).toHaveLength(1)
    return (await phone.send('GET', hrefs[0] ?? '')).text
  }
  return { ada, phone, path, list, read }
}

const lines = (...more: readonly string[]) => [
  'UID:r@phone',
  'DTSTAMP:20260301T100000Z',
  'SUMMARY:Take the pill',
  ...more,
  'X-APPLE-THING:kept',
]
const ALARM = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER;VALUE=DATE-TIME:20260304T110000Z', 'END:VALARM']

test('a reminder of a phone is one in JSON, and a change in JSON rewrites only the lines that it means', async () => {
  const { ada, phone, path, list } = await start()
  const text = todoText(lines('DUE;TZID=Europe/Berlin:20260304T120000', ...ALARM))
  const made = await putText(phone, `${path}r.ics`, text)
  expect(made.status).toBe(201)
  const [reminder] = await list()
  expect(reminder).toMatchObject({
    title: 'Take the pill',
    remind_at: '2026-03-04T12:00:00+01:00',
    snoozed_until: null,
    is_dismissed: false,
    recurrence_rule: null,
    time_zone: 'Europe/Berlin',
  })
  expect(made.headers.get('etag')).toBe(`"${reminder.id}-${reminder.version}"`)
  const get = async () => (await phone.send('GET', `${path}r.ics`)).text
  expect(await get()).toBe(text)
  await ada.request('PUT', `/api/reminders/${reminder.id}`, {
    body: { remind_at: '2026-03-05T08:30:00+01:00' },
  })
  expect(withoutStamps(await get())).toBe(
    withoutStamps(text)
      .replace('20260304T120000', '20260305T083000')
      .replace('20260304T110000Z', '20260305T073000Z'),
  )
})

test('a reminder that is snoozed and dismissed in JSON has its alarm then, and is completed', async () => {
  const { ada, phone, path, list, read } = await start()
  const text = todoText(lines('DUE;TZID=Europe/Berlin:20260304T120000', ...ALARM))
  await putText(phone, `${path}r.ics`, text)
  const [{ id }] = await list()
  await ada.request('PUT', `/api/reminders/${id}/snooze`, { body: { until: '2026-03-04T13:00:00+01:00' } })
  expect(withoutStamps(await read())).toBe(
    withoutStamps(text).replace('20260304T110000Z', '20260304T120000Z'),
  )
  await ada.request('PUT', `/api/reminders/${id}/dismiss`)
  expect(await read()).toContain('STATUS:COMPLETED\r\nCOMPLETED:20260304T093000Z\r\nPERCENT-COMPLETE:100\r\n')
})

test('a reminder that a phone snoozes and completes is snoozed and dismissed', async () => {
  const { phone, path, list, read } = await start()
  const due = 'DUE;TZID=Europe/Berlin:20260304T100000'
  await putText(phone, `${path}r.ics`, todoText(lines(due, 'X-MOZ-SNOOZE-TIME:20260304T120000Z', ...ALARM)))
  expect(await list()).toMatchObject([
    { remind_at: '2026-03-04T10:00:00+01:00', snoozed_until: '2026-03-04T13:00:00+01:00' },
  ])
  const text = todoText(lines(due, 'STATUS:COMPLETED', ...ALARM))
  await putText(phone, `${path}r.ics`, text)
  expect(await list()).toMatchObject([{ is_dismissed: true, snoozed_until: null }])
  expect(await read()).toBe(text)
})

test('a series that a phone completes goes on with its next occurrence, once, and the phone hears of it', async () => {
  const { phone, path, list, read } = await start()
  const series = (day: string, status: string) =>
    todoText(
      lines(
        `DTSTART;TZID=Europe/Berlin:${day}T100000`,
        `DUE;TZID=Europe/Berlin:${day}T100000`,
        'RRULE:FREQ=DAILY;INTERVAL=2',
        `STATUS:${status}`,
      ),
    )
  await putText(phone, `${path}r.ics`, series('20260304', 'NEEDS-ACTION'))
  const done = await putText(phone, `${path}r.ics`, series('20260304', 'COMPLETED'))
  const after = {
    is_dismissed: false,
    remind_at: '2026-03-06T10:00:00+01:00',
    recurrence_rule: 'FREQ=DAILY;INTERVAL=2',
  }
  expect(await list()).toMatchObject([after])
  const { headers, text } = await phone.send('GET', `${path}r.ics`)
  expect(headers.get('etag')).not.toBe(done.headers.get('etag'))
  expect(withoutStamps(text)).toBe(withoutStamps(series('20260306', 'NEEDS-ACTION')))
  await putText(phone, `${path}r.ics`, series('20260304', 'COMPLETED'))
  expect(await list()).toMatchObject([after])
  expect(withoutStamps(await read())).toBe(withoutStamps(series('20260306', 'NEEDS-ACTION')))
})

test('a series that a phone completes early is not due again at that time', async () => {
  const { phone, path, list } = await start()
  const series = (...more: readonly string[]) =>
    todoText(lines('DUE;TZID=Europe/Berlin:20260310T100000', 'RRULE:FREQ=WEEKLY', ...more))
  await putText(phone, `${path}r.ics`, series())
  await putText(phone, `${path}r.ics`, series('STATUS:COMPLETED'))
  expect(await list()).toMatchObject([{ is_dismissed: false, remind_at: '2026-03-17T10:00:00+01:00' }])
})

test('a reminder of JSON is read by phones with its zone, its rule and an alarm, and says what is left of it', async () => {
  const { ada, read } = await start()
  const { id } = (
    await ada.request('POST', '/api/reminders', {
      body: {
        title: 'Stretch',
        remind_at: '2026-03-04T12:00:00+01:00',
        recurrence_rule: 'FREQ=DAILY;COUNT=5',
      },
    })
  ).body
  const text = await read()
  expect(text).toContain('BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n')
  expect(text).toContain(
    'DUE;TZID=Europe/Berlin:20260304T120000\r\nRRULE:FREQ=DAILY;COUNT=5\r\nSTATUS:NEEDS-ACTION\r\n',
  )
  expect(text).toContain('TRIGGER;RELATED=END:PT0S\r\n')
  h.clock.advance({ hours: 2 })
  await ada.request('PUT', `/api/reminders/${id}/dismiss`)
  expect(await read()).toContain('DUE;TZID=Europe/Berlin:20260305T120000\r\nRRULE:FREQ=DAILY;COUNT=4\r\n')
})

test('a rule that a reminder cannot have is kept, and only its words can be changed in JSON', async () => {
  const { ada, phone, path, list, read } = await start()
  const text = todoText(lines('DUE;TZID=Europe/Berlin:20260304T120000', 'RRULE:FREQ=HOURLY'))
  await putText(phone, `${path}r.ics`, text)
  const [reminder] = await list()
  expect(reminder).toMatchObject({ recurrence_rule: null, recurrence_unsupported: true })
  const change = (body: object) => ada.request('PUT', `/api/reminders/${reminder.id}`, { body })
  expect((await change({ remind_at: '2026-03-05T12:00:00+01:00' })).status).toBe(409)
  expect((await change({ title: 'Drink' })).status).toBe(200)
  expect(withoutStamps(await read())).toBe(withoutStamps(text).replace('Take the pill', 'Drink'))
})
