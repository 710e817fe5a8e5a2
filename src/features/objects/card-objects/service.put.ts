import { type Reader, todayOf } from '../../../access/reader/service'
import { lockUserOf } from '../../../access/sessions/service'
import type { Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import { notFound } from '../../../lib/errors'
import { requireAddressBook } from '../../people/address-books/service'
import { type Card, readCard } from '../../people/vcards/rules.reading'
import { cardsOf, knownAs, writeCard } from '../../people/vcards/service.cards'
import type { GivenObject, ObjectRefusal, PutObject } from '../sources/rules'
import { changeObject } from '../sources/service'
import * as q from './queries'
import { isSame } from './rules'

/**
 * Creates or replaces a card (contract: dav.cards). The text is kept as it is; the same text changes nothing.
 * @throws {AppError} 401, 404, 409 for too many people.
 */
export async function putCard(
  deps: Deps,
  reader: Reader,
  given: GivenObject,
): Promise<PutObject | ObjectRefusal> {
  const { card } = readCard(given.text)
  if (!card) return { kind: 'data' }
  if (card.version === '2.1') return { kind: 'version' }
  return changeObject(deps.db, (tx) => store(tx, deps, reader, { ...given, card }), reader.userId)
}

interface ReadCard extends GivenObject {
  readonly card: Card
}

async function store(
  tx: Tx,
  deps: Deps,
  reader: Reader,
  { collection, name, card, check }: ReadCard,
): Promise<PutObject | ObjectRefusal> {
  const { userId } = reader
  const now = deps.clock.now()
  await lockUserOf(tx, reader, now)
  await requireAddressBook(tx, userId, collection.id)
  const [present] = await q.named(tx, collection, [name])
  check(present)
  const refusal = await conflictOf(tx, userId, { collection, card, present })
  if (refusal) return refusal
  const written = await writeCard(tx, {
    userId,
    card,
    target: present,
    bookId: collection.id,
    name,
    now,
    today: todayOf(deps, reader.owner),
  })
  if (!written) throw notFound('Card')
  const { kind, id, version } = written
  return { object: { kind, id, version, name, updatedAt: now }, isNew: !present }
}

interface Placed extends Pick<ReadCard, 'collection' | 'card'> {
  readonly present: q.CardEntry | undefined
}

/** Who else in the address book has the UID; or what has the name, when it has another UID. */
async function conflictOf(tx: Tx, userId: number, placed: Placed): Promise<ObjectRefusal | undefined> {
  const { collection, card, present } = placed
  if (card.uid === null) return undefined
  const uid = await knownAs(card.uid)
  const holder = await q.withUid(tx, collection, uid)
  if (holder) return present && isSame(present, holder) ? undefined : { kind: 'uid', name: holder.name }
  const own = present && (await ownUidOf(tx, userId, present))
  if (!present || own === null || own === uid) return undefined
  return { kind: 'uid', name: present.name }
}

/** The UID that a card says it has; null for one that came without. */
async function ownUidOf(tx: Tx, userId: number, { kind, id }: q.CardEntry): Promise<string | null> {
  const ids = kind === 'person' ? { people: [id], groups: [] } : { people: [], groups: [id] }
  const [stored] = await cardsOf(tx, userId, ids, 'kept')
  const uid = stored ? (readCard(stored.text).card?.uid ?? null) : null
  return uid === null ? null : knownAs(uid)
}
