import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { todos } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { lockWaiters } from '../../../support/locks'
import { createTodo } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const TODOS = '/api/todos'
/** Connections of the app under test. */
const POOL = Number(process.env['TEST_DATABASE_POOL'] ?? 4)
const h = useHarness({ per: 'test' })
const other = useSql(h, 'test')
const watcher = useSql(h, 'test')
let ada: Actor
beforeEach(async () => void (ada = await h.signedIn()))

const put = async (id: number, body: object) => (await ada.request('PUT', `${TODOS}/${id}`, { body })).body
const toggle = async (id: number) => (await ada.request('POST', `${TODOS}/${id}/toggle`)).body
const read = async (id: number) => (await ada.request('GET', `${TODOS}/${id}`)).body
const rowOf = async (id: number) => (await h.db.select().from(todos).where(eq(todos.id, id)))[0]
const set = (body: object) => ada.request('PUT', '/api/settings', { body })

/** Moves the clock on to what clocks in `zone` show as `wall`, and renews the session, which may have ended meanwhile. */
async function until(zone: string, wall: string) {
  const at = Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds
  h.clock.advance({ ms: at - h.clock.now().getTime() })
  const { token } = await h.session(ada.row.id)
  ada = { ...ada, request: (method, path, sent) => h.request(method, path, { cookie: token, ...sent }) }
}
const today = () => h.clock.now().toISOString().slice(0, 10)
const dayAfter = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()

const OPEN = { completed: false, completed_at: null, reset_at: null, next_due_date: null }

describe('completing a recurring todo', () => {
  test.each(['Pacific/Kiritimati', 'America/Los_Angeles', 'Europe/Berlin'])(
    'at 23:56 in %s counts from the day there',
    async (zone) => {
      await set({ time_zone: zone })
      const day = dayAfter(today(), 3)
      await until(zone, `${day}T23:56`)
      const { id } = await createTodo(ada, { recurrence: 'daily', due_date: day })
      const done = await toggle(id)
      expect(done).toMatchObject({ completed: true, next_due_date: dayAfter(day, 1), due_date: day })
      const midnight = Temporal.PlainDate.from(dayAfter(day, 1)).toZonedDateTime(zone)
      expect(Date.parse(done.reset_at)).toBe(midnight.epochMilliseconds)
      h.clock.advance({ minutes: 3, ms: 59_999 })
      expect((await read(id)).completed).toBe(true)
      h.clock.advance({ ms: 1 })
      expect(await read(id)).toMatchObject({ ...OPEN, due_date: dayAfter(day, 1) })
    },
  )

  test.each([
    { first_day_of_week: 0, days: 7 },
    { first_day_of_week: 1, days: 1 },
  ])(
    'every week on a Sunday, weeks beginning with $first_day_of_week',
    async ({ first_day_of_week, days }) => {
      await set({ first_day_of_week, time_zone: 'UTC' })
      const weekday = Temporal.PlainDate.from(today()).dayOfWeek
      const sunday = dayAfter(today(), 14 - weekday)
      await until('UTC', `${sunday}T09:00`)
      const done = await toggle((await createTodo(ada, { recurrence: 'weekly', due_date: sunday })).id)
      expect(done.next_due_date).toBe(dayAfter(sunday, 7))
      expect(Date.parse(done.reset_at)).toBe(Date.parse(dayAfter(sunday, days)))
    },
  )

  test('every month remembers its day over short months', async () => {
    await set({ time_zone: 'UTC' })
    const year = Temporal.PlainDate.from(today()).year + 1
    await until('UTC', `${year}-01-31T09:00`)
    const { id } = await createTodo(ada, {
      recurrence: 'monthly',
      due_date: `${year}-01-31`,
      due_time: '08:00',
    })
    const isLeap = Temporal.PlainDate.from(`${year}-01-31`).inLeapYear
    const february = `${year}-02-${isLeap ? 29 : 28}`
    expect(await toggle(id)).toMatchObject({ next_due_date: february })
    await until('UTC', `${february}T09:00`)
    expect(await read(id)).toMatchObject({ ...OPEN, due_date: february, due_time: '08:00' })
    expect(await toggle(id)).toMatchObject({ next_due_date: `${year}-03-31` })
    await until('UTC', `${year}-03-01T00:00`)
    expect(await read(id)).toMatchObject({ ...OPEN, due_date: `${year}-03-31` })
  })

  test('without a due date has it due on the day on which it opens', async () => {
    await set({ time_zone: 'UTC' })
    const { id } = await createTodo(ada, { recurrence: 'daily' })
    await toggle(id)
    h.clock.advance({ days: 1 })
    expect(await read(id)).toMatchObject({ ...OPEN, due_date: today(), due_time: null })
  })

  test('twenty times at once advances it once, in each of twenty rounds', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await createTodo(ada, { recurrence: 'monthly', due_date: dayAfter(today(), 1) })
      const answers = await Promise.all(Array.from({ length: 20 }, () => put(id, { completed: true })))
      const [first] = answers
      for (const answer of answers) {
        expect(answer).toMatchObject({
          completed: true,
          completed_at: first.completed_at,
          reset_at: first.reset_at,
          next_due_date: first.next_due_date,
          due_date: dayAfter(today(), 1),
        })
      }
      expect(Number((await read(id)).version)).toBe(21)
    }
  }, 30_000)
})

describe('a toggle', () => {
  test('completes and opens again, without a trace', async () => {
    const { id } = await createTodo(ada, { recurrence: 'weekly', due_date: today() })
    expect(await toggle(id)).toMatchObject({ completed: true, version: 2, next_due_date: expect.any(String) })
    expect(await toggle(id)).toMatchObject({ ...OPEN, due_date: today(), version: 3 })
    const plain = await createTodo(ada, {})
    expect(await toggle(plain.id)).toMatchObject({ completed: true, reset_at: null, next_due_date: null })
    expect(await put(plain.id, { completed: false })).toMatchObject(OPEN)
  })

  test('is one of twenty serial flips, in each of twenty rounds', async () => {
    const { id } = await createTodo(ada, { recurrence: 'daily' })
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => toggle(id)))
      const flips = answers.toSorted((a, b) => a.version - b.version)
      expect(flips.map(({ version }) => version)).toEqual(
        Array.from({ length: 20 }, (_, i) => round * 20 + i + 2),
      )
      expect(flips.map(({ completed }) => completed)).toEqual(
        Array.from({ length: 20 }, (_, i) => i % 2 === 0),
      )
    }
  }, 30_000)

  test('Completing a todo whose time has come again completes it anew', async () => {
    await set({ time_zone: 'UTC' })
    const { id } = await createTodo(ada, { recurrence: 'daily', due_date: today() })
    await toggle(id)
    h.clock.advance({ days: 1 })
    expect(await toggle(id)).toMatchObject({
      completed: true,
      due_date: today(),
      next_due_date: dayAfter(today(), 1),
      version: 4,
    })
  })
})

describe('a todo whose reset_at has passed', () => {
  /** One that was completed `days` ago. */
  async function passed(days = 1) {
    await set({ time_zone: 'UTC' })
    const { id } = await createTodo(ada, { recurrence: 'daily', due_date: today() })
    await createTodo(ada, { title: 'after' })
    const done = await toggle(id)
    h.clock.advance({ days })
    return { id, done }
  }

  test('opens for fifty parallel readers once, in its place, in each of twenty rounds', async () => {
    for (let round = 0; round < 20; round++) {
      ada = await h.signedIn()
      const { id, done } = await passed()
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => ada.request('GET', i % 2 === 0 ? TODOS : `${TODOS}/${id}`)),
      )
      const expected = {
        ...done,
        ...OPEN,
        due_date: done.next_due_date,
        version: done.version + 1,
        updated_at: expect.any(String),
      }
      for (const { status, body } of answers) {
        expect([status, body.todos?.[0] ?? body]).toEqual([200, expected])
      }
    }
  }, 30_000)

  test('opens once for readers who all wait for it', async () => {
    const { id, done } = await passed()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const holder = other.begin(async (tx) => {
      await tx`select 1 from todos where id = ${id} for update`
      hold()
      await released
    })
    await held
    const reads = Array.from({ length: 50 }, () => ada.request('GET', `${TODOS}/${id}`))
    await lockWaiters(watcher, POOL)
    release()
    await holder
    for (const { status, body } of await Promise.all(reads)) {
      expect([status, body]).toMatchObject([200, { ...OPEN, due_date: done.next_due_date, version: 3 }])
    }
  }, 30_000)

  test('opens for whoever reads or changes todos first', async () => {
    const ways: Array<[string, (id: number) => Promise<unknown>]> = [
      ['list', () => ada.request('GET', `${TODOS}?q=after`)],
      ['read', (id) => read(id)],
      ['read of another', () => ada.request('GET', `${TODOS}/2147483647`)],
      ['change', (id) => put(id, { title: 'U' })],
      [
        'reorder',
        async (id) => {
          const rows = await h.db.select().from(todos).where(eq(todos.userId, ada.row.id))
          const todo_ids = rows
            .map((row) => row.id)
            .toSorted((a, b) => (a === id ? 1 : b === id ? -1 : a - b))
          expect((await ada.request('PUT', `${TODOS}/reorder`, { body: { todo_ids } })).status).toBe(200)
        },
      ],
    ]
    for (const [name, act] of ways) {
      ada = await h.signedIn()
      const { id, done } = await passed()
      expect([name, (await rowOf(id))?.completedAt]).not.toEqual([name, null])
      await act(id)
      expect([name, (await rowOf(id))?.completedAt, (await rowOf(id))?.dueDate]).toEqual([
        name,
        null,
        done.next_due_date,
      ])
    }
  })

  test('stays as it is while another is created, and is open for the next reader', async () => {
    const { id, done } = await passed()
    const stored = await rowOf(id)
    await createTodo(ada, { title: 'new' })
    expect(await rowOf(id)).toEqual(stored)
    expect(await read(id)).toMatchObject({ ...OPEN, due_date: done.next_due_date })
  })

  test('opens before a page is read that would be empty without it', async () => {
    const { id } = await createTodo(ada, { recurrence: 'daily', completed: true })
    expect((await ada.request('GET', `${TODOS}?completed=false`)).body.todos).toEqual([])
    h.clock.advance({ days: 2 })
    const { body } = await ada.request('GET', `${TODOS}?completed=false`)
    expect(body.todos).toMatchObject([{ id, ...OPEN }])
    expect((await ada.request('GET', `${TODOS}?completed=true`)).body.todos).toEqual([])
  })

  test('opens once, however often it is read', async () => {
    const { id, done } = await passed()
    for (let time = 0; time < 2; time++) {
      await ada.request('GET', `${TODOS}/${id}`)
      expect(await rowOf(id)).toMatchObject({
        completedAt: null,
        dueDate: done.next_due_date,
        version: done.version + 1,
      })
    }
  })

  test('is another version than the one that was read', async () => {
    const { id, done } = await passed()
    const headers = { 'if-match': `"${done.version}"` }
    const { status } = await ada.request('PUT', `${TODOS}/${id}`, { body: { title: 'U' }, headers })
    expect(status).toBe(412)
  })

  test('for several periods is as late as it is', async () => {
    const { id, done } = await passed(5)
    expect(await read(id)).toMatchObject({ ...OPEN, due_date: done.next_due_date, version: done.version + 1 })
  })

  test('A read of somebody else’s todos reopens none of one’s own', async () => {
    const { id } = await passed()
    const eve = await h.signedIn()
    await eve.request('GET', TODOS)
    expect((await rowOf(id))?.completedAt).not.toBeNull()
  })
})

test('a completed todo with another recurrence or day counts again from the day of its completion', async () => {
  await set({ time_zone: 'UTC', first_day_of_week: 1 })
  await until('UTC', `${Temporal.PlainDate.from(today()).year + 1}-03-10T09:00`)
  const year = Number(today().slice(0, 4))
  const { id } = await createTodo(ada, { recurrence: 'monthly', due_date: `${year}-03-12`, completed: true })
  h.clock.advance({ days: 1 })
  expect(await put(id, { due_date: `${year}-03-20` })).toMatchObject({
    completed: true,
    reset_at: expect.stringContaining(`${year}-04-01T`),
    next_due_date: `${year}-04-20`,
  })
  expect(await put(id, { recurrence: null })).toMatchObject({
    completed: true,
    reset_at: null,
    next_due_date: null,
  })
  expect(await put(id, { recurrence: 'daily' })).toMatchObject({
    completed: true,
    next_due_date: `${year}-03-11`,
  })
  expect(await read(id)).toMatchObject({ ...OPEN, due_date: `${year}-03-11` })
})
