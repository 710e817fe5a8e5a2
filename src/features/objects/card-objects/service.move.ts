import type { Reader } from '../../../access/reader/service'
import { lockUserOf } from '../../../access/sessions/service'
import type { Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import { notFound } from '../../../lib/errors'
import { isExpected, stale } from '../../../lib/wire/versions'
import { requireAddressBook } from '../../people/address-books/service'
import { moveCard, removeCard } from '../../people/vcards/service.cards'
import type { ObjectMove, ObjectRefusal, PutObject } from '../sources/rules'
import { changeObject } from '../sources/service'
import * as q from './queries'
import { isSame } from './rules'

type MoveDeps = Pick<Deps, 'db' | 'clock'>

/**
 * Moves a card to another name or address book; it stays the same person or group (contract: dav.collections).
 * @throws {AppError} 401, 404, 412.
 */
export const moveObject = (
  deps: MoveDeps,
  reader: Reader,
  move: ObjectMove,
): Promise<PutObject | ObjectRefusal> =>
  changeObject(deps.db, (tx) => store(tx, deps, reader, move), reader.userId)

async function store(
  tx: Tx,
  { clock }: MoveDeps,
  reader: Reader,
  { from, entry, expected, to, name, check }: ObjectMove,
): Promise<PutObject | ObjectRefusal> {
  const { userId } = reader
  const now = clock.now()
  await lockUserOf(tx, reader, now)
  await requireAddressBook(tx, userId, to.id)
  const held = await lookUp(tx, userId, { from, entry, expected })
  const [present] = await q.named(tx, to, [name])
  check(present)
  const holder = await q.withUid(tx, to, held.uid)
  const [other] = [present, holder].filter((one) => one !== undefined && !isSame(one, held))
  if (other && !(present && holder && isSame(present, holder))) return { kind: 'uid', name: other.name }
  if (other) await removeCard(tx, userId, other)
  const moved = await moveCard(tx, userId, held, { bookId: to.id, name, now })
  if (!moved) throw notFound('Card')
  return {
    object: { kind: held.kind, id: held.id, version: moved.version, name, updatedAt: now },
    isNew: !other,
  }
}

/** The card, while it is where the client saw it. @throws {AppError} 404, 412. */
async function lookUp(
  tx: Tx,
  userId: number,
  { from, entry, expected }: Pick<ObjectMove, 'from' | 'entry' | 'expected'>,
) {
  const { kind, id } = entry
  const held = kind === 'person' || kind === 'group' ? await q.findEntry(tx, userId, { kind, id }) : undefined
  const [still] = await q.named(tx, from, [entry.name])
  if (!held || !still || !isSame(still, held)) throw notFound('Card')
  if (!isExpected(held.version, expected)) throw stale()
  return held
}
