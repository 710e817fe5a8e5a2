import { deleteEvent } from '../../events/series/service'
import type { Collection } from '../collections/rules'
import type { ObjectJournal, ObjectSource } from '../sources/service'
import * as q from './queries'
import { putAsMember } from './service.members'
import { putObject } from './service.put'
import { readTexts } from './service.reading'

/** The journal of the events of a calendar. */
export const eventJournal = (collection: Collection): ObjectJournal => ({
  part: { ...collection, kind: 'calendar' },
  changedSince: (tx, place, most) => q.changedSince(tx, collection, place, most),
  named: (tx, names) => q.named(tx, collection, names),
})

/** The events of calendars, as far as invitations have no part in it. */
export const eventObjects: Omit<ObjectSource, 'journals' | 'move'> = {
  list: (db, collection, span) => (span ? q.listBetween(db, collection, span) : q.list(db, collection)),
  find: (db, collection, names) => q.named(db, collection, names),
  read: readTexts,
  put: (deps, reader, given) =>
    given.collection.isOthers ? putAsMember(deps, reader, given) : putObject(deps, reader, given),
  // Those who are invited are told.
  remove: (deps, reader, { id }, expected) => deleteEvent(deps, reader, { id, expected }),
}
