import type { Tx } from '../../../db/client'
import { deleteEvent } from '../../events/series/service'
import { isComponent, printText, splitText, type TextPart } from '../../../lib/icalendar/tree'
import { textsOf } from '../../calendars/event-files/service'
import type { Collection } from '../collections/rules'
import { followJournal, type ObjectSource } from '../sources/service'
import * as q from './queries'
import { moveObject } from './service.move'
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

const followObjects: ObjectSource['follow'] = (db, collection, since, limit) => {
  const seen = seenOf(collection)
  const journal = {
    last: collection.place,
    floorOf: (tx: Tx) => q.floorOf(tx, seen.id),
    changedSince: (tx: Tx, place: number, most: number) => q.changedSince(tx, seen, place, most),
    present: (tx: Tx, names: readonly string[]) => q.present(tx, seen, names),
  }
  return followJournal(db, journal, since, limit)
}

/** The events of calendars. */
export const eventObjects: ObjectSource = {
  list: (db, collection, span) =>
    span ? q.listBetween(db, seenOf(collection), span) : q.list(db, seenOf(collection)),
  find: (db, collection, names) => q.named(db, seenOf(collection), names),
  read: readObjects,
  follow: followObjects,
  put: putObject,
  // Those who are invited are told.
  remove: (deps, reader, { id }, expected) => deleteEvent(deps, reader, { id, expected }),
  move: moveObject,
}
