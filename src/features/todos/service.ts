import type { Tx } from '../../db/client'
import { inTransaction } from '../../db/transaction'
import type { Deps } from '../../deps'
import { conflict, invalid, notFound } from '../../lib/errors'
import { isWholeOrder } from '../../lib/ordering'
import { readPage, type Stretch, toPage } from '../../lib/page'
import { formatInstant } from '../../lib/time'
import { isExpected, stale, type Target } from '../../lib/versions'
import { lockUser, lockUserOf, type SessionKey } from '../sessions/service'
import { type Reader, weekOf } from '../settings/service'
import type { NewTodo, TodoChanges, TodosPage, TodosQuery, TodoView } from './model'
import * as q from './queries'
import { NO_SCHEDULE, reschedule, type Schedule, scheduleProblem, type Week } from './rules'
import { isKeyOf, keyOf } from './rules.sorting'

type TodoDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/**
 * Opens the completed recurring todos of the user whose `reset_at` has passed (specification 3.3). Whoever reads or changes
 * todos does this first; readers write, and lock, only where there is something to open. A todo that nobody looked at for several
 * periods is due when the first of them said: it is late.
 */
async function reactivate({ db, clock }: Pick<Deps, 'db' | 'clock'>, userId: number): Promise<void> {
  const now = clock.now()
  if (!(await q.hasPassed(db, userId, now))) return
  await inTransaction(db, async (tx) => {
    await lockUser(tx, userId)
    await q.reactivate(tx, userId, now)
  })
}

/** The todos of the user that pass the filter, a page of them. @throws {AppError} 422 for a cursor of another order. */
export async function listTodos(
  deps: TodoDeps,
  userId: number,
  { sort = 'position', q: text, due_from: dueFrom, due_to: dueTo, ...rest }: TodosQuery,
): Promise<TodosPage> {
  const { limit, after } = readPage(rest, isKeyOf(sort))
  const { completed, priority, category } = rest
  const filter = { completed, priority, category, dueFrom, dueTo, text }
  await reactivate(deps, userId)
  const rows = await q.list(deps.db, userId, filter, { sort, after, limit: limit + 1 })
  const { page, next_cursor } = toPage(rows, limit, keyOf(sort))
  return { todos: page.map((row) => toView(deps, row)), next_cursor }
}

/** The first `limit` open todos that are due before the day, and those that are due on it, by due date. */
export async function listDueTodos(
  deps: TodoDeps,
  userId: number,
  day: string,
  limit: number,
): Promise<{ overdue: TodoView[]; today: TodoView[] }> {
  await reactivate(deps, userId)
  const rows = await q.listDue(deps.db, userId, day, limit)
  const { true: today = [], false: overdue = [] } = Object.groupBy(
    rows,
    ({ dueDate }) => `${dueDate === day}`,
  )
  const views = (due: readonly q.PlacedRow[]) => due.map((row) => toView(deps, row))
  return { overdue: views(overdue), today: views(today) }
}

/** A piece of all todos of the user, by id. */
export async function stretchOfTodos(deps: TodoDeps, userId: number, stretch: Stretch): Promise<TodoView[]> {
  await reactivate(deps, userId)
  return (await q.stretch(deps.db, userId, stretch)).map((row) => toView(deps, row))
}

/** @throws {AppError} 404. */
export async function readTodo(deps: TodoDeps, userId: number, id: number): Promise<TodoView> {
  await reactivate(deps, userId)
  return toView(deps, (await q.find(deps.db, userId, id)) ?? missing())
}

/** @throws {AppError} 422 for a time without a day. */
export function createTodo(deps: TodoDeps, reader: Reader, fields: NewTodo): Promise<TodoView> {
  const now = deps.clock.now()
  const { userId } = reader
  const schedule = rescheduled(NO_SCHEDULE, fields, now, weekOf(deps.config, reader.owner))
  const { title, description, priority = 'none', category, position } = fields
  return inTransaction(deps.db, async (tx) => {
    await open(tx, reader, now)
    const id = await q.insert(tx, {
      ...schedule,
      userId,
      title,
      description,
      priority,
      category,
      rank: await q.rankAt(tx, userId, position),
      createdAt: now,
      updatedAt: now,
    })
    return view(tx, deps, userId, id)
  })
}

/** Changes what is given. @throws {AppError} 404, 412 for another version than the expected, 422. */
export const changeTodo = (
  deps: TodoDeps,
  reader: Reader,
  target: Target,
  changes: TodoChanges,
): Promise<TodoView> => write(deps, reader, target, () => changes)

/** Completes an open todo, and opens a completed one. @throws {AppError} 404, 412. */
export const toggleTodo = (deps: TodoDeps, reader: Reader, target: Target): Promise<TodoView> =>
  write(deps, reader, target, ({ completedAt }) => ({ completed: completedAt === null }))

/** @throws {AppError} 404, 412. */
export const deleteTodo = ({ db, clock }: TodoDeps, session: SessionKey, target: Target): Promise<void> =>
  inTransaction(db, async (tx) => {
    await open(tx, session, clock.now())
    await q.remove(tx, await lock(tx, session.userId, target))
  })

/** Puts the todos into the order of `ids`. @throws {AppError} 409 unless those are all of the user's, each once. */
export const reorderTodos = (
  deps: TodoDeps,
  session: SessionKey,
  ids: readonly number[],
): Promise<TodoView[]> =>
  inTransaction(deps.db, async (tx) => {
    const { userId } = session
    await open(tx, session, deps.clock.now())
    if (!isWholeOrder(ids, await q.idsOf(tx, userId))) throw conflict('The list of todos is out of date')
    await q.arrange(tx, userId, ids)
    return (await q.listAll(tx, userId)).map((row) => toView(deps, row))
  })

const missing = (): never => {
  throw notFound('Todo')
}

/** Writers of the todos of one user come one after the other, and see them as they are by now. @throws {AppError} 401. */
async function open(tx: Tx, session: SessionKey, now: Date): Promise<void> {
  await lockUserOf(tx, session, now)
  await q.reactivate(tx, session.userId, now)
}

async function lock(tx: Tx, userId: number, { id, expected }: Target): Promise<q.TodoRow> {
  const todo = (await q.lock(tx, userId, id)) ?? missing()
  if (!isExpected(todo.version, expected)) throw stale()
  return todo
}

function write(
  deps: TodoDeps,
  reader: Reader,
  target: Target,
  wish: (stored: q.TodoRow) => TodoChanges,
): Promise<TodoView> {
  const { userId } = reader
  const now = deps.clock.now()
  const week = weekOf(deps.config, reader.owner)
  return inTransaction(deps.db, async (tx) => {
    await open(tx, reader, now)
    const stored = await lock(tx, userId, target)
    const changes = wish(stored)
    await q.update(tx, stored, {
      ...rescheduled(stored, changes, now, week),
      title: changes.title,
      description: changes.description,
      priority: changes.priority,
      category: changes.category,
      rank: await rankAfter(tx, stored, changes.position),
      updatedAt: now,
    })
    return view(tx, deps, userId, stored.id)
  })
}

/** Undefined leaves the todo where it is. */
async function rankAfter(tx: Tx, { userId, id }: q.TodoRow, position: number | undefined) {
  if (position === undefined) return undefined
  const stored = await q.find(tx, userId, id)
  return stored?.position === position ? undefined : q.rankAt(tx, userId, position, id)
}

/** @throws {AppError} 422. */
function rescheduled(stored: Schedule, wish: TodoChanges, now: Date, week: Week): Schedule {
  const schedule = reschedule(stored, wish, now, week)
  const problem = scheduleProblem(schedule)
  if (problem) throw invalid([problem])
  return schedule
}

const view = async (tx: Tx, deps: TodoDeps, userId: number, id: number): Promise<TodoView> =>
  toView(deps, (await q.find(tx, userId, id)) ?? missing())

function toView({ config }: Pick<Deps, 'config'>, todo: q.PlacedRow): TodoView {
  const at = (instant: Date) => formatInstant(config.timeZone, instant)
  return {
    id: todo.id,
    title: todo.title,
    description: todo.description,
    priority: todo.priority,
    due_date: todo.dueDate,
    // The database says `HH:MM:SS`.
    due_time: todo.dueTime && todo.dueTime.slice(0, 5),
    category: todo.category,
    completed: todo.completedAt !== null,
    completed_at: todo.completedAt && at(todo.completedAt),
    recurrence: todo.recurrence,
    reset_at: todo.resetAt && at(todo.resetAt),
    next_due_date: todo.nextDueDate,
    position: todo.position,
    version: todo.version,
    created_at: at(todo.createdAt),
    updated_at: at(todo.updatedAt),
  }
}
