import type { Db, Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import { uidIn } from '../../calendars/event-files/service'
import type { Collection } from '../collections/rules'
import { eventJournal, eventObjects } from '../event-objects/service'
import { moveObject } from '../event-objects/service.move'
import {
  findInvitations,
  invitationsSince,
  invitationWithUid,
  listInvitations,
  readInvitations,
} from '../invitation-objects/service'
import { declineInvitation, moveInvitation, putInvitation } from '../invitation-objects/service.changes'
import { reservedName } from '../neighbours/service'
import { isReservedName, type ObjectEntry, type ObjectText } from '../sources/rules'
import type { ObjectJournal, ObjectSource } from '../sources/service'

/** Invitations are in calendars of the invitee's own, for nobody else. */
const findShown = async (
  db: Db | Tx,
  { id, isOthers }: Collection,
  names: readonly string[],
): Promise<ObjectEntry[]> => (isOthers ? [] : findInvitations(db, id, names))

const isInvitation = ({ kind }: ObjectEntry) => kind === 'invitation'

/** Events and invitations, each in its own journal of one scope. */
function journalOf(collection: Collection): ObjectJournal {
  const events = eventJournal(collection)
  if (collection.isOthers) return events
  return {
    ...events,
    changedSince: async (tx, place, most) =>
      [
        ...(await events.changedSince(tx, place, most)),
        ...(await invitationsSince(tx, collection.id, place, most)),
      ]
        .toSorted((a, b) => a.seq - b.seq)
        .slice(0, most),
    named: async (tx, names) => [
      ...(await events.named(tx, names)),
      ...(await findShown(tx, collection, names)),
    ],
  }
}

/** Why a new object cannot be there because of an invitation. @throws {AppError} 403 for a name that others have. */
async function obstacleIn(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  collection: Collection,
  { name, text }: Pick<ObjectText, 'name' | 'text'>,
) {
  if (isReservedName(name) && (await eventObjects.find(db, collection, [name])).length === 0)
    throw reservedName()
  if (collection.isOthers) return undefined
  const uid = await uidIn({ clock }, text)
  return uid === undefined ? undefined : invitationWithUid(db, collection.id, uid)
}

/** The events of a calendar, and the invitations that it shows its owner. */
export const calendarObjects: ObjectSource = {
  list: async (db, collection, span) => [
    ...(await eventObjects.list(db, collection, span)),
    ...(collection.isOthers ? [] : await listInvitations(db, collection.id)),
  ],
  find: async (db, collection, names) => [
    ...(await eventObjects.find(db, collection, names)),
    ...(await findShown(db, collection, names)),
  ],
  read: async (deps, collection, entries) => {
    const shown = entries.filter(isInvitation)
    if (shown.length === 0) return eventObjects.read(deps, collection, entries)
    const others = entries.filter((entry) => !isInvitation(entry))
    const read = [
      ...(await eventObjects.read(deps, collection, others)),
      ...(await readInvitations(deps, shown)),
    ]
    const byName = new Map(read.map((one) => [one.name, one]))
    return entries.flatMap(({ name }) => byName.get(name) ?? [])
  },
  journals: (collection) => [journalOf(collection)],
  put: async (deps, reader, given) => {
    const [shown] = await findShown(deps.db, given.collection, [given.name])
    if (shown) return putInvitation(deps, reader, given, shown)
    const other = await obstacleIn(deps, given.collection, given)
    return other ? { kind: 'uid', name: other.name } : eventObjects.put(deps, reader, given)
  },
  remove: (deps, reader, entry, expected) =>
    isInvitation(entry)
      ? declineInvitation(deps, reader, entry, expected)
      : eventObjects.remove(deps, reader, entry, expected),
  move: async (deps, reader, move) => {
    if (isInvitation(move.entry)) return moveInvitation(deps, reader, move)
    if (isReservedName(move.name)) throw reservedName()
    return moveObject(deps, reader, move)
  },
}
