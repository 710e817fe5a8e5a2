import { deleteEvent } from '../../events/series/service'
import { isComponent, printText, splitText, type TextPart } from '../../../lib/icalendar/tree'
import { textsOf } from '../../calendars/event-files/service'
import type { Collection } from '../collections/rules'
import type { ObjectJournal, ObjectSource } from '../sources/service'
import * as q from './queries'
import { putObject } from './service.put'

const seenOf = ({ id, isOthers }: Collection) => ({ id, isOthers })

/** Alarms are the owner's, and of those who may write (contract: dav.privileges). */
const withoutAlarms = (text: string) => printText(splitText(text).flatMap(withoutAlarm))

const withoutAlarm = (part: TextPart): TextPart[] => {
  if (!isComponent(part)) return [part]
  return part.name === 'VALARM' ? [] : [{ ...part, parts: part.parts.flatMap(withoutAlarm) }]
}

const readObjects: ObjectSource['read'] = async (deps, { access, isOthers, readerId }, entries) => {
  const texts = await textsOf(
    deps,
    deps.db,
    entries.map(({ id }) => id),
    { access: isOthers ? access : 'owner', readerId },
  )
  return entries.flatMap((entry) => {
    const text = texts.get(entry.id)
    return text === undefined
      ? []
      : { ...entry, text: isOthers && access === 'read' ? withoutAlarms(text) : text }
  })
}

/** The journal of the events of a calendar. */
export const eventJournal = (collection: Collection): ObjectJournal => {
  const seen = seenOf(collection)
  return {
    collection,
    changedSince: (tx, place, most) => q.changedSince(tx, seen, place, most),
    named: (tx, names) => q.named(tx, seen, names),
  }
}

/** The events of calendars, as far as invitations have no part in it. */
export const eventObjects: Omit<ObjectSource, 'follow' | 'move'> = {
  list: (db, collection, span) =>
    span ? q.listBetween(db, seenOf(collection), span) : q.list(db, seenOf(collection)),
  find: (db, collection, names) => q.named(db, seenOf(collection), names),
  read: readObjects,
  put: putObject,
  // Those who are invited are told.
  remove: (deps, reader, { id }, expected) => deleteEvent(deps, reader, { id, expected }),
}
