import type { Db } from '../../../db/client'
import { inSnapshot } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import type { Reader } from '../../../access/reader/service'
import { deleteEvent } from '../../events/series/service'
import type { Target } from '../../../lib/wire/versions'
import { isComponent, printText, splitText, type TextPart } from '../../../lib/icalendar/tree'
import { textsOf } from '../../calendars/event-files/service'
import type { Collection } from '../collections/rules'
import * as q from './queries'

type TextDeps = Pick<Deps, 'db' | 'calendarFiles' | 'clock'>

/** What a collection says of an object without its text. */
export type ObjectEntry = q.ObjectRow

export interface ObjectText extends ObjectEntry {
  readonly text: string
}

const seenOf = ({ id, isOthers }: Collection) => ({ id, isOthers })

/** Lists the objects of a collection. */
export const listObjects = (db: Db, collection: Collection): Promise<ObjectEntry[]> =>
  q.list(db, seenOf(collection))

/** Lists the objects that may take place within a span, open where a side is undefined; more than do, and never fewer. */
export const listObjectsBetween = (
  db: Db,
  collection: Collection,
  span: { readonly from: Date | undefined; readonly until: Date | undefined },
): Promise<ObjectEntry[]> => q.listBetween(db, seenOf(collection), span)

/** Finds objects by their names, without their texts. */
export const findObjects = (
  db: Db,
  collection: Collection,
  names: readonly string[],
): Promise<ObjectEntry[]> => q.named(db, seenOf(collection), names)

/** Alarms are the owner's, and of those who may write (contract: dav.privileges). */
const withoutAlarms = (text: string) => printText(splitText(text).flatMap(withoutAlarm))

const withoutAlarm = (part: TextPart): TextPart[] => {
  if (!isComponent(part)) return [part]
  return part.name === 'VALARM' ? [] : [{ ...part, parts: part.parts.flatMap(withoutAlarm) }]
}

/** Reads the texts of objects, in the order of the entries; one that went meanwhile is left out. */
export async function readObjects(
  deps: TextDeps,
  { access, isOthers, readerId }: Collection,
  entries: readonly ObjectEntry[],
): Promise<ObjectText[]> {
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

/** Deletes an object, and tells those who are invited. @throws {AppError} 401, 403, 404, 412. */
export const deleteObject = (deps: Deps, reader: Reader, target: Target): Promise<void> =>
  deleteEvent(deps, reader, target)

/** What a client has to hear of a collection (contract: dav.sync). */
export interface Followed {
  readonly present: readonly ObjectEntry[]
  /** The names that lead nowhere now. */
  readonly gone: readonly string[]
  /** Up to where this tells everything. */
  readonly place: number
  readonly hasMore: boolean
}

/**
 * Follows a collection from a place, each object in its newest state; from undefined it tells everything that is there.
 * Undefined when deletions after the place may be forgotten.
 */
export function followObjects(
  db: Db,
  collection: Collection,
  since: number | undefined,
  limit: number,
): Promise<Followed | undefined> {
  const { id, place: last } = collection
  const seen = seenOf(collection)
  return inSnapshot(db, async (tx) => {
    if (since !== undefined && since < (await q.floorOf(tx, id))) return undefined
    const rows = await q.changedSince(tx, seen, since ?? 0, limit + 1)
    const told = rows.slice(0, limit)
    const hasMore = rows.length > limit
    const present = told.flatMap(({ object }) => object ?? [])
    const former = since === undefined ? [] : [...new Set(told.flatMap((row) => row.former))]
    const now = await q.present(tx, seen, former)
    return {
      present,
      gone: former.filter((name) => !now.has(name)),
      // What was written since the collection was looked at comes again, and does no harm.
      place: hasMore ? (told.at(-1)?.seq ?? last) : Math.max(last, told.at(-1)?.seq ?? 0),
      hasMore,
    }
  })
}
