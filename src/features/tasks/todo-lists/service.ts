import type { Db, Tx } from '../../../db/client'
import { rankAt } from '../../../db/ordering'
import { todoLists } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { violatedUnique } from '../../../lib/database-failure'
import { conflict, notFound } from '../../../lib/errors'
import { isId } from '../../../lib/wire/id'
import { type ById, type PageQuery, readPage, toPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import { isExpected, stale, type Target } from '../../../lib/wire/versions'
import { listVersions } from '../../../access/versions/service'
import { lockUserOf, type SessionKey } from '../../../access/sessions/service'
import { isRankKey } from '../projects/rules'
import type {
  NewTodoList,
  TodoListChanges,
  TodoListHistory,
  TodoListsPage,
  TodoListsQuery,
  TodoListView,
} from './model'
import * as q from './queries'
import { DEFAULT_COLOR, refusalOfChange, refusalOfDeletion } from './rules'

/** Returns a page of the caller's lists, by position. @throws {AppError} 422 for a cursor of another list. */
export async function listTodoLists(
  { db, config }: ReadDeps,
  userId: number,
  query: TodoListsQuery,
): Promise<TodoListsPage> {
  const { limit, after } = readPage(query, isRankKey)
  const rows = await q.list(db, userId, after?.[0], limit + 1)
  const { page, next_cursor } = toPage(rows, limit, ({ rank }) => [rank])
  return { todo_lists: page.map((row) => toView(config.timeZone, row)), next_cursor }
}

/** Returns the user's lists by id: a page of them, or those that are named. */
export const pageTodoListsById = async (
  { db, config }: ReadDeps,
  userId: number,
  byId: ById,
): Promise<TodoListView[]> => (await q.pageById(db, userId, byId)).map((row) => toView(config.timeZone, row))

/** @throws {AppError} 404. */
export const readTodoList = async (
  { db, config }: ReadDeps,
  userId: number,
  id: number,
): Promise<TodoListView> => toView(config.timeZone, required(await q.find(db, userId, id)))

/** Returns a page of the list's versions. @throws {AppError} 404, 422 for a cursor of another list. */
export const listTodoListVersions = async (
  deps: WriteDeps,
  session: SessionKey,
  id: number,
  query: PageQuery,
): Promise<TodoListHistory> =>
  listVersions(deps, session, query, {
    table: todoLists,
    row: required(await q.find(deps.db, session.userId, id)),
    toViews: (rows) => rows.map((row) => toView(deps.config.timeZone, row)),
  })

/**
 * Creates a list, at the end unless a position is given.
 * @throws {AppError} 409 when the caller already has a list of that name.
 */
export const createTodoList = (
  deps: WriteDeps,
  session: SessionKey,
  { name, color = DEFAULT_COLOR, is_default: isDefault = false, position }: NewTodoList,
): Promise<TodoListView> =>
  unlessTaken(deps, session, async (tx, now) => {
    const { userId } = session
    await lockUserOf(tx, session, now)
    if (isDefault) await q.clearDefault(tx, userId, now)
    return q.insert(tx, { userId, name, color, isDefault, createdAt: now, updatedAt: now }, position)
  })

interface AddedTodoList {
  readonly userId: number
  readonly name: string
  readonly color: string | undefined
  readonly now: Date
}

/** Creates a list for a user whose row is locked and who has no other of that name. @throws {AppError} 409 for too many lists. */
export const addTodoList = async (
  tx: Tx,
  { userId, name, color = DEFAULT_COLOR, now }: AddedTodoList,
): Promise<{ readonly id: number }> => ({
  id: await q.insert(tx, { userId, name, color, createdAt: now, updatedAt: now }, undefined),
})

/** Renames or recolours a list of a user whose row is locked and who has no other of that name. @throws {AppError} 404. */
export async function changeOwnTodoList(
  tx: Tx,
  { userId, id, now }: { readonly userId: number; readonly id: number; readonly now: Date },
  { name, color }: { readonly name?: string; readonly color?: string },
): Promise<void> {
  await q.update(tx, (await q.lock(tx, userId, id)) ?? missing(), { name, color, updatedAt: now })
}

/** The names of the user's lists, but for one. */
export const namesOfTodoLists = (tx: Tx, userId: number, exceptId?: number): Promise<string[]> =>
  q.names(tx, userId, exceptId)

/**
 * Changes the given fields; `is_default: true` makes this the default list.
 * @throws {AppError} 404, 412 for another version than the expected one, 409 for what the default list forbids and when the caller
 * already has a list of that name.
 */
export const changeTodoList = (
  deps: WriteDeps,
  session: SessionKey,
  target: Target,
  changes: TodoListChanges,
): Promise<TodoListView> =>
  unlessTaken(deps, session, async (tx, now) => {
    const stored = await lock(tx, session, now, target)
    const refusal = refusalOfChange(stored, changes)
    if (refusal) throw refusal
    const { userId, id } = stored
    const { name, color, is_default: isDefault, position } = changes
    if (isDefault && !stored.isDefault) await q.clearDefault(tx, userId, now)
    const rank = position === undefined ? undefined : await rankAt(tx, q.listOf(userId), position, id)
    await q.update(tx, stored, { name, color, isDefault, rank, updatedAt: now })
    return id
  })

/** Deletes a list with its todos. @throws {AppError} 404, 412 for another version than the expected one, 409 for the default list. */
export const deleteTodoList = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  target: Target,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const list = await lock(tx, session, clock.now(), target)
    const refusal = refusalOfDeletion(list)
    if (refusal) throw refusal
    await q.remove(tx, list)
  })

/** Deletes a list of a user whose row is locked, with its todos. @throws {AppError} 404, 409 for the default list. */
export async function removeTodoList(
  tx: Tx,
  { userId, id }: { readonly userId: number; readonly id: number },
): Promise<void> {
  const list = (await q.lock(tx, userId, id)) ?? missing()
  const refusal = refusalOfDeletion(list)
  if (refusal) throw refusal
  await q.remove(tx, list)
}

/** @throws {AppError} 404 unless the user has the list. Whoever puts todos into it has locked the user, so that it stays. */
export async function requireTodoList(db: Db | Tx, userId: number, id: number): Promise<void> {
  if (!isId(id) || !(await q.exists(db, userId, id))) missing()
}

const missing = (): never => {
  throw notFound('Todo list')
}

const required = (row: q.PlacedList | undefined): q.PlacedList => row ?? missing()

/** Locks the user, and then the list. @throws {AppError} 401, 404, 412. */
async function lock(
  tx: Tx,
  session: SessionKey,
  now: Date,
  { id, expected }: Target,
): Promise<q.TodoListRow> {
  await lockUserOf(tx, session, now)
  const list = (await q.lock(tx, session.userId, id)) ?? missing()
  if (!isExpected(list.version, expected)) throw stale()
  return list
}

/** Runs `write`, which returns the id of the list, and reads the list. @throws {AppError} 409. */
async function unlessTaken(
  { db, clock, config }: WriteDeps,
  { userId }: SessionKey,
  write: (tx: Tx, now: Date) => Promise<number>,
): Promise<TodoListView> {
  try {
    return await inTransaction(db, async (tx) => {
      const id = await write(tx, clock.now())
      return toView(config.timeZone, required(await q.find(tx, userId, id)))
    })
  } catch (error) {
    throw violatedUnique(error) === 'todo_lists_user_id_name_key'
      ? conflict('A todo list with this name exists')
      : error
  }
}

const toView = (zone: string, list: q.PlacedList): TodoListView => ({
  id: list.id,
  name: list.name,
  color: list.color,
  is_default: list.isDefault,
  position: list.position,
  rank: list.rank,
  version: list.version,
  created_at: formatInstant(zone, list.createdAt),
  updated_at: formatInstant(zone, list.updatedAt),
})
