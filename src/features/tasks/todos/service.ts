import type { Db, Tx } from '../../../db/client'
import { rankAt } from '../../../db/ordering'
import { todos } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { briefFailure } from '../../../lib/database-failure'
import { conflict, invalid, notFound } from '../../../lib/errors'
import { type ById, type PageQuery, readPage, toFittingPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import { isExpected, stale, type Target } from '../../../lib/wire/versions'
import { listVersions } from '../../../access/versions/service'
import { lockUser, lockUserOf, type SessionKey } from '../../../access/sessions/service'
import { type Reader, weekOf } from '../../../access/reader/service'
import type { NewTodo, TodoChanges, TodoHistory, TodosPage, TodosQuery, TodoView } from './model'
import { type Files, nextDayOf } from '../todo-files/service'
import { requireTodoList } from '../todo-lists/service'
import { numberOf } from '../todo-order/rules'
import { numberAtRank, reorder } from '../todo-order/service'
import * as q from './queries'
import * as lists from './queries.lists'
import {
  isSameTime,
  NO_SCHEDULE,
  reschedule,
  type Schedule,
  scheduleProblem,
  turnTo,
  type Week,
} from './rules'
import { isKeyOf, keyOf } from './rules.sorting'

/**
 * Reads todos after reopening the completed recurring ones whose `reset_at` has passed (contract: todos.reopening). A read locks,
 * writes and reads again only if there is a todo to reopen. A todo that nobody looked at for several periods keeps the due date
 * of the first one, so it shows as overdue.
 */
async function upToDate(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: number,
  read: (now: Date) => Promise<lists.Read>,
): Promise<lists.Read['rows']> {
  const now = clock.now()
  const { anyPassed, rows } = await read(now)
  if (!anyPassed) return rows
  await reopenTodos(db, userId, now)
  return (await read(now)).rows
}

/** Reopens the completed todos of the user whose `reset_at` has passed. */
export const reopenTodos = (db: Db, userId: number, now: Date): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockUser(tx, userId)
    await q.reactivate(tx, userId, now)
  })

/** Users in one look for todos to reopen. */
const USERS_AT_ONCE = 500

/** Reopens the todos of all users whose `reset_at` has passed, user by user, and goes on where it fails (contract: todos.reopening). */
export async function reopenAllTodos(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  isStopping: () => boolean,
): Promise<void> {
  const now = clock.now()
  let after = 0
  for (;;) {
    const users = await q.usersWithPassed(db, now, { after, limit: USERS_AT_ONCE })
    for (const userId of users) {
      if (isStopping()) return
      try {
        await reopenTodos(db, userId, now)
      } catch (error) {
        log.error('Cannot reopen the todos of a user', { userId, ...briefFailure(error) })
      }
    }
    if (users.length < USERS_AT_ONCE) return
    after = users.at(-1) ?? after
  }
}

/**
 * Returns a page of the user's todos that match the filter.
 * @throws {AppError} 404 for a list that is not theirs, 422 for a cursor of another order.
 */
export async function listTodos(
  deps: WriteDeps,
  userId: number,
  { sort = 'position', list_id: listId, q: text, due_from: dueFrom, due_to: dueTo, ...rest }: TodosQuery,
): Promise<TodosPage> {
  const { limit, after } = readPage(rest, isKeyOf(sort))
  const { completed, priority, category } = rest
  if (listId !== undefined) await requireTodoList(deps.db, userId, listId)
  const filter = { listId, completed, priority, category, dueFrom, dueTo, text }
  const rows = await upToDate(deps, userId, (now) =>
    lists.list(deps.db, userId, filter, { sort, after, limit: limit + 1, now }),
  )
  const { page, next_cursor } = toFittingPage(rows, limit, keyOf(sort))
  return { todos: page.map((row) => toView(deps, row)), next_cursor }
}

/** Returns up to `limit` open todos that are due before the day and up to `limit` that are due on it, by due date. */
export async function listDueTodos(
  deps: WriteDeps,
  userId: number,
  day: string,
  limit: number,
): Promise<{ overdue: TodoView[]; today: TodoView[] }> {
  const rows = await upToDate(deps, userId, (now) => lists.listDue(deps.db, userId, { day, limit, now }))
  const { true: today = [], false: overdue = [] } = Object.groupBy(
    rows,
    ({ dueDate }) => `${dueDate === day}`,
  )
  const views = (due: readonly q.PlacedRow[]) => due.map((row) => toView(deps, row))
  return { overdue: views(overdue), today: views(today) }
}

/** Returns the user's todos by id: a page of them, or those that are named. */
export async function pageTodosById(deps: WriteDeps, userId: number, byId: ById): Promise<TodoView[]> {
  const rows = await upToDate(deps, userId, (now) => lists.pageById(deps.db, userId, byId, now))
  return rows.map((row) => toView(deps, row))
}

/** @throws {AppError} 404. */
export async function readTodo(deps: WriteDeps, userId: number, id: number): Promise<TodoView> {
  return toView(deps, await findTodo(deps, userId, id))
}

async function findTodo(deps: WriteDeps, userId: number, id: number): Promise<q.PlacedRow> {
  const [found = missing()] = await upToDate(deps, userId, (now) => lists.find(deps.db, userId, id, now))
  return found
}

/** Returns a page of the todo's versions. @throws {AppError} 404, 422 for a cursor of another list. */
export const listTodoVersions = async (
  deps: WriteDeps,
  session: SessionKey,
  id: number,
  query: PageQuery,
): Promise<TodoHistory> =>
  listVersions(deps, session, query, {
    table: todos,
    row: await findTodo(deps, session.userId, id),
    toViews: (rows) => rows.map((row) => toView(deps, row)),
  })

/** @throws {AppError} 404 for a list that is not the user's, 422 for a due time without a due date. */
export function createTodo(deps: WriteDeps, reader: Reader, fields: NewTodo): Promise<TodoView> {
  const now = deps.clock.now()
  const { userId } = reader
  const schedule = rescheduled(NO_SCHEDULE, fields, now, weekOf(deps.config, reader.owner))
  const { list_id: listId = null, title, description = null, priority = 'none', category = null } = fields
  return inTransaction(deps.db, async (tx) => {
    await lockUserOf(tx, reader, now)
    if (listId !== null) await requireTodoList(tx, userId, listId)
    const todo = { ...schedule, userId, listId, title, description, priority, category }
    return toView(deps, await q.insert(tx, todo, await newPlace(tx, todo, fields.position, now), now))
  })
}

/** The place of a new todo; undefined for the end. */
async function newPlace(
  tx: Tx,
  { userId, listId }: Pick<q.NewTodoRow, 'userId' | 'listId'>,
  position: number | undefined,
  now: Date,
): Promise<q.NewPlace | undefined> {
  if (position === undefined) return undefined
  const rank = await rankAt(tx, q.listOf(userId), position)
  const arrival = { userId, listId, id: undefined, rank, number: undefined, mayTie: false }
  return { position, rank, sortOrder: await numberAtRank(tx, arrival, now) }
}

/**
 * Changes the given fields.
 * @throws {AppError} 404, 412 for another version than the expected one, 409 for what only another program can change, 422.
 */
export const changeTodo = (
  deps: WriteDeps & Files,
  reader: Reader,
  target: Target,
  changes: TodoChanges,
): Promise<TodoView> => write(deps, reader, target, () => changes)

/**
 * Completes an open todo, or reopens a completed one.
 * @throws {AppError} 404, 412, 409 for a series of which nobody knows how it goes on.
 */
export const toggleTodo = (deps: WriteDeps & Files, reader: Reader, target: Target): Promise<TodoView> =>
  write(deps, reader, target, ({ completedAt }) => ({ completed: completedAt === null }))

/** @throws {AppError} 404, 412. */
export const deleteTodo = ({ db, clock }: WriteDeps, session: SessionKey, target: Target): Promise<void> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    await lockUserOf(tx, session, now)
    // One that is due to reopen is still the one that the client has read.
    const todo = (await q.lock(tx, session.userId, target.id, now)) ?? missing()
    if (!isExpected(todo.version, target.expected)) throw stale()
    await q.remove(tx, todo)
  })

/** Puts the todos into the order of `ids`. @throws {AppError} 409 unless `ids` lists every todo of the user exactly once. */
export const reorderTodos = (
  deps: WriteDeps,
  session: SessionKey,
  ids: readonly number[],
): Promise<TodoView[]> =>
  inTransaction(deps.db, async (tx) => {
    const { userId } = session
    const now = deps.clock.now()
    await lockUserOf(tx, session, now)
    if (await q.anyPassed(tx, userId, now)) await q.reactivate(tx, userId, now)
    if (!(await reorder(tx, userId, ids, now))) throw conflict('The list of todos is out of date')
    return (await lists.listAll(tx, userId)).map((row) => toView(deps, row))
  })

/** Returns all todos in their order. */
export const listInOrder = async (deps: ReadDeps, userId: number): Promise<TodoView[]> =>
  (await lists.listAll(deps.db, userId)).map((row) => toView(deps, row))

const missing = (): never => {
  throw notFound('Todo')
}

/**
 * Locks the user, so that changes of their todos run one after the other, then reopens what is due and locks the todo. Creating a
 * todo needs only the user's lock, as it neither shows nor toggles the others.
 * @throws {AppError} 401, 404, 412.
 */
async function lock(tx: Tx, session: SessionKey, now: Date, { id, expected }: Target): Promise<q.TodoRow> {
  const { userId } = session
  await lockUserOf(tx, session, now)
  let todo = await q.lock(tx, userId, id, now)
  if (todo?.anyPassed) {
    await q.reactivate(tx, userId, now)
    todo = await q.lock(tx, userId, id, now)
  }
  if (!todo) return missing()
  if (!isExpected(todo.version, expected)) throw stale()
  return todo
}

function write(
  deps: WriteDeps & Files,
  reader: Reader,
  target: Target,
  wish: (stored: q.TodoRow) => TodoChanges,
): Promise<TodoView> {
  const now = deps.clock.now()
  const week = weekOf(deps.config, reader.owner)
  return inTransaction(deps.db, async (tx) => {
    const stored = await lock(tx, reader, now, target)
    const changes = wish(stored)
    if (changes.list_id !== undefined) await requireTodoList(tx, stored.userId, changes.list_id)
    const wished = rescheduled(stored, changes, now, week)
    const schedule = stored.recurrenceUnsupported ? await goneOn(tx, deps, { stored, wished, week }) : wished
    const rank = await rankAfter(tx, stored, changes.position, now)
    await q.update(tx, stored, {
      ...schedule,
      ...(await placeAfter(tx, stored, { rank, listId: changes.list_id }, now)),
      title: changes.title,
      description: changes.description,
      priority: changes.priority,
      category: changes.category,
      updatedAt: now,
    })
    return toView(deps, await find(tx, stored, now))
  })
}

/** The schedule of a todo whose series only its text can say. @throws {AppError} 409 for what only another program can change. */
async function goneOn(
  tx: Tx,
  files: Files,
  { stored, wished, week }: { readonly stored: q.TodoRow; readonly wished: Schedule; readonly week: Week },
): Promise<Schedule> {
  if (!isSameTime(stored, wished)) throw conflict(ELSEWHERE)
  const { completedAt } = wished
  if (completedAt === null || stored.completedAt !== null) return wished
  const next = await nextDayOf(files, tx, stored, completedAt)
  if (next === undefined) throw conflict(ELSEWHERE)
  return { ...wished, ...turnTo(next, completedAt, week) }
}

const ELSEWHERE = 'Change this in the program that made it'

/** Returns undefined when the todo stays where it is. */
async function rankAfter(tx: Tx, stored: q.TodoRow, position: number | undefined, now: Date) {
  if (position === undefined || (await find(tx, stored, now)).position === position) return undefined
  return rankAt(tx, q.listOf(stored.userId), position, stored.id)
}

/** The columns that say where it is: in which list, and where there by its rank and its number. */
async function placeAfter(
  tx: Tx,
  stored: q.TodoRow,
  { rank, listId }: { readonly rank: string | undefined; readonly listId: number | undefined },
  now: Date,
) {
  if (rank === undefined && (listId === undefined || listId === stored.listId)) return {}
  const place = { listId: listId ?? stored.listId, rank: rank ?? stored.rank }
  const { userId, id } = stored
  const arrival = { ...place, userId, id, number: numberOf(stored), mayTie: rank === undefined }
  // A trigger sees that no other todo of the list is called so by other programs.
  return { ...place, sortOrder: await numberAtRank(tx, arrival, now) }
}

async function find(tx: Tx, { userId, id }: q.TodoRow, now: Date): Promise<q.PlacedRow> {
  const [found = missing()] = (await lists.find(tx, userId, id, now)).rows
  return found
}

/** @throws {AppError} 422. */
function rescheduled(stored: Schedule, wish: TodoChanges, now: Date, week: Week): Schedule {
  const schedule = reschedule(stored, wish, now, week)
  const problem = scheduleProblem(schedule)
  if (problem) throw invalid([problem])
  return schedule
}

function toView({ config }: Pick<Deps, 'config'>, todo: q.PlacedRow): TodoView {
  const at = (instant: Date) => formatInstant(config.timeZone, instant)
  return {
    id: todo.id,
    list_id: todo.listId,
    title: todo.title,
    description: todo.description,
    priority: todo.priority,
    due_date: todo.dueDate,
    // The database returns `HH:MM:SS`.
    due_time: todo.dueTime && todo.dueTime.slice(0, 5),
    category: todo.category,
    completed: todo.completedAt !== null,
    completed_at: todo.completedAt && at(todo.completedAt),
    recurrence: todo.recurrence,
    recurrence_unsupported: todo.recurrenceUnsupported,
    reset_at: todo.resetAt && at(todo.resetAt),
    next_due_date: todo.nextDueDate,
    position: todo.position,
    rank: todo.rank,
    version: todo.version,
    created_at: at(todo.createdAt),
    updated_at: at(todo.updatedAt),
  }
}
