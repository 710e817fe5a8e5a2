import type { Tx } from '../../../db/client'
import { rankBetween } from '../../../lib/ordering'
import { cut } from '../../../lib/text'
import { announceRemoval, announceReturn } from '../../events/announcements/service'
import * as plans from './queries.plan'
import * as q from './queries.restore'
import * as taken from './queries.taken'
import { deletesOf, insertsOf, movedEvents, parentGone, type TouchedRow, uidTaken, updatesOf } from './rules'
import { IN_ORDER, isReplaceable, rulesOf, type TableName, WORDS } from '../../../lib/history-tables'

interface PuttingBack {
  readonly rows: readonly TouchedRow[]
  readonly actorId: number
  readonly now: Date
}

/**
 * Makes the rows as they were, under their former ids and with higher versions than they ever had (contract: undo.restoring). The
 * owners are locked. Guests of events to come hear that these take place at other times, or no longer.
 * @throws {AppError} 409 when something that a row was in is gone, or another record has its UID.
 */
export async function putBack(tx: Tx, { rows, actorId, now }: PuttingBack): Promise<void> {
  const byTable = Map.groupBy(rows, ({ table }) => table)
  const steps = IN_ORDER.flatMap((table) => {
    const touched = byTable.get(table)
    return touched ? [{ table, touched, now }] : []
  })
  await refuseWithoutParents(tx, rows)
  for (const { table, touched } of steps) {
    await q.release(tx, table, historyIdsOf(touched))
  }
  for (const step of steps) await write(tx, step)
  await announceReturn(tx, { eventIds: movedEvents(rows), actorId, now })
  const gone = deletesOf(rows).filter(({ table }) => table === 'events')
  await announceRemoval(tx, { eventIds: gone.map(({ key }) => Number(key)), actorId, now })
  for (const { table, touched } of steps) {
    for (const some of portionsOf(deletesOf(touched))) {
      await q.deleteAll(
        tx,
        table,
        some.map(({ key }) => key),
      )
    }
  }
}

const historyIdsOf = (rows: readonly TouchedRow[]) => rows.map(({ historyId }) => historyId)

interface Step {
  readonly table: TableName
  readonly touched: readonly TouchedRow[]
  readonly now: Date
}

/** Inserts and updates the rows of one table. */
async function write(tx: Tx, { table, touched, now }: Step): Promise<void> {
  const [inserts, updates] = [insertsOf(touched), updatesOf(touched)]
  const historyIds = historyIdsOf([...inserts, ...updates])
  if (historyIds.length === 0) return
  if (table === 'occurrence_responses') {
    await q.holdCounts(
      tx,
      inserts.map(({ key }) => key),
    )
  }
  const patches = await patchesOf(tx, { table, touched, historyIds })
  const columns = await q.columnsOf(tx, table)
  const restored = { table, columns, patches, now }
  for (const some of portionsOf(updates))
    await q.updateAll(tx, { ...restored, historyIds: historyIdsOf(some) })
  for (const some of portionsOf(inserts))
    await q.insertAll(tx, { ...restored, historyIds: historyIdsOf(some) })
}

/** Rows that one statement writes. */
const PORTION = 2500

/** The rows in portions that end within the time-out of a statement; tasks come before their subtasks. */
function portionsOf(rows: readonly TouchedRow[]): TouchedRow[][] {
  const sorted = rows.toSorted(
    (one, other) => Number(one.wasUnder !== null) - Number(other.wasUnder !== null),
  )
  return Array.from({ length: Math.ceil(rows.length / PORTION) }, (_, at) =>
    sorted.slice(at * PORTION, (at + 1) * PORTION),
  )
}

type Patches = Map<number, Readonly<Record<string, unknown>>>

interface Returned extends Pick<Step, 'table' | 'touched'> {
  readonly historyIds: readonly number[]
}

/** What the rows cannot have back: another has it meanwhile. @throws {AppError} 409. */
async function patchesOf(tx: Tx, { table, touched, historyIds }: Returned): Promise<Patches> {
  const { list, named, uid } = rulesOf(table)
  if (!list && !named && !uid) return new Map()
  const returning = { table, historyIds, touchedIds: touched.map(({ key }) => Number(key)) }
  if (uid && (await taken.isUidTaken(tx, returning))) throw uidTaken()
  const names: Patches = named ? await freeNames(tx, returning) : new Map()
  const ranks: Patches = list ? await freeRanks(tx, returning) : new Map()
  return new Map([...names.keys(), ...ranks.keys()].map((id) => [id, { ...names.get(id), ...ranks.get(id) }]))
}

const MAX_NAME = 100

/** A taken name gets ` (2)`, or the next number that is free. */
async function freeNames(tx: Tx, returning: taken.Returning): Promise<Patches> {
  const patches: Patches = new Map()
  for (const { historyId, userId, name } of await taken.takenNames(tx, returning)) {
    const stem = cut(name, MAX_NAME - 6)
    const known = new Set(await taken.namesLike(tx, returning.table, userId, stem))
    let number = 2
    while (known.has(`${stem} (${number})`)) number++
    patches.set(historyId, { name: `${stem} (${number})` })
  }
  return patches
}

/** A taken place becomes the next one. */
async function freeRanks(tx: Tx, returning: taken.Returning): Promise<Patches> {
  const patches: Patches = new Map()
  for (const { historyId, rank, next } of await taken.takenRanks(tx, returning)) {
    patches.set(historyId, { rank: rankBetween(rank, next) })
  }
  return patches
}

/** @throws {AppError} 409 when what a row was in is not there, and does not come back with it. */
async function refuseWithoutParents(tx: Tx, rows: readonly TouchedRow[]): Promise<void> {
  const returning = new Set(insertsOf(rows).map(({ table, key }) => `${table} ${key}`))
  const wanted = new Map<TableName, Set<number>>()
  for (const row of rows) {
    for (const [table, id] of parentsOf(row)) {
      if (returning.has(`${table} ${id}`)) continue
      wanted.set(table, (wanted.get(table) ?? new Set()).add(id))
    }
  }
  for (const [table, ids] of wanted) {
    const missing = await taken.missingIds(tx, table, [...ids])
    const needed = isReplaceable(table) ? await taken.idsInTrash(tx, table, missing) : missing
    if (needed.length > 0) throw parentGone(table)
  }
}

/** What a row that comes back must be in; an answer, and its invitation, come back only where they may. */
function parentsOf({ table, was, wasIn, wasUnder }: TouchedRow): Array<readonly [TableName, number]> {
  if (!was) return []
  const { within = [] } = rulesOf(table)
  return within.flatMap(({ to }, place) => {
    const id = place === 0 ? wasIn : wasUnder
    return id === null || (WORDS[to] === undefined && to !== 'events') ? [] : [[to, id] as const]
  })
}

/** A row, and the operation that deleted it. */
interface Deleted extends Pick<TouchedRow, 'table' | 'key'> {
  readonly operation: string
}

/** The rows that were deleted with the item, and its own; no others of their operation are read. */
export async function deletedWith(tx: Tx, { operation, table: top, key }: Deleted): Promise<TouchedRow[]> {
  const gone = new Map<TableName, readonly string[]>([[top, [key]]])
  const rows: TouchedRow[] = []
  for (const table of IN_ORDER) {
    const keys = gone.get(table) ?? []
    const within = (rulesOf(table).within ?? []).map(({ column, to }) => ({
      column,
      ids: gone.get(to) ?? [],
    }))
    if (keys.length === 0 && within.every(({ ids }) => ids.length === 0)) continue
    const touched = await plans.rowsTouched(tx, operation, table, { keys, within })
    const deleted = touched.filter(({ was, is }) => was && !is)
    gone.set(
      table,
      deleted.map((row) => row.key),
    )
    rows.push(...deleted)
  }
  return rows
}

/** Makes what named a calendar before its deletion name it again, where it still may. */
export async function relink(tx: Tx, { operation, key }: Deleted, now: Date): Promise<void> {
  for (const table of IN_ORDER) {
    if (rulesOf(table).link?.to === 'calendars') await q.relink(tx, table, { operation, key, now })
  }
}
