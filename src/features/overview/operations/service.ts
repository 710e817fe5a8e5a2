import type { Tx } from '../../../db/client'
import { leaveRoomForOwners } from '../../../db/quotas'
import { inSnapshot, inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { forbidden } from '../../../lib/errors'
import { isUnderWay } from '../../../access/operations/rules'
import { calendarsFor } from '../../../access/calendars/service'
import { type CurrentSession, lockUsersOf } from '../../../access/sessions/service'
import { readItems } from '../changes/service.items'
import type { UndoView } from './model'
import * as q from './queries'
import * as plans from './queries.plan'
import { isFinalChange } from './queries.settings'
import { areShared } from './queries.taken'
import {
  alwaysHasHistory,
  changedSince,
  deletesOf,
  isBefore,
  isUuid,
  itemsOf,
  NAMED_ITEMS,
  type NamedItem,
  notUndoable,
  operationMissing,
  refuseScope,
  stillUnderWay,
  tooOld,
  type TouchedRow,
  isUndoable,
  undoableSince,
  withoutAsides,
} from './rules'
import { isTrashType, rulesOf } from '../../../lib/history-tables'
import { refusalOfPrivate } from '../../events/events/rules.visibility'
import { putBack } from './service.restore'

type UndoDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** The most changes in an answer; the rest comes with the changes of the journal. */
const MOST_CHANGES = 500

/**
 * Makes everything as it was before the operation (contract: undo.operations), as an operation of its own.
 * @throws {AppError} 404 unless the caller did it or owns all that it touched, 403, 409 when something changed since or it cannot be
 * undone, 410 when what was there before is no longer kept.
 */
export async function undoOperation(deps: UndoDeps, session: CurrentSession, id: string): Promise<UndoView> {
  const own = session.operation
  if (!own) throw new Error('undoing is an operation')
  const rows = await inTransaction(deps.db, (tx) => undo(tx, deps, session, id), session.userId)
  return viewUndone(deps, session, own.id, rows)
}

/** Reads what undoing has answered, as it is now. @throws {AppError} 404 when it is not known any more what it changed. */
export async function readUndone(deps: UndoDeps, session: CurrentSession, id: string): Promise<UndoView> {
  const rows = await inSnapshot(deps.db, (tx) => rowsOf(tx, { id, name: 'undoOperation' }))
  return viewUndone(deps, session, id, rows)
}

async function viewUndone(
  deps: UndoDeps,
  session: CurrentSession,
  id: string,
  rows: readonly TouchedRow[],
): Promise<UndoView> {
  const items = itemsOf(rows)
  const changes = await readItems(deps, session, items.slice(0, MOST_CHANGES).map(toEntry), () => true)
  return { operation_id: id, changes, has_more: items.length > MOST_CHANGES }
}

/** As the journal would name it. */
const toEntry = ({ type, id }: ReturnType<typeof itemsOf>[number]) => ({
  place: 0,
  type,
  item: id,
  seq: 0,
})

async function undo(tx: Tx, deps: UndoDeps, session: CurrentSession, id: string): Promise<TouchedRow[]> {
  const { userId } = session
  const now = deps.clock.now()
  const owners = await admit(tx, deps, session, id)
  await lockUsersOf(tx, session, owners, now)
  if (owners.some((owner) => owner !== userId)) await leaveRoomForOwners(tx, userId)
  const operation = await q.lock(tx, id)
  if (!operation) throw operationMissing()
  const rows = await rowsOf(tx, operation)
  const tables = [...new Set(rows.map(({ table }) => table))]
  refuseScope(session, tables)
  const isOwn = owners.every((owner) => owner === userId)
  if (!isOwn) await refuseReader(tx, userId, rows)
  // Of others' records, the caller may know no more than what they were then.
  await refuseChanged(tx, operation, rows, isOwn ? undefined : id)
  await putBack(tx, { rows, actorId: userId, now })
  await finish(tx, session, id)
  return rows
}

/** Returns the owners of what the operation touched. @throws {AppError} 404, 409, 410. */
async function admit(tx: Tx, deps: UndoDeps, { userId }: CurrentSession, id: string): Promise<number[]> {
  const { historyDays } = deps.config
  const since = undoableSince(deps.clock.now(), historyDays)
  const operation = isUuid(id) ? await q.find(tx, id) : undefined
  if (!operation) throw isBefore(id, since) ? tooOld() : operationMissing()
  const owners = await plans.ownersOf(tx, id)
  if (operation.userId !== userId && !isSole(owners, userId)) throw operationMissing()
  if (!isUndoable(operation.name)) throw notUndoable()
  if (historyDays === 0 || operation.createdAt < since) throw tooOld()
  if (isUnderWay(operation, deps.clock.now())) throw stillUnderWay()
  return owners
}

const isSole = (owners: readonly number[], userId: number) =>
  owners.length > 0 && owners.every((owner) => owner === userId)

/** The rows that the operation touched. @throws {AppError} 409, 410 when there are none to put back. */
export async function rowsOf(
  tx: Tx,
  { id, name }: Pick<q.OperationRow, 'id' | 'name'>,
): Promise<TouchedRow[]> {
  const rows: TouchedRow[] = []
  for (const table of await plans.tablesTouched(tx, id))
    rows.push(...(await plans.rowsTouched(tx, id, table)))
  if (rows.length === 0) throw alwaysHasHistory(name) ? tooOld() : notUndoable()
  if ((await plans.isRenaming(tx, id)) || (await isFinalChange(tx, id))) throw notUndoable()
  return withoutAsides(rows)
}

/** @throws {AppError} 403 for somebody who may no longer write there, or of whose rows some are in a private event of somebody else. */
export async function refuseReader(tx: Tx, userId: number, rows: readonly TouchedRow[]): Promise<void> {
  const calendars = new Map((await calendarsFor(tx, userId)).map(({ id, access }) => [id, access]))
  const mayWrite = (id: number | null) => id === null || ['owner', 'write'].includes(calendars.get(id) ?? '')
  const isAllowed = rows.every(({ table, key, wasIn, isIn }) => {
    if (table === 'calendars') return mayWrite(Number(key))
    return table !== 'events' || (mayWrite(wasIn) && mayWrite(isIn))
  })
  if (!isAllowed) throw forbidden('Insufficient permissions')
  const isPrivate = await plans.areOthersPrivate(tx, userId, itemsOf(rows.filter(isOfEvent)).map(idOfItem))
  const refusal = isPrivate && refusalOfPrivate({ visibility: 'private', access: 'write' })
  if (refusal) throw refusal
}

const isOfEvent = ({ table }: TouchedRow) => rulesOf(table).type === 'event'
const idOfItem = ({ id }: ReturnType<typeof itemsOf>[number]) => id

/** @throws {AppError} 409 when something is not as the operation left it. */
async function refuseChanged(
  tx: Tx,
  { undoneBy }: q.OperationRow,
  rows: readonly TouchedRow[],
  namedBy: string | undefined,
): Promise<void> {
  const changed = undoneBy === null ? rows.filter(({ isUnchanged }) => !isUnchanged) : rows
  if (changed.length > 0) throw changedSince(await named(tx, itemsOf(changed), namedBy))
  const calendars = deletesOf(rows).filter(({ table }) => table === 'calendars')
  if (calendars.length === 0) return
  const ids = calendars.map(({ key }) => Number(key))
  if (await areShared(tx, ids)) throw changedSince(await named(tx, itemsOf(calendars)))
}

/** @throws {AppError} 409 when the undoing took more with it than the operation had brought. */
async function finish(tx: Tx, { operation }: CurrentSession, undone: string): Promise<void> {
  if (!operation) return
  const stray = itemsOf(await plans.strayRows(tx, operation.id, undone))
  if (stray.length > 0) throw changedSince(await named(tx, stray))
  await q.markUndone(tx, undone, operation.id)
}

/** The items with their titles. */
async function named(tx: Tx, items: ReturnType<typeof itemsOf>, operation?: string): Promise<NamedItem[]> {
  const first = items.slice(0, NAMED_ITEMS)
  const titles = await plans.titlesOf(
    tx,
    first.flatMap(({ type, id }) => (isTrashType(type) ? [{ type, id }] : [])),
    operation,
  )
  return first.map(({ type, id }) => ({ type, id, title: titles.get(`${type} ${id}`) ?? 'Settings' }))
}
