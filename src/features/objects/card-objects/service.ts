import { lockUserOf, type SessionKey } from '../../../access/sessions/service'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { notFound } from '../../../lib/errors'
import { isExpected, stale, type Target } from '../../../lib/wire/versions'
import { deletePerson } from '../../people/people/service'
import { cardsOf, removeCard } from '../../people/vcards/service.cards'
import type { ObjectEntry } from '../sources/rules'
import type { ObjectSource } from '../sources/service'
import * as q from './queries'
import { moveObject } from './service.move'
import { putCard } from './service.put'

const idsOf = (entries: readonly ObjectEntry[], kind: ObjectEntry['kind']) =>
  entries.flatMap((entry) => (entry.kind === kind ? entry.id : []))

const readCards: ObjectSource['read'] = async ({ db }, { ownerId }, entries, version) => {
  const ids = { people: idsOf(entries, 'person'), groups: idsOf(entries, 'group') }
  const cards = await cardsOf(db, ownerId, ids, version ?? 'kept')
  const byKey = new Map(cards.map((card) => [`${card.kind} ${card.id}`, card]))
  return entries.flatMap((entry) => {
    const card = byKey.get(`${entry.kind} ${entry.id}`)
    return card ? { ...entry, version: card.version, updatedAt: card.updatedAt, text: card.text } : []
  })
}

const deleteGroup = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  { id, expected }: Target,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockUserOf(tx, session, clock.now())
    const group = await q.findEntry(tx, session.userId, { kind: 'group', id })
    if (!group) throw notFound('Group')
    if (!isExpected(group.version, expected)) throw stale()
    await removeCard(tx, session.userId, group)
  })

/** The people of address books, and their groups (contract: dav.cards). */
export const cardObjects: ObjectSource = {
  list: (db, collection) => q.list(db, collection),
  find: (db, collection, names) => q.named(db, collection, names),
  read: readCards,
  journals: (collection) => [
    {
      part: { ...collection, kind: 'book' },
      changedSince: (tx, place, most) => q.changedSince(tx, collection, place, most),
      named: (tx, names) => q.named(tx, collection, names),
    },
  ],
  put: putCard,
  remove: (deps, reader, { kind, id }, expected) =>
    kind === 'group'
      ? deleteGroup(deps, reader, { id, expected })
      : deletePerson(deps, reader, { id, expected }),
  move: moveObject,
}
