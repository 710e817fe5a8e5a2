import {
  and,
  eq,
  getTableColumns,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  type Placeholder,
  type SQL,
  sql,
  type SQLWrapper,
} from 'drizzle-orm'
import { among } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import { bytesOf, fitting, FOLLOWED, UNCUT } from '../../../db/fitting'
import { positionAmong, positionAmongAll } from '../../../db/ordering'
import { idOf } from '../../../db/by-id'
import { prepared } from '../../../db/prepared'
import { todos } from '../../../db/schema'
import { type ById, USUAL_LIMIT } from '../../../lib/wire/page'
import { type Instant, listOf, passed, type PlacedRow, type TodoRow } from './queries'
import { PRIORITY_ORDER, type Sort, type TodoKey } from './rules.sorting'

/** Parameters of prepared statements, filled in when they run. */
const [USER, NOW] = [sql.placeholder('userId'), sql.placeholder('now')]

/** The columns that todos are sorted by, either of the table or of rows selected from it. */
type SortKeys = Readonly<Record<'id' | 'rank' | 'dueDate' | 'priority' | 'createdAt', SQLWrapper>>

/** Picks the sort column; ties are broken by id. */
type By = (keys: SortKeys) => SQLWrapper

interface TodoSelection {
  readonly userId: number | Placeholder
  readonly where: SQL | undefined
  readonly by: By
  readonly limit: number
  readonly now: Instant
}

/** The first todos of the user, as many as fit on a page. */
function first(db: Db | Tx, { userId, where, by, limit }: Omit<TodoSelection, 'now'>): SQL {
  const rows = db
    .select({
      ...getTableColumns(todos),
      bytes: bytesOf(todos.title, todos.description, todos.category).as('bytes'),
    })
    .from(todos)
    .where(and(eq(todos.userId, userId), where))
    .orderBy(sql`${by(todos)}`, todos.id)
    .limit(limit)
    .as('rows')
  return fitting(rows, by(rows), rows.id)
}

/** Todos of the user with their positions. */
const placed = (db: Db | Tx, selection: TodoSelection) => withPositions(db, first(db, selection), selection)

/**
 * Adds positions to the rows, and reports whether any todo is due to reopen, even if there are no rows. One statement does both,
 * so that a page costs one round trip.
 */
function withPositions(
  db: Db | Tx,
  rows: SQL,
  { userId, by, now }: Pick<TodoSelection, 'userId' | 'by' | 'now'>,
) {
  const page = db.$with('page', { ...getTableColumns(todos), ...FOLLOWED }).as(rows)
  const due = passed(db, userId, now).as('due')
  return db
    .with(page)
    .select({
      anyPassed: due.anyPassed,
      ...page._.selectedFields,
      position: positionAmong(listOf(userId), page),
    })
    .from(due)
    .leftJoin(page, sql`true`)
    .orderBy(sql`${by(page)}`, page.id)
}

type PageRow = PlacedRow & { readonly isFollowed: boolean }

/** Todos of the user. When `anyPassed` is true, reopen the todos that are due and read again. */
export interface Read {
  readonly anyPassed: boolean
  readonly rows: readonly PageRow[]
}

type Joined = Awaited<ReturnType<typeof withPositions>>[number]

const isRow = (joined: Joined): joined is Joined & PageRow => joined.id !== null

const toRead = (joined: readonly Joined[]): Read => ({
  anyPassed: joined[0]?.anyPassed === true,
  rows: joined.filter(isRow),
})

const byId: By = ({ id }) => idOf(id)
const byDueDate: By = ({ dueDate }) => dueDate

export const find = async (db: Db | Tx, userId: number, id: number, now: Date): Promise<Read> =>
  toRead(await placed(db, { userId, where: eq(todos.id, id), by: byId, limit: 1, now: now.toISOString() }))

export const listAll = (tx: Db | Tx, userId: number): Promise<PlacedRow[]> =>
  tx
    .select({ ...getTableColumns(todos), position: positionAmongAll(todos) })
    .from(todos)
    .where(eq(todos.userId, userId))
    .orderBy(todos.rank)

const PRIORITIES = sql.raw(`array[${PRIORITY_ORDER.map((priority) => `'${priority}'`).join()}]`)

interface Order {
  readonly by: By
  readonly type: SQL
}

const ORDER: Readonly<Record<Sort, Order>> = {
  position: { by: ({ rank }) => rank, type: sql`numeric` },
  due_date: { by: ({ dueDate }) => sql`coalesce(${dueDate}, 'infinity')`, type: sql`date` },
  priority: { by: ({ priority }) => sql`array_position(${PRIORITIES}, ${priority})`, type: sql`integer` },
  created_at: { by: ({ createdAt }) => createdAt, type: sql`timestamptz` },
}

/** Title and description are joined by a line break, so that no search text matches across both. */
const has = (text: string) =>
  sql`strpos(lower(concat_ws(E'\n', ${todos.title}, ${todos.description}) collate "und-x-icu"), lower(${text} collate "und-x-icu")) > 0`

export interface TodoFilter {
  readonly listId: number | undefined
  readonly completed: boolean | undefined
  readonly priority: TodoRow['priority'] | undefined
  readonly category: string | undefined
  /** Both bounds are inclusive. */
  readonly dueFrom: string | undefined
  readonly dueTo: string | undefined
  readonly text: string | undefined
}

const passes = ({ listId, completed, priority, category, dueFrom, dueTo, text }: Partial<TodoFilter>) =>
  and(
    listId === undefined ? undefined : eq(todos.listId, listId),
    completed === undefined ? undefined : (completed ? isNotNull : isNull)(todos.completedAt),
    priority && eq(todos.priority, priority),
    category === undefined ? undefined : eq(todos.category, category),
    dueFrom === undefined ? undefined : gte(todos.dueDate, dueFrom),
    dueTo === undefined ? undefined : lte(todos.dueDate, dueTo),
    text === undefined ? undefined : has(text),
  )

const isAfter = (sort: Sort, value: string | Placeholder, id: number | Placeholder) =>
  sql`(${ORDER[sort].by(todos)}, ${todos.id}) > (${value}::${ORDER[sort].type}, ${id}::integer)`

/** The most frequent query, prepared: all todos of a user, or only the open or completed ones, with the usual page size. */
const usual = prepared((db, sort: Sort, completed: boolean | undefined, isFurther: boolean) => {
  const where = and(
    passes({ completed }),
    isFurther ? isAfter(sort, sql.placeholder('value'), sql.placeholder('id')) : undefined,
  )
  const selection = { userId: USER, where, by: ORDER[sort].by, limit: USUAL_LIMIT, now: NOW }
  return placed(db, selection).prepare('todos_usual')
})

export interface TodoPage {
  readonly sort: Sort
  readonly after: TodoKey | undefined
  readonly limit: number
  readonly now: Date
}

/** Up to `limit` rows after the key, fewer if their texts are long. */
export async function list(
  db: Db,
  userId: number,
  { completed, ...filter }: TodoFilter,
  { sort, after, limit, now: at }: TodoPage,
): Promise<Read> {
  const [, value = '', id = 0] = after ?? []
  const now = at.toISOString()
  if (limit === USUAL_LIMIT && Object.values(filter).every((wanted) => wanted === undefined)) {
    return toRead(await usual(db, sort, completed, after !== undefined).execute({ userId, value, id, now }))
  }
  const where = and(passes({ ...filter, completed }), after && isAfter(sort, value, id))
  return toRead(await placed(db, { userId, where, by: ORDER[sort].by, limit, now }))
}

/** Overdue todos and those due today, in one statement, as both need positions in the same list. */
const due = prepared((db, limit: number) => {
  const open = (isDue: SQL) =>
    first(db, { userId: USER, where: and(isNull(todos.completedAt), isDue), by: byDueDate, limit })
  const day = sql.placeholder('day')
  const rows = sql`(${open(lt(todos.dueDate, day))}) union all (${open(eq(todos.dueDate, day))})`
  return withPositions(db, rows, { userId: USER, by: byDueDate, now: NOW }).prepare('todos_due')
})

export interface DuePage {
  readonly day: string
  readonly limit: number
  readonly now: Date
}

/** Up to `limit` open todos that are due before the day, and up to `limit` that are due on it, by due date. */
export const listDue = async (db: Db, userId: number, { day, limit, now }: DuePage): Promise<Read> =>
  toRead(await due(db, limit).execute({ userId, day, now: now.toISOString() }))

/** Todos of the user, by id. */
export async function pageById(db: Db, userId: number, by: ById, now: Date): Promise<Read> {
  const rows =
    'ids' in by
      ? named(db, userId, by.ids)
      : first(db, { userId, where: gt(idOf(todos.id), by.afterId), by: byId, limit: by.limit })
  return toRead(await withPositions(db, rows, { userId, by: byId, now: now.toISOString() }))
}

const named = (db: Db, userId: number, ids: readonly number[]): SQL =>
  db
    .select({ ...getTableColumns(todos), ...UNCUT })
    .from(todos)
    .where(and(eq(todos.userId, userId), among(todos.id, ids)))
    .getSQL()
