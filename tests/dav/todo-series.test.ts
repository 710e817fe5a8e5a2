import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createJobs } from '../../src/jobs/schedule'
import { phoneOf } from '../support/dav'
import { organiser } from '../support/events'
import { putText, todoLines, todoText, withoutStamps } from '../support/todo-objects'
import { undo } from '../support/undoing'
import { useHarness } from '../support/use-harness'

const h = useHarness({ per: 'test', env: { DAV_ALLOW_HTTP: 'on' } })

/** It is Wednesday, 4 March 2026, half past ten in Berlin. */
async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const path = `${phone.home}todos/t.ics`
  const todo = async () => (await ada.request('GET', '/api/todos')).body.todos[0]
  const read = async () => withoutStamps((await phone.send('GET', path)).text)
  const jobs = createJobs(h.deps)
  return { ada, phone, path, todo, read, tick: () => jobs.tick() }
}

const series = (day: string, rule: string, ...more: readonly string[]) =>
  todoText(
    todoLines(
      't@phone',
      `DTSTART;TZID=Europe/Berlin:${day}T080000`,
      `DUE;TZID=Europe/Berlin:${day}T090000`,
      rule,
      ...more,
    ),
  )
const COMPLETED = ['STATUS:COMPLETED', 'COMPLETED:20260304T093000Z', 'PERCENT-COMPLETE:100']
const OPEN = 'STATUS:NEEDS-ACTION'

const WAYS: ReadonlyArray<readonly [what: string, rule: string, day: string, after: string]> = [
  ['each second week', 'RRULE:FREQ=WEEKLY;INTERVAL=2', '20260317', 'RRULE:FREQ=WEEKLY;INTERVAL=2'],
  ['each year', 'RRULE:FREQ=YEARLY', '20270303', 'RRULE:FREQ=YEARLY'],
  ['some times', 'RRULE:FREQ=WEEKLY;COUNT=3', '20260310', 'RRULE:FREQ=WEEKLY;COUNT=2'],
  [
    'until a day',
    'RRULE:FREQ=WEEKLY;UNTIL=20260501T000000Z',
    '20260310',
    'RRULE:FREQ=WEEKLY;UNTIL=20260501T000000Z',
  ],
  ['on some days', 'RRULE:FREQ=WEEKLY;BYDAY=TU,TH', '20260305', 'RRULE:FREQ=WEEKLY;BYDAY=TU,TH'],
  [
    'but for a day',
    'EXDATE;TZID=Europe/Berlin:20260310T080000\r\nRRULE:FREQ=WEEKLY',
    '20260317',
    'EXDATE;TZID=Europe/Berlin:20260310T080000\r\nRRULE:FREQ=WEEKLY',
  ],
]

describe.each(WAYS)('a todo that is due %s', (_, rule, day, after) => {
  const dashed = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`

  test('and completed by its text comes again on the next day, due at its next time', async () => {
    const { phone, path, todo, read, tick } = await start()
    await putText(phone, path, series('20260303', rule, OPEN))
    await putText(phone, path, series('20260303', rule, ...COMPLETED))
    expect(await todo()).toMatchObject({ completed: true, due_date: '2026-03-03', next_due_date: dashed })
    h.clock.advance({ hours: 14 })
    await tick()
    expect(await todo()).toMatchObject({ completed: false, due_date: dashed, recurrence_unsupported: true })
    expect(await read()).toBe(withoutStamps(series(day, after, OPEN)))
  })

  test('and completed by JSON does so too', async () => {
    const { ada, phone, path, todo, read, tick } = await start()
    await putText(phone, path, series('20260303', rule, OPEN))
    const { id } = await todo()
    expect((await ada.request('POST', `/api/todos/${id}/toggle`)).body).toMatchObject({
      completed: true,
      next_due_date: dashed,
    })
    h.clock.advance({ hours: 14 })
    await tick()
    expect(await read()).toBe(withoutStamps(series(day, after, OPEN)))
  })
})

test.each(['RRULE:FREQ=HOURLY', 'RDATE;TZID=Europe/Berlin:20260310T080000', 'RRULE:FREQ=WEEKLY;BYHOUR=17'])(
  'a todo with %s, of which nobody knows how it goes on, is completed only where it was made',
  async (rule) => {
    const { ada, phone, path, todo } = await start()
    await putText(phone, path, series('20260303', rule))
    const { id } = await todo()
    const { status, body } = await ada.request('POST', `/api/todos/${id}/toggle`)
    expect([status, body.detail]).toEqual([409, 'Change this in the program that made it'])
    await putText(phone, path, series('20260303', rule, ...COMPLETED))
    expect(await todo()).toMatchObject({ completed: true, next_due_date: null })
  },
)

test('the last occurrence of a series that JSON cannot say is completed for good', async () => {
  const { ada, phone, path, todo } = await start()
  await putText(phone, path, series('20260303', 'RRULE:FREQ=WEEKLY;COUNT=1'))
  const { id } = await todo()
  expect((await ada.request('POST', `/api/todos/${id}/toggle`)).body).toMatchObject({
    completed: true,
    reset_at: null,
  })
})

test('a completed occurrence leaves open the next one that is not taken out', async () => {
  const { phone, path, todo } = await start()
  const done = ['UID:t@phone', 'RECURRENCE-ID;TZID=Europe/Berlin:20260303T080000', ...COMPLETED]
  const lines = ['RRULE:FREQ=WEEKLY', 'EXDATE;TZID=Europe/Berlin:20260310T080000']
  const [master = ''] = series('20260303', lines.join('\r\n')).split('END:VCALENDAR')
  await putText(phone, path, `${master}BEGIN:VTODO\r\n${done.join('\r\n')}\r\nEND:VTODO\r\nEND:VCALENDAR\r\n`)
  expect(await todo()).toMatchObject({ completed: false, due_date: '2026-03-17' })
})

test.each(['P999999W', 'P99999999999W', 'PT99999999999H'])(
  'a todo that would be due after %s is due never',
  async (length) => {
    const { phone, path, todo } = await start()
    const text = todoText(['UID:t@phone', 'DTSTART:20260101T000000', `DURATION:${length}`])
    expect((await putText(phone, path, text)).status).toBe(201)
    expect(await todo()).toMatchObject({ due_date: null })
    expect((await phone.send('GET', path)).text).toBe(text)
  },
)

test('a client deletes the todo that it has read, though it is due to reopen', async () => {
  const { ada, phone, path, todo } = await start()
  await putText(phone, path, series('20260303', 'RRULE:FREQ=DAILY'))
  await ada.request('POST', `/api/todos/${(await todo()).id}/toggle`)
  const { headers } = await phone.send('GET', path)
  h.clock.advance({ hours: 14 })
  const etag = headers.get('etag') ?? ''
  expect((await phone.send('DELETE', path, { headers: { 'if-match': etag } })).status).toBe(204)
})

test('todos of other users reopen, though those of one user cannot', async () => {
  const { ada, tick } = await start()
  const eve = await organiser(h, 'Europe/Berlin')
  for (const user of [ada, eve]) {
    const { body } = await user.request('POST', '/api/todos', {
      body: { title: user === ada ? 'Stuck' : 'Free', recurrence: 'daily', due_date: '2026-03-04' },
    })
    await user.request('POST', `/api/todos/${body.id}/toggle`)
  }
  await h.deps.db.execute(
    sql`alter table todos add constraint stuck check (title <> 'Stuck' or completed_at is not null) not valid`,
  )
  h.clock.advance({ hours: 14 })
  await tick()
  const rows = await h.deps.db.execute(sql`select title from todos where completed_at is null`)
  expect([...rows]).toEqual([{ title: 'Free' }])
})

describe('a reminder', () => {
  const reminder = (...more: readonly string[]) =>
    todoText([
      'UID:r@phone',
      'SUMMARY:Pill',
      'DTSTART;TZID=Europe/Berlin:20260304T090000',
      'DUE;TZID=Europe/Berlin:20260304T090000',
      ...more,
    ])
  const EXCEPT = ['RRULE:FREQ=DAILY', 'EXDATE;TZID=Europe/Berlin:20260305T090000']

  async function startReminder(text: string) {
    const scene = await start()
    const { ada, phone } = scene
    const path = `${phone.home}reminders/r.ics`
    const put = (body: string) => putText(phone, path, body)
    expect((await put(text)).status).toBe(201)
    const json = async () => (await ada.request('GET', '/api/reminders')).body.reminders[0]
    const read = async () => withoutStamps((await phone.send('GET', path)).text)
    return { ...scene, put, json, read, id: (await json()).id }
  }

  test('with a rule that JSON cannot say goes on when it is dismissed, once', async () => {
    const { ada, id, json, read } = await startReminder(reminder(...EXCEPT, OPEN))
    for (const _ of [1, 2])
      expect((await ada.request('PUT', `/api/reminders/${id}/dismiss`)).status).toBe(200)
    expect(await json()).toMatchObject({ is_dismissed: false, remind_at: '2026-03-06T09:00:00+01:00' })
    expect(await read()).toBe(
      withoutStamps(reminder(...EXCEPT, OPEN)).replaceAll('20260304T090000', '20260306T090000'),
    )
  })

  test('with a rule that JSON cannot say goes on when its text completes it', async () => {
    const { put, json } = await startReminder(reminder(...EXCEPT))
    await put(reminder(...EXCEPT, 'STATUS:COMPLETED'))
    expect(await json()).toMatchObject({ is_dismissed: false, remind_at: '2026-03-06T09:00:00+01:00' })
  })

  test('of which nobody knows how it goes on is dismissed only where it was made', async () => {
    const { ada, id, json } = await startReminder(reminder('RRULE:FREQ=HOURLY'))
    expect((await ada.request('PUT', `/api/reminders/${id}/dismiss`)).status).toBe(409)
    expect(await json()).toMatchObject({ is_dismissed: false })
  })

  test.each([['RRULE:FREQ=DAILY'], EXCEPT])(
    'that a client completes is as before when that is undone: %s',
    async (...rule) => {
      const { ada, put, json, read } = await startReminder(reminder(...rule))
      const before = await json()
      await put(reminder(...rule, 'STATUS:COMPLETED'))
      const [{ id: operation }] = (await ada.request('GET', '/api/operations')).body.operations
      const { status, body } = await undo(ada, operation)
      expect([status, body.detail]).toEqual([200, undefined])
      const { remind_at, is_dismissed } = await json()
      expect([remind_at, is_dismissed]).toEqual([before.remind_at, false])
      expect(await read()).toBe(withoutStamps(reminder(...rule)))
    },
  )

  const ALARM = ['BEGIN:VALARM', 'ACTION:AUDIO', 'TRIGGER:-PT5M', 'END:VALARM']

  test('that JSON makes inactive has no alarm until it is active again', async () => {
    const text = reminder(...ALARM)
    const { ada, id, read } = await startReminder(text)
    const activate = (is_active: boolean) =>
      ada.request('PUT', `/api/reminders/${id}`, { body: { is_active } })
    await activate(false)
    expect(await read()).toBe(withoutStamps(reminder()))
    await activate(true)
    expect(await read()).toBe(withoutStamps(text))
  })

  test('that a client writes while it is inactive gets an alarm when it is active, or is active by an alarm', async () => {
    const { ada, id, put, json, read } = await startReminder(reminder(...ALARM))
    const activate = (is_active: boolean) =>
      ada.request('PUT', `/api/reminders/${id}`, { body: { is_active } })
    await activate(false)
    await put(reminder('X-OTHER:1'))
    expect([(await json()).is_active, await read()]).toEqual([false, withoutStamps(reminder('X-OTHER:1'))])
    await activate(true)
    expect(await read()).toContain('TRIGGER;VALUE=DATE-TIME:20260304T080000Z')
    await activate(false)
    await put(reminder(...ALARM))
    expect(await json()).toMatchObject({ is_active: true })
  })
})
