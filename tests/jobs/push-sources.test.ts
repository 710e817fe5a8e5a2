import { describe, expect, test } from 'bun:test'
import { calendar, calendarOf, importInto } from '../support/calendar-files'
import { createEvent } from '../support/events'
import { act, configure, deliveriesOf } from '../support/ntfy'
import { remind, usePushing } from '../support/use-pushing'

const { h, moveTo } = usePushing()

describe('a message', () => {
  test('is sent to the owner of what is due, with all that ntfy shows', async () => {
    const ada = await h.listener({ ntfy_auth_token: 'tk_secret' })
    const reminder = await remind(ada, 'Grüße 👋 你好', '2026-03-04T11:00:00+01:00', {
      description: 'Take the pill',
    })
    expect(await h.tick()).toEqual([])
    moveTo('2026-03-04T11:00:00+01:00')
    const [message, ...others] = await h.tick()
    expect(others).toEqual([])
    expect(message).toMatchObject({
      topic: ada.row.username,
      title: 'Grüße 👋 你好',
      message: 'Take the pill',
      priority: 4,
      tags: ['alarm_clock'],
      click: `http://localhost:3000/reminders/${reminder.id}`,
      sequence_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(message?.headers).toMatchObject({
      authorization: 'Bearer tk_secret',
      'x-sequence-id': message?.sequence_id ?? '',
    })
    expect(await h.tick()).toEqual([])
    expect(await deliveriesOf(ada)).toEqual([
      {
        key: `reminder:${reminder.id}:-:2026-03-04T10:00:00.000Z`,
        kind: 'reminder',
        title: 'Grüße 👋 你好',
        fire_at: '2026-03-04T11:00:00+01:00',
        sent_at: '2026-03-04T11:00:00+01:00',
        attempts: 1,
        status: 'sent',
        error: null,
      },
    ])
  })

  test('is sent for each kind of item at its time', async () => {
    moveTo('2026-03-10T08:00:00+01:00')
    const ada = await h.listener({
      ntfy_todo_lead_days: 1,
      ntfy_project_lead_days: 2,
      ntfy_event_lead_minutes: 15,
    })
    await createEvent(ada, {
      title: 'timed',
      start_at: '2026-03-12T10:00:00',
      end_at: '2026-03-12T11:00:00',
    })
    await createEvent(ada, {
      title: 'day',
      all_day: true,
      start_date: '2026-03-12',
      end_date: '2026-03-13',
    })
    await createEvent(ada, {
      title: 'own lead',
      reminder_minutes: 60,
      start_at: '2026-03-12T10:00:00',
      end_at: '2026-03-12T11:00:00',
    })
    await act(ada, 'POST', '/api/todos', { title: 'todo', due_date: '2026-03-12', due_time: '17:00' })
    const { id } = await act(ada, 'POST', '/api/projects', { name: 'project', due_date: '2026-03-12' })
    await act(ada, 'POST', `/api/projects/${id}/tasks`, { title: 'task', due_date: '2026-03-12' })
    await act(ada, 'POST', '/api/people', { first_name: 'Bo', birthday: '1990-03-12' })
    const seen: Record<string, string[]> = {}
    for (let minutes = 0; minutes < 3 * 24 * 60; minutes += 15) {
      const titles = await h.titles(ada)
      if (titles.length > 0) seen[h.clock.now().toISOString()] = titles
      h.clock.advance({ minutes: 15 })
    }
    expect(seen).toEqual({
      '2026-03-10T08:00:00.000Z': ['project', 'task'],
      '2026-03-11T08:00:00.000Z': ['todo'],
      '2026-03-12T08:00:00.000Z': ["Bo's birthday (36)", 'day', 'own lead', 'project', 'task', 'todo'],
      '2026-03-12T08:45:00.000Z': ['timed'],
      '2026-03-12T16:00:00.000Z': ['todo'],
    })
  })

  test('is sent at once for an item made up to a day after its moment, and not for a later one', async () => {
    moveTo('2026-03-20T12:00:00+01:00')
    const ada = await h.listener()
    await remind(ada, 'recent', '2026-03-19T12:01:00')
    await remind(ada, 'old', '2026-03-19T11:59:00')
    await act(ada, 'POST', '/api/todos', { title: 'today', due_date: '2026-03-20' })
    expect(await h.titles(ada)).toEqual(['recent', 'today'])
    h.clock.advance({ minutes: 1 })
    expect(await h.titles(ada)).toEqual([])
  })

  test('is sent again for an item that was moved, and not for one that was renamed', async () => {
    moveTo('2026-03-21T12:00:00+01:00')
    const ada = await h.listener()
    const { id } = await remind(ada, 'r', '2026-03-21T12:00:00')
    expect(await h.titles(ada)).toEqual(['r'])
    await act(ada, 'PUT', `/api/reminders/${id}`, { remind_at: '2026-03-21T12:05:00' })
    expect(await h.titles(ada)).toEqual([])
    h.clock.advance({ minutes: 5 })
    expect(await h.titles(ada)).toEqual(['r'])
    await act(ada, 'PUT', `/api/reminders/${id}`, { title: 'renamed' })
    expect(await h.titles(ada)).toEqual([])
  })

  test('is sent at each occurrence of a reminder, though none is dismissed, and at the end of a snooze', async () => {
    moveTo('2026-03-22T08:00:00+01:00')
    const ada = await h.listener()
    const { id } = await remind(ada, 'daily', '2026-03-22T09:00:00', { recurrence_rule: 'FREQ=DAILY' })
    const counts: number[] = []
    for (let day = 0; day < 3; day++) {
      h.clock.advance({ hours: 2 })
      counts.push((await h.tick(ada)).length)
      h.clock.advance({ hours: 22 })
      counts.push((await h.tick(ada)).length)
    }
    expect(counts).toEqual([1, 0, 1, 0, 1, 0])
    await act(ada, 'PUT', `/api/reminders/${id}/snooze`, { minutes: 30 })
    h.clock.advance({ minutes: 30 })
    expect(await h.titles(ada)).toEqual(['daily'])
  })

  test('follows the current settings: the kinds that are switched on, and the time of day', async () => {
    moveTo('2026-04-01T08:00:00+02:00')
    const ada = await h.listener({ ntfy_reminders: false, ntfy_todo_lead_days: 0 })
    await remind(ada, 'r', '2026-04-01T08:30:00')
    await act(ada, 'POST', '/api/todos', { title: 't', due_date: '2026-04-01' })
    h.clock.advance({ minutes: 30 })
    expect(await h.titles(ada)).toEqual([])
    await configure(ada, { ntfy_reminders: true, notify_day_at: '08:45' })
    expect(await h.titles(ada)).toEqual(['r'])
    h.clock.advance({ minutes: 15 })
    expect(await h.titles(ada)).toEqual(['t'])
    await configure(ada, { notify_day_at: '08:40' })
    expect(await h.titles(ada)).toEqual([])
  })

  test('is sent for each turn of a recurring todo, whether or not anybody looks', async () => {
    moveTo('2026-05-04T08:00:00+02:00')
    const ada = await h.listener()
    const { id } = await act(ada, 'POST', '/api/todos', {
      title: 't',
      due_date: '2026-05-04',
      recurrence: 'daily',
    })
    const seen: string[] = []
    for (let hour = 0; hour < 72; hour++) {
      h.clock.advance({ hours: 1 })
      if ((await h.tick(ada)).length === 0) continue
      seen.push(h.clock.now().toISOString())
      await act(ada, 'POST', `/api/todos/${id}/toggle`)
    }
    expect(seen).toEqual(['2026-05-04T07:00:00.000Z', '2026-05-05T07:00:00.000Z', '2026-05-06T07:00:00.000Z'])
  })

  test('tells of connection requests and of their acceptance', async () => {
    moveTo('2026-06-01T08:00:00+02:00')
    const [ada, bob] = [
      await h.listener({ accept_connections: true }),
      await h.listener({ accept_connections: true }),
    ]
    const { id } = await act(bob, 'POST', '/api/connections/requests', { network_name: ada.row.networkName })
    expect((await h.tick(ada)).map(({ topic }) => topic)).toEqual([ada.row.username])
    await act(ada, 'PUT', `/api/connections/requests/${id}/accept`)
    expect((await h.tick(bob)).map(({ topic, title }) => [topic, title])).toEqual([
      [bob.row.username, 'Connection accepted'],
    ])
    expect(await h.tick(bob)).toEqual([])
  })
})

test('an extra start of an event is announced, also after its rule has ended', async () => {
  moveTo('2026-06-01T08:00:00+02:00')
  const ada = await h.listener({ ntfy_event_lead_minutes: 30 })
  const file = calendar([
    'UID:beside',
    'SUMMARY:Beside',
    'DTSTART;TZID=Europe/Berlin:20260601T090000',
    'DTEND;TZID=Europe/Berlin:20260601T093000',
    'RRULE:FREQ=DAILY;COUNT=1',
    'RDATE;TZID=Europe/Berlin:20260603T150000,20260604T100000',
    'EXDATE;TZID=Europe/Berlin:20260604T100000',
  ])
  expect((await importInto(ada, await calendarOf(ada), file)).body).toMatchObject({ created: 1 })
  const heard: string[] = []
  for (let hour = 0; hour < 24 * 4; hour++) {
    h.clock.advance({ minutes: 30 })
    for (const { message } of await h.tick(ada)) heard.push(message)
    h.clock.advance({ minutes: 30 })
    for (const { message } of await h.tick(ada)) heard.push(message)
  }
  expect(heard).toEqual(['2026-06-01 09:00', '2026-06-03 15:00'])
})

test('the link of a message opens its item: the task in its project, the occurrence of a series', async () => {
  moveTo('2026-03-10T08:00:00+01:00')
  const ada = await h.listener({ ntfy_project_lead_days: 0, ntfy_event_lead_minutes: 0 })
  const project = await act(ada, 'POST', '/api/projects', { name: 'Shed' })
  const task = await act(ada, 'POST', `/api/projects/${project.id}/tasks`, {
    title: 'Paint',
    due_date: '2026-03-12',
  })
  const series = await createEvent(ada, {
    title: 'Band',
    start_at: '2026-03-05T09:00:00+01:00',
    end_at: '2026-03-05T10:00:00+01:00',
    recurrence_rule: 'FREQ=WEEKLY',
  })
  const allDay = await createEvent(ada, {
    title: 'Bins',
    all_day: true,
    start_date: '2026-03-05',
    end_date: '2026-03-05',
    recurrence_rule: 'FREQ=WEEKLY',
  })
  const { id: alone } = await createEvent(ada, {
    title: 'Once',
    start_at: '2026-03-12T09:00:00+01:00',
    end_at: '2026-03-12T10:00:00+01:00',
  })
  await h.tick()
  moveTo('2026-03-12T09:00:00+01:00')
  const links = (await h.tick()).map(({ title, click }) => [
    title,
    click.replace('http://localhost:3000', ''),
  ])
  expect(Object.fromEntries(links)).toEqual({
    Paint: `/projects/${project.id}/tasks/${task.id}`,
    Band: `/events/${series.id}?occurrence=2026-03-12T08%3A00%3A00.000Z`,
    Bins: `/events/${allDay.id}?occurrence=2026-03-12`,
    Once: `/events/${alone}`,
  })
})
