import type { Tx } from '../../../db/client'
import { rankBeside } from '../../../db/ordering'
import { isBefore, isWholeOrder, movedIn, type Rank, ranksFor } from '../../../lib/ordering'
import * as q from './queries'
import { fits, numberAt, numbersFor, renumbered } from './rules'

/** A todo that gets a place by JSON; its rank says where. */
interface Arrival {
  readonly userId: number
  /** Null for the default list. */
  readonly listId: number | null
  readonly id: number | undefined
  readonly rank: Rank
  /** The number that it has; undefined for a new one. */
  readonly number: number | undefined
  /** Whether its own number will do where others have the same. */
  readonly mayTie: boolean
}

/**
 * Returns the number that a todo gets at its new place, and gives others of its list new ones where there is no room (contract:
 * todos.order). Undefined when its own fits. The user is locked.
 */
export async function numberAtRank(
  tx: Tx,
  { userId, listId, id = 0, rank, number, mayTie }: Arrival,
  now: Date,
): Promise<number | undefined> {
  const list = listId ?? (await q.defaultListOf(tx, userId))
  const neighbours = await q.around(tx, { listId: list, id }, rank)
  if (number !== undefined && fits(number, neighbours, mayTie)) return undefined
  const given = numbersFor([{ id, number: number ?? 0 }], neighbours, numberAt(now))
  await q.writePlaces(
    tx,
    given.filter((one) => one.id !== id),
    now,
  )
  return given.find((one) => one.id === id)?.number
}

/**
 * Puts the todos of the user into the order of `ids`, with the numbers that follow from it in each list (contract: todos.order).
 * Returns false for an order that is not exactly of these todos. The user is locked.
 */
export async function reorder(tx: Tx, userId: number, ids: readonly number[], now: Date): Promise<boolean> {
  const rows = await q.allOf(tx, userId)
  if (!isWholeOrder(ids, rows.map(toId))) return false
  const numbers = numbersAfter(rows, ids, now)
  const ranks = new Map(ranksFor(rows, ids).map(({ id, rank }) => [id, rank]))
  const changed = [...new Set([...ranks.keys(), ...numbers.keys()])]
  await q.writePlaces(
    tx,
    changed.map((id) => ({ id, rank: ranks.get(id), number: numbers.get(id) })),
    now,
  )
  return true
}

/** The numbers that change, list by list. */
function numbersAfter(
  rows: Awaited<ReturnType<typeof q.allOf>>,
  ids: readonly number[],
  now: Date,
): ReadonlyMap<number, number> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const before = Map.groupBy(rows, ({ listId }) => listId)
  const after = Map.groupBy(
    ids.flatMap((id) => byId.get(id) ?? []),
    ({ listId }) => listId,
  )
  return new Map(
    [...after].flatMap(([listId, list]) => {
      const moved = movedIn((before.get(listId) ?? []).map(toId), list.map(toId))
      return moved.size === 0 ? [] : [...renumbered(list, moved, numberAt(now))]
    }),
  )
}

const toId = ({ id }: { readonly id: number }) => id

/** A todo whose number says where it is in its list. */
interface NumberedTodo {
  readonly userId: number
  readonly listId: number
  readonly number: number
  /** Undefined for a new one. */
  readonly present: { readonly id: number; readonly rank: Rank } | undefined
}

/**
 * Returns the rank of the todo between those of its list whose numbers say so (contract: todos.order). Undefined when it is there, or
 * at the end. The user is locked.
 */
export async function rankByNumber(
  tx: Tx,
  { userId, listId, number, present }: NumberedTodo,
): Promise<Rank | undefined> {
  const { last, next } = await q.beside(tx, { listId, id: present?.id }, number)
  if (!present && !next) return undefined
  if (present && isAfter(present, last) && isAfter(next, present)) return undefined
  const beside = besideOf(last, next)
  return beside && rankBeside(tx, q.orderOf(userId), beside, present?.id)
}

function besideOf(last: { readonly id: number } | undefined, next: { readonly id: number } | undefined) {
  if (last) return { id: last.id, side: 'after' } as const
  return next && ({ id: next.id, side: 'before' } as const)
}

/** Whether two todos are in this order; one that is not there is no hindrance. */
const isAfter = (one: { readonly rank: Rank } | undefined, other: { readonly rank: Rank } | undefined) =>
  one === undefined || other === undefined || isBefore(other.rank, one.rank)

/** Moves a todo that came into another list to the place there that its number says. The user is locked. */
export async function settleTodo(tx: Tx, id: number, now: Date): Promise<void> {
  const todo = await q.find(tx, id)
  const rank = todo && (await rankByNumber(tx, { ...todo, present: todo }))
  if (rank !== undefined) await q.writePlaces(tx, [{ id, rank }], now)
}
