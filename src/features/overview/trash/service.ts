import type { Tx } from '../../../db/client'
import { leaveRoomForOwners } from '../../../db/quotas'
import { inSnapshot, inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps } from '../../../deps'
import { keptSince } from '../../../access/history/service'
import { asOneOperation } from '../../../access/operations/service'
import { type CurrentSession, lockUserOf, lockUsersOf } from '../../../access/sessions/service'
import { insufficientScope } from '../../../lib/access-tokens'
import { forbidden } from '../../../lib/errors'
import { readPage, toPage } from '../../../lib/wire/page'
import { addDays, formatInstant } from '../../../lib/time/time'
import { readItems } from '../changes/service.items'
import { itemsOf, refuseScope } from '../operations/rules'
import {
  IN_ORDER,
  isTrashType,
  mayWriteIn,
  readableTables,
  rulesOf,
  type TableName,
  tableOf,
  TRASH_TYPES,
  type TrashType,
} from '../../../lib/history-tables'
import { refuseReader, rowsOf } from '../operations/service'
import { deletedWith, putBack, relink } from '../operations/service.restore'
import type { RestoredView, TrashItemView, TrashPage, TrashQuery } from './model'
import * as q from './queries'
import * as removal from './queries.forget'
import { isTrashKey, readEntry, trashItemMissing } from './rules'

type TrashDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** The tables of what the caller may find in the trash. */
function tablesFor(session: CurrentSession, type?: TrashType): TableName[] {
  const readable = new Set(readableTables(session))
  const types = type === undefined ? TRASH_TYPES : [type]
  return types.map(tableOf).filter((table) => readable.has(table))
}

/**
 * Returns a page of what was deleted from the caller's own things, and by the caller from calendars in which they may write, newest
 * first (contract: undo.trash).
 * @throws {AppError} 422 for a cursor of another list.
 */
export async function listTrash(
  deps: TrashDeps,
  session: CurrentSession,
  { type, ...query }: TrashQuery,
): Promise<TrashPage> {
  const { limit, after } = readPage(query, isTrashKey)
  const rows = await q.list(deps.db, {
    userId: session.userId,
    tables: tablesFor(session, type),
    since: keptSince(deps),
    after: after?.[0],
    limit: limit + 1,
  })
  const { page, next_cursor } = toPage(rows, limit, ({ id }) => [id])
  return { items: page.map((row) => toView(deps, row)), next_cursor }
}

function toView({ config }: ReadDeps, row: q.TrashRow): TrashItemView {
  const deletedAt = new Date(row.deletedAt)
  return {
    id: row.id,
    type: row.type,
    title: row.title,
    parent_id: row.parentId,
    contains: row.contains,
    deleted_at: formatInstant(config.timeZone, deletedAt),
    deleted_by: row.deletedBy,
    operation_id: row.operation,
    expires_at: formatInstant(config.timeZone, addDays(deletedAt, config.historyDays)),
  }
}

/** @throws {AppError} 404. */
async function find(tx: Tx, deps: TrashDeps, session: CurrentSession, id: number): Promise<q.TrashRow> {
  const { userId } = session
  const since = keptSince(deps)
  const [row] = await q.list(tx, { userId, tables: tablesFor(session), since, id, limit: 1 })
  if (!row) throw trashItemMissing()
  return row
}

/**
 * Brings back a deleted item with all that was in it, under the same ids, as an operation of its own.
 * @throws {AppError} 404, 403, 409 when what it was in is gone, or its UID is in use.
 */
export async function restoreTrashItem(
  deps: TrashDeps,
  session: CurrentSession,
  segment: string,
): Promise<RestoredView> {
  const entry = readEntry(segment)
  const restored = await inTransaction(deps.db, (tx) => restore(tx, deps, session, entry), session.userId)
  return viewRestored(deps, session, restored)
}

/** Reads what restoring the item with this id has answered, as it is now. @throws {AppError} 404. */
export async function readRestored(
  deps: TrashDeps,
  session: CurrentSession,
  operation: string,
  id: number,
): Promise<RestoredView> {
  const rows = await inSnapshot(deps.db, (tx) => rowsOf(tx, { id: operation, name: 'restoreTrashItem' }))
  const restored = itemsOf(rows).find((item) => item.id === id)
  if (!restored || !isTrashType(restored.type)) throw trashItemMissing()
  return viewRestored(deps, session, { type: restored.type, id })
}

/** @throws {AppError} 404. */
async function viewRestored(
  deps: TrashDeps,
  session: CurrentSession,
  { type, id }: { readonly type: TrashType; readonly id: number },
): Promise<RestoredView> {
  const [change] = await readItems(deps, session, [{ place: 0, type, item: id, seq: 0 }], () => true)
  const view = { type, id, item: change?.item }
  if (!isRestored(view)) throw trashItemMissing()
  return view
}

/** Whether the item was read, whose view is that of its type. */
const isRestored = (view: { type: TrashType; id: number; item: unknown }): view is RestoredView =>
  view.item != null

async function restore(tx: Tx, deps: TrashDeps, session: CurrentSession, id: number) {
  const { userId } = session
  const now = deps.clock.now()
  const { ownerId } = await find(tx, deps, session, id)
  await lockUsersOf(tx, session, [ownerId], now)
  if (ownerId !== userId) await leaveRoomForOwners(tx, userId)
  const found = await find(tx, deps, session, id)
  const rows = await deletedWith(tx, found)
  refuseScope(session, [found.table])
  if (ownerId !== userId) await refuseReader(tx, userId, rows)
  await putBack(tx, { rows, actorId: userId, now })
  if (found.table === 'calendars') await relink(tx, found, now)
  return { type: found.type, id: Number(found.key) }
}

/** Deletes an item of the caller's for good. @throws {AppError} 404, 403 for something in somebody else's calendar. */
export const deleteTrashItem = async (
  deps: TrashDeps,
  session: CurrentSession,
  segment: string,
): Promise<void> => {
  const id = readEntry(segment)
  await inTransaction(deps.db, async (tx) => {
    await lockUserOf(tx, session, deps.clock.now())
    const found = await find(tx, deps, session, id)
    refuseScope(session, [found.table])
    if (found.ownerId !== session.userId) throw forbidden('Insufficient permissions')
    await forget(tx, session.userId, [found])
  })
}

/** The entries that one transaction deletes, with the others of their operations, so that other requests wait only briefly. */
const BATCH = 5000

/**
 * Deletes for good everything in the trash that was the caller's, in several transactions: after an interruption, repeating it
 * deletes the rest. An access token empties the areas that it may write.
 */
export const emptyTrash = async (deps: TrashDeps, session: CurrentSession): Promise<void> => {
  const tables = tablesFor(session).filter((table) => mayWriteIn(session, table))
  if (tables.length === 0) throw insufficientScope()
  await asOneOperation(deps, session.operation, async () => {
    for (let isEmpty = false; !isEmpty;) {
      isEmpty = await inTransaction(deps.db, (tx) => emptySome(tx, deps, session, tables))
    }
  })
}

/** Returns whether nothing is left. */
async function emptySome(
  tx: Tx,
  { clock }: TrashDeps,
  session: CurrentSession,
  tables: readonly TableName[],
): Promise<boolean> {
  await lockUserOf(tx, session, clock.now())
  const entries = await q.ownEntries(tx, { userId: session.userId, tables, limit: BATCH })
  await forget(tx, session.userId, entries)
  return entries.length < BATCH
}

/** Forgets the user's items with all that was ever in them and is gone. */
async function forget(
  tx: Tx,
  userId: number,
  roots: ReadonlyArray<Pick<q.TrashRow, 'table' | 'key'>>,
): Promise<void> {
  const gone = new Map<TableName, Set<string>>()
  const add = (table: TableName, keys: readonly string[]) =>
    gone.set(table, (gone.get(table) ?? new Set()).union(new Set(keys)))
  for (const { table, key } of roots) add(table, [key])
  for (const table of IN_ORDER) {
    for (const parent of rulesOf(table).within ?? []) {
      const keys = [...(gone.get(parent.to) ?? [])]
      if (keys.length > 0) add(table, await removal.keysWithin(tx, { table, parent, keys, ownerId: userId }))
    }
  }
  for (const [table, keys] of gone) await removal.forget(tx, table, [...keys])
}
