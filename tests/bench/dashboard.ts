import { connect } from '../../src/db/client'
import { calendars, events, projects, projectTasks, todos } from '../../src/db/schema'
import { addDays, dayIn } from '../../src/lib/time/time'
import { administer } from '../support/database'
import { IN_DEFAULT_LIST } from '../support/todo-lists'

export const DASHBOARD = '/api/dashboard'

/** How much of each kind an account has. */
interface Sizes {
  readonly todos: number
  readonly events: number
  readonly tasks: number
}
export const FEW: Sizes = { todos: 10, events: 10, tasks: 10 }
export const MANY: Sizes = { todos: 5000, events: 2000, tasks: 500 }

const HOUR = 3_600_000
const BATCH = 1000

/** A whole number from 0 to `length` - 1 for each of `count`, each as often. */
const spread = (count: number, length: number) => Array.from({ length: count }, (_, i) => i % length)

/**
 * Fills an account around today. Of few, all stands on the dashboard; of many, the open todos and tasks are late, due and to
 * come in equal parts, and every twentieth event is a weekly series.
 */
export async function seedAccount(url: string, userId: number, sizes: Sizes): Promise<void> {
  const { db, close } = connect(url, { pool: 1 })
  const now = new Date()
  const stamps = { createdAt: now, updatedAt: now }
  const dueDate = (days: number) => dayIn('UTC', addDays(now, days))
  const [calendar] = await db
    .insert(calendars)
    .values({ userId, name: 'Personal', color: '#3b82f6', isDefault: true, ...stamps })
    .returning()
  const [project] = await db
    .insert(projects)
    .values({ userId, name: 'House', isTracked: true, rank: '1', ...stamps })
    .returning()
  const isFew = sizes.todos <= FEW.todos
  const todoRows = spread(sizes.todos, isFew ? 2 : 201).map((part, i) => ({
    userId,
    listId: IN_DEFAULT_LIST,
    title: `Todo ${i}`,
    priority: 'none' as const,
    dueDate: dueDate(part - (isFew ? 1 : 100)),
    rank: String(i),
    ...stamps,
  }))
  const eventRows = spread(sizes.events, isFew ? 1 : 40).map((part, i) => {
    const start = new Date(Date.parse(`${dueDate(isFew ? 0 : part - 20)}T06:00:00Z`) + (i % 10) * HOUR)
    const end = new Date(start.getTime() + HOUR)
    const recurrenceRule = i % 20 === 0 ? 'FREQ=WEEKLY' : null
    return {
      calendarId: calendar?.id ?? 0,
      title: `Event ${i}`,
      allDay: false,
      startAt: start,
      endAt: end,
      startWall: start.toISOString().slice(0, -1),
      timeZone: 'UTC',
      recurrenceRule,
      lastEndAt: recurrenceRule === null ? end : null,
      ...stamps,
    }
  })
  const taskRows = spread(sizes.tasks, isFew ? 2 : 30).map((part, i) => ({
    projectId: project?.id ?? 0,
    title: `Task ${i}`,
    dueDate: dueDate(part - (isFew ? 1 : 10)),
    rank: String(i),
    ...stamps,
  }))
  for (let i = 0; i < todoRows.length; i += BATCH) await db.insert(todos).values(todoRows.slice(i, i + BATCH))
  for (let i = 0; i < eventRows.length; i += BATCH) {
    await db.insert(events).values(eventRows.slice(i, i + BATCH))
  }
  await db.insert(projectTasks).values(taskRows)
  await close()
  const admin = administer(url)
  await admin`analyze`
  await admin.end({ timeout: 5 })
}
