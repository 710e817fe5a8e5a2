import { insufficientScope } from '../../../lib/access-tokens'
import { AppError, conflict, notFound } from '../../../lib/errors'
import type { Granted } from '../../../lib/scopes'
import { addDays } from '../../../lib/time/time'
import { KEPT_DAYS } from '../../../access/operations/rules'
import type { ChangeType } from '../changes/rules.types'
import { mayWriteIn, rulesOf, type TableName, WORDS } from '../../../lib/history-tables'

/**
 * The operations that can be undone (contract: undo.operations). Others change accounts, or what two users have agreed on, or have
 * been heard of by somebody else already.
 */
export const UNDOABLE: ReadonlySet<string> = new Set([
  'createCalendar',
  'changeCalendar',
  'deleteCalendar',
  'importCalendar',
  'createEvent',
  'changeEvent',
  'deleteEvent',
  'createEventTemplate',
  'changeEventTemplate',
  'deleteEventTemplate',
  'createTodoList',
  'changeTodoList',
  'deleteTodoList',
  'createTodo',
  'changeTodo',
  'toggleTodo',
  'deleteTodo',
  'reorderTodos',
  'createReminder',
  'changeReminder',
  'snoozeReminder',
  'dismissReminder',
  'deleteReminder',
  'createProject',
  'changeProject',
  'deleteProject',
  'reorderProjects',
  'createTask',
  'changeTask',
  'deleteTask',
  'reorderTasks',
  'createComment',
  'changeComment',
  'deleteComment',
  'createPerson',
  'changePerson',
  'linkPerson',
  'deletePerson',
  'importPeople',
  'createAddressBook',
  'changeAddressBook',
  'deleteAddressBook',
  'changeSettings',
  'undoOperation',
  'restoreTrashItem',
])

/** What clients of /dav do, whose requests stand in no document. */
const UNDOABLE_BY_DAV: ReadonlySet<string> = new Set([
  'davPut',
  'davAdd',
  'davMove',
  'davCopy',
  'davDelete',
  'davDeleteCollection',
  'davMake',
])

/** What the tools of /mcp do. Answering an invitation was heard of by somebody else. */
const UNDOABLE_BY_ASSISTANTS: ReadonlySet<string> = new Set([
  'assistantAdd',
  'assistantChange',
  'assistantDelete',
  'assistantUndo',
])

export const isUndoable = (name: string): boolean =>
  UNDOABLE.has(name) || UNDOABLE_BY_DAV.has(name) || UNDOABLE_BY_ASSISTANTS.has(name)

/** An item of a refusal. */
export interface NamedItem {
  readonly type: ChangeType
  readonly id: number
  readonly title: string
}

/** The most items that a refusal, or an operation in the list, names. */
export const NAMED_ITEMS = 20

export const operationMissing = () => notFound('Operation')
export const notUndoable = () => conflict('This cannot be undone')
export const tooOld = () => new AppError('gone', 'Too old to undo')
export const changedSince = (items: readonly NamedItem[]) =>
  new AppError('conflict', 'Changed since', { code: 'changed_since', items })
export const uidTaken = () => conflict('This UID is in use again')

/** What must be restored before a row that is in it. */
export const parentGone = (table: TableName): AppError => {
  const word = WORDS[table]
  return word === undefined ? changedSince([]) : conflict(`Restore the ${word} first`)
}

/** Operations that always change a row that is kept: without any, it was deleted for good since. Others may change nothing. */
export const alwaysHasHistory = (name: string): boolean =>
  isUndoable(name) && !/^(?:reorder|import|dismiss|link|changeSettings|assistant)/.test(name)

export const stillUnderWay = () =>
  new AppError('conflict', 'This is still under way', {
    code: 'operation_in_progress',
    headers: { 'retry-after': '1' },
  })

/** What was done before is too old to be undone. */
export const undoableSince = (now: Date, historyDays: number): Date =>
  addDays(now, -Math.min(historyDays, KEPT_DAYS))

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isUuid = (id: string): boolean => UUID.test(id)

/** Whether an operation with this id was done before, by the beginning of a UUID of version 7. */
export function isBefore(id: string, instant: Date): boolean {
  if (!isUuid(id)) return false
  const [high = '', low = '', rest = ''] = id.split('-')
  return rest.startsWith('7') && Number.parseInt(high + low, 16) < instant.getTime()
}

/** @throws {AppError} 403 for an access token that may not write in all areas of these tables. */
export function refuseScope(caller: Granted, tables: readonly TableName[]): void {
  const refused = tables.find((table) => !mayWriteIn(caller, table))
  if (refused === undefined) return
  const { area } = rulesOf(refused)
  throw area === null ? insufficientScope() : insufficientScope(`${area}:write`)
}

/** A row that an operation has touched: as it was before, and whether it is there now. */
export interface TouchedRow {
  readonly table: TableName
  readonly key: string
  /** The row of the history that holds the image from before the operation. */
  readonly historyId: number
  /** Whether the row was there before the operation. */
  readonly was: boolean
  /** Whether it is there now. */
  readonly is: boolean
  /** Whether it is as the operation has left it. */
  readonly isUnchanged: boolean
  /** In which record it was, and is: for an event its calendar. */
  readonly wasIn: number | null
  readonly isIn: number | null
  /** Of a subtask: the task above it. */
  readonly wasUnder: number | null
  /** Whether the event has other times now, or is no event. */
  readonly isMoved: boolean
}

/** What is to be done, by kind. */
export const insertsOf = (rows: readonly TouchedRow[]) => rows.filter(({ was, is }) => was && !is)
export const updatesOf = (rows: readonly TouchedRow[]) => rows.filter(({ was, is }) => was && is)
export const deletesOf = (rows: readonly TouchedRow[]) => rows.filter(({ was, is }) => !was && is)

/**
 * The rows without invitations that changed since, of events that the operation did not touch: these only lost the calendar in which
 * they were seen.
 */
export function withoutAsides(rows: readonly TouchedRow[]): TouchedRow[] {
  const events = new Set(rows.filter(({ table }) => table === 'events').map(({ key }) => key))
  return rows.filter(
    ({ table, isUnchanged, wasIn }) =>
      table !== 'event_invitations' || isUnchanged || events.has(String(wasIn)),
  )
}

/** The item that the row is, or is part of; undefined for an answer, whose event has a row of its own. A group is part of its address book. */
export function itemOf({ table, key, wasIn, isIn }: Pick<TouchedRow, 'table' | 'key' | 'wasIn' | 'isIn'>) {
  const { type } = rulesOf(table)
  if (table === 'occurrence_responses') return undefined
  const place = isIn ?? wasIn
  if (table === 'loose_cards')
    return place === null ? undefined : ({ type: 'address_book', id: place } as const)
  const id = table === 'event_invitations' ? place : Number(key.split('/')[0])
  return id === null ? undefined : { type, id }
}

/** The items of the rows, each once. */
export function itemsOf(rows: ReadonlyArray<Parameters<typeof itemOf>[0]>) {
  const items = rows.flatMap((row) => itemOf(row) ?? [])
  return [...new Map(items.map((item) => [`${item.type} ${item.id}`, item])).values()]
}

/** The events that take place at other times after the rows are as they were. */
export function movedEvents(rows: readonly TouchedRow[]): number[] {
  const moved = rows.filter(
    ({ table, was, is, isMoved }) =>
      (table === 'events' && was && (!is || isMoved)) ||
      table === 'event_occurrences' ||
      table === 'event_extra_starts',
  )
  return itemsOf(moved).map(({ id }) => id)
}

/** Keys of the list of operations. */
export type OperationKey = readonly [id: string]

export const isOperationKey = (key: unknown): key is OperationKey =>
  Array.isArray(key) && key.length === 1 && typeof key[0] === 'string' && isUuid(key[0])
