import { beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type AssistantClient, assistantOf, type Called } from '../support/assistants'
import { organiser } from '../support/events'
import { useHarness } from '../support/use-harness'

setDefaultTimeout(60_000)
const h = useHarness({ per: 'test' })

/** Everything that a user has, as their own export says it, but for versions and times of change. */
async function everything(actor: Awaited<ReturnType<typeof organiser>>): Promise<string> {
  const { body } = await actor.request('GET', '/api/export')
  const unmoved = (name: string, value: unknown) =>
    ['version', 'updated_at', 'exported_at', 'rank', 'last_used_at', 'unread_count'].includes(name)
      ? undefined
      : value
  return JSON.stringify(body, unmoved)
}

let actor: Awaited<ReturnType<typeof organiser>>
let assistant: AssistantClient
beforeEach(async () => {
  actor = await organiser(h)
  assistant = await assistantOf(h, actor, { says: 'yes' })
})

/** Does a task in at most three calls, and undoes it. */
async function undoable(work: () => Promise<Called>): Promise<Called> {
  const before = await everything(actor)
  const done = await work()
  expect(done).toMatchObject({ isError: false })
  expect(assistant.calls()).toBeLessThanOrEqual(3)
  expect(await everything(actor)).not.toBe(before)
  const undone = await assistant.call('undo', { operation_id: done.body.operation_id })
  expect(undone).toMatchObject({ isError: false })
  expect(await everything(actor)).toBe(before)
  return done
}

const make = async (path: string, body: Record<string, unknown>) => {
  const made = await actor.request('POST', path, { body })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}

const find = async (args: Record<string, unknown>) => (await assistant.call('find', args)).body.items

describe('an assistant does within three calls, and undoes,', () => {
  test('“move the dentist to Friday 15:00”', async () => {
    await make('/api/events', { title: 'Dentist', start_at: '2026-03-05T09:00', end_at: '2026-03-05T10:00' })
    const done = await undoable(async () => {
      const [dentist] = await find({ query: 'dentist' })
      expect(dentist).toMatchObject({ start_at: '2026-03-05T09:00:00+01:00', weekday: 'Thursday' })
      return assistant.call('change', {
        items: [{ type: 'event', id: dentist.id, version: dentist.version, start_at: '2026-03-06T15:00' }],
      })
    })
    expect(done.body.results).toMatchObject([
      {
        status: 'done',
        start_at: '2026-03-06T15:00:00+01:00',
        end_at: '2026-03-06T16:00:00+01:00',
        weekday: 'Friday',
      },
    ])
    expect(done.text).toContain('Friday 2026-03-06T15:00:00+01:00')
  })

  test('“clear the done todos”', async () => {
    for (const title of ['Milk', 'Bread', 'Eggs']) {
      await make('/api/todos', { title, completed: title !== 'Eggs' })
    }
    const done = await undoable(async () => {
      const items = await find({ kinds: ['todo'], done: true })
      expect(items.map(({ title }: { title: string }) => title).toSorted()).toEqual(['Bread', 'Milk'])
      return assistant.call('delete', {
        items: items.map(({ type, id, version }: Record<string, unknown>) => ({ type, id, version })),
      })
    })
    expect(done.body.results).toMatchObject([{ status: 'deleted' }, { status: 'deleted' }])
    expect(assistant.asked).toEqual([
      expect.stringMatching(/^Delete todo “(Milk|Bread)”, todo “(Milk|Bread)”\?$/),
    ])
  })

  test('“put milk, bread and a reminder to call mum at six on my lists”', async () => {
    const done = await undoable(() =>
      assistant.call('add', {
        items: [
          { type: 'todo', title: 'Milk' },
          { type: 'todo', title: 'Bread', due_date: '2026-03-05', priority: 'high' },
          { type: 'reminder', title: 'Call mum', remind_at: '2026-03-04T18:00' },
        ],
      }),
    )
    expect(done.body.results).toMatchObject([
      { index: 0, status: 'done', type: 'todo', title: 'Milk', version: 1 },
      { index: 1, status: 'done', type: 'todo', weekday: 'Thursday', priority: 'high' },
      {
        index: 2,
        status: 'done',
        type: 'reminder',
        remind_at: '2026-03-04T18:00:00+01:00',
        weekday: 'Wednesday',
      },
    ])
  })

  test('“I have bought the milk”', async () => {
    const milk = await make('/api/todos', { title: 'Milk' })
    const done = await undoable(async () => {
      const [{ id, version }] = await find({ query: 'milk', kinds: ['todo'] })
      return assistant.call('change', { items: [{ type: 'todo', id, version, completed: true }] })
    })
    expect(done.body.results).toMatchObject([{ id: milk.id, completed: true }])
  })

  test('“snooze that reminder until tomorrow at nine”', async () => {
    await make('/api/reminders', { title: 'Water the plants', remind_at: '2026-03-04T08:00' })
    const done = await undoable(async () => {
      const [{ id, version }] = (await assistant.call('overview')).body.items
      return assistant.call('change', {
        items: [{ type: 'reminder', id, version, snoozed_until: '2026-03-05T09:00:00+01:00' }],
      })
    })
    expect(done.body.results).toMatchObject([
      { snoozed_until: '2026-03-05T09:00:00+01:00', weekday: 'Thursday' },
    ])
  })

  test('“that reminder is done”', async () => {
    await make('/api/reminders', { title: 'Water the plants', remind_at: '2026-03-04T08:00' })
    await undoable(async () => {
      const [{ id, version }] = await find({ kinds: ['reminder'], done: false })
      return assistant.call('change', { items: [{ type: 'reminder', id, version, is_dismissed: true }] })
    })
  })

  test('“this week’s choir is at eight”, of a series, without a question', async () => {
    await make('/api/events', {
      title: 'Choir',
      start_at: '2026-02-05T19:00',
      end_at: '2026-02-05T21:00',
      recurrence_rule: 'FREQ=WEEKLY',
    })
    const done = await undoable(async () => {
      const [choir] = await find({ kinds: ['event'], from: '2026-03-02', to: '2026-03-08' })
      const { id, version, occurrence } = choir
      return assistant.call('change', {
        items: [{ type: 'event', id, version, occurrence, scope: 'this', start_at: '2026-03-05T20:00' }],
      })
    })
    expect(done.body.results).toMatchObject([{ start_at: '2026-03-05T20:00:00+01:00' }])
    expect(assistant.asked).toEqual([])
  })

  test('“choir is on Fridays from next week on”, once the user has agreed', async () => {
    await make('/api/events', {
      title: 'Choir',
      start_at: '2026-02-05T19:00',
      end_at: '2026-02-05T21:00',
      recurrence_rule: 'FREQ=WEEKLY',
    })
    await undoable(async () => {
      const [choir] = await find({ kinds: ['event'], from: '2026-03-09', to: '2026-03-15' })
      const { id, version, occurrence } = choir
      return assistant.call('change', {
        items: [{ type: 'event', id, version, occurrence, scope: 'following', start_at: '2026-03-13T19:00' }],
      })
    })
    expect(assistant.asked).toEqual(['Change event “Choir” (Thursday)?'])
  })

  test('“add Ada to my people; her birthday is the tenth of December”', async () => {
    const done = await undoable(() =>
      assistant.call('add', {
        items: [{ type: 'person', first_name: 'Ada', last_name: 'Lovelace', birthday: '1915-12-10' }],
      }),
    )
    expect(done.body.results).toMatchObject([
      { type: 'person', title: 'Ada Lovelace', birthday: '1915-12-10' },
    ])
  })

  test('“finish painting in the house project”', async () => {
    const project = await make('/api/projects', { name: 'House' })
    await make(`/api/projects/${project.id}/tasks`, { title: 'Paint the wall', due_date: '2026-03-06' })
    await undoable(async () => {
      const [{ id, version, project_id }] = await find({ query: 'paint' })
      expect(project_id).toBe(project.id)
      return assistant.call('change', { items: [{ type: 'task', id, version, status: 'completed' }] })
    })
  })

  test('“cancel everything on Thursday”', async () => {
    for (const hour of ['09', '11', '14']) {
      await make('/api/events', {
        title: `Talk at ${hour}`,
        start_at: `2026-03-05T${hour}:00`,
        end_at: `2026-03-05T${hour}:30`,
      })
    }
    await undoable(async () => {
      const items = (await assistant.call('overview', { from: '2026-03-05' })).body.items
      expect(items).toHaveLength(3)
      return assistant.call('delete', {
        items: items.map(({ type, id, version }: Record<string, unknown>) => ({ type, id, version })),
      })
    })
  })
})

test('“what is due this week” is one call, with what is overdue', async () => {
  await make('/api/todos', { title: 'Late', due_date: '2026-03-01' })
  await make('/api/todos', { title: 'Now', due_date: '2026-03-04', due_time: '17:30' })
  await make('/api/todos', { title: 'Next month', due_date: '2026-04-04' })
  await make('/api/todos', { title: 'Done', due_date: '2026-03-05', completed: true })
  await make('/api/todos', { title: 'Some day' })
  await make('/api/people', { first_name: 'Grace', birthday: '1906-03-06' })
  await make('/api/events', {
    title: 'Fair',
    all_day: true,
    start_date: '2026-03-07',
    end_date: '2026-03-08',
  })
  const { body, text } = await assistant.call('overview', { from: '2026-03-04', to: '2026-03-10' })
  expect(body.items).toEqual([
    {
      type: 'event',
      id: expect.any(Number),
      version: 1,
      title: 'Fair',
      start_date: '2026-03-07',
      end_date: '2026-03-08',
      weekday: 'Saturday',
      calendar_id: expect.any(Number),
      calendar: 'Personal',
    },
    expect.objectContaining({ type: 'todo', title: 'Late', due_date: '2026-03-01', weekday: 'Sunday' }),
    expect.objectContaining({ type: 'todo', title: 'Now', due_date: '2026-03-04', due_time: '17:30' }),
    {
      type: 'birthday',
      id: expect.any(Number),
      title: 'Grace',
      date: '2026-03-06',
      weekday: 'Friday',
      turns: 120,
    },
  ])
  expect(body).toMatchObject({
    from: '2026-03-04',
    to: '2026-03-10',
    today: '2026-03-04',
    time_zone: 'Europe/Berlin',
    next_cursor: null,
  })
  expect(text).toContain('4 items')
  expect(text).toContain('birthday')
})
