import type { Reader } from '../../../access/reader/service'
import { lockUserOf } from '../../../access/sessions/service'
import type { Tx } from '../../../db/client'
import type { WriteDeps } from '../../../deps'
import { notFound } from '../../../lib/errors'
import { isExpected, stale } from '../../../lib/wire/versions'
import { requireTodoList } from '../../tasks/todo-lists/service'
import { settleTodo } from '../../tasks/todo-order/service'
import { findBeside } from '../neighbours/service'
import { named, type ObjectMove, type ObjectRefusal, type PutObject } from '../sources/rules'
import { changeObject } from '../sources/service'
import * as q from './queries'
import { seenOf } from './rules'

/**
 * Moves an object to another name or list; it stays the same todo (contract: dav.collections).
 * @throws {AppError} 401, 404, 412.
 */
export const moveObject = (
  deps: WriteDeps,
  reader: Reader,
  move: ObjectMove,
): Promise<PutObject | ObjectRefusal> =>
  changeObject(deps.db, (tx) => store(tx, deps, reader, move), reader.userId)

async function store(
  tx: Tx,
  { clock }: WriteDeps,
  reader: Reader,
  { from, entry, expected, to, name, check }: ObjectMove,
): Promise<PutObject | ObjectRefusal> {
  const now = clock.now()
  const seen = seenOf(to)
  await lockUserOf(tx, reader, now)
  if (seen.kind === 'list') await requireTodoList(tx, reader.userId, seen.id)
  const held = await lock(tx, { from, entry, expected })
  const [present] = await q.named(tx, seen, [name])
  const beside = await findBeside(tx, to, { name, uid: held.uid })
  check(present ?? named(beside, name))
  if (beside) return { kind: 'uid', name: beside.name }
  const holder = await q.withUid(tx, seen, held.uid)
  const [other] = [present, holder].filter((one) => one !== undefined && one.id !== entry.id)
  if (other && present?.id !== holder?.id) return { kind: 'uid', name: other.name }
  if (other) await q.remove(tx, seen, other.id)
  const version = await q.putAt(tx, seen, entry.id, { name, now })
  await settle(tx, { from, to, now }, entry.id)
  return { object: { ...entry, name, version, updatedAt: now }, isNew: !other }
}

/** A todo that comes into another list has its place there by its number. */
async function settle(
  tx: Tx,
  { from, to, now }: Pick<ObjectMove, 'from' | 'to'> & { readonly now: Date },
  id: number,
): Promise<void> {
  const [before, after] = [seenOf(from), seenOf(to)]
  if (after.kind === 'list' && after.id !== before.id) await settleTodo(tx, id, now)
}

/** The object, while it is where the client saw it. @throws {AppError} 404, 412. */
async function lock(tx: Tx, { from, entry, expected }: Pick<ObjectMove, 'from' | 'entry' | 'expected'>) {
  const seen = seenOf(from)
  const held = await q.lock(tx, seen, entry.id)
  const [still] = await q.named(tx, seen, [entry.name])
  if (!held || still?.id !== entry.id) throw notFound('Todo')
  if (!isExpected(held.version, expected)) throw stale()
  return held
}
