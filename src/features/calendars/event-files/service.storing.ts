import type { Access } from '../../../access/calendars/rules'
import type { Db, Tx } from '../../../db/client'
import { wallFromText, type WallTime, wallToText } from '../../../lib/time/wall-time'
import type { Reader } from '../../../access/reader/service'
import { announceTimeChange } from '../../events/announcements/service'
import { NO_TIMES } from '../../events/overrides/rules'
import { refusalOfHiding, refusalOfPrivate } from '../../events/events/rules.visibility'
import { timesOfOverride } from '../../events/events/rules.times'
import { findEventAccess } from '../../events/events/service'
import { seriesOf, toColumns } from '../../events/events/service.views'
import { extraStartsOf, extraStartsOfOne, putExtraStarts } from '../../events/extra-starts/service'
import type { Imported } from '../import/rules'
import * as q from './queries'

/** An event as read from its text. */
export interface Storable {
  /** Identifies the event in its calendar: its UID, or a hash. */
  readonly key: string
  readonly event: Imported
  readonly text: string
  /** The IANA zone in which floating times were read. */
  readonly zone: string
  /** The columns for times and rule. */
  readonly columns: ReturnType<typeof toColumns>
}

export const columnsOf = ({ times, ruleText, extras }: Imported): Storable['columns'] =>
  toColumns(times, ruleText, extras)

export interface ObjectPlace {
  readonly calendarId: number
  readonly access: Access
  readonly reader: Reader
  readonly now: Date
  /** The name that a client chose for a new object. */
  readonly name?: string
}

/**
 * Creates the events of these texts, or replaces those with their UIDs, and tells invitees of other times. The calendar's owner is
 * locked. Returns ids and versions by key.
 * @throws {AppError} 403 for private events in a calendar of somebody else, 409 for too many events.
 */
export async function storeEvents(
  tx: Tx,
  place: ObjectPlace,
  read: readonly Storable[],
): Promise<ReadonlyMap<string, q.StoredVersion>> {
  const { calendarId, now } = place
  const keys = read.map(({ key }) => key)
  const wasPrivate = await q.findPrivate(tx, calendarId, keys)
  refusePrivate(place, read, wasPrivate)
  const invited = await q.findInvited(tx, calendarId, keys)
  const extrasBefore = await extraStartsOf(
    tx,
    invited.map(({ id }) => id),
  )
  const written = await q.upsert(
    tx,
    read.map((one) => toRow(one, place, wasPrivate.has(one.key))),
  )
  const ofThem = read.flatMap((one) => {
    const row = written.get(one.key)
    return row ? [{ ...one, ...row }] : []
  })
  await q.putTexts(
    tx,
    ofThem.map(({ id, version, text, zone }) => ({ eventId: id, text, zone, exactVersion: version })),
  )
  await putExtraStarts(tx, new Map(ofThem.map(({ id, event }) => [id, event.extras])))
  await q.replaceOccurrences(
    tx,
    ofThem.filter(({ version }) => version > 1).map(({ id }) => id),
    ofThem.flatMap(({ id, event }) => occurrenceRows(event, id, now)),
  )
  for (const event of invited) await tell(tx, place, { event, extras: extrasBefore.get(event.id) ?? [] })
  return written
}

/** The UIDs of private events among these. */
export const findPrivateKeys = (
  db: Db,
  calendarId: number,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => q.findPrivate(db, calendarId, keys)

/** @throws {AppError} 403. */
function refusePrivate(
  { access }: ObjectPlace,
  read: readonly Storable[],
  wasPrivate: ReadonlySet<string>,
): void {
  const isHidden = read.some(({ event }) => event.visibility === 'private')
  const refusal =
    (wasPrivate.size > 0 && refusalOfPrivate({ visibility: 'private', access })) ||
    (isHidden && refusalOfHiding('private', access))
  if (refusal) throw refusal
}

/** A text that says nothing of it opens no private event. */
const toRow = (
  { key, event, columns }: Storable,
  { calendarId, now, name }: ObjectPlace,
  wasPrivate: boolean,
): q.NewEvent => ({
  calendarId,
  objectName: name ?? null,
  uid: key,
  ...event.texts,
  visibility: event.visibility ?? (wasPrivate ? 'private' : 'public'),
  ...columns,
  recurrenceUnsupported: event.isUnsupported,
  isCancelled: event.isCancelled,
  createdAt: now,
  updatedAt: now,
})

const occurrenceRows = ({ times: first, occurrences }: Imported, eventId: number, now: Date) =>
  occurrences.map(({ wall, times, isWritten, isCancelled, changes }): q.NewOccurrence => ({
    eventId,
    occurrenceStart: wallToText(wall),
    isCancelled,
    changes,
    ...(times ? timesOfOverride(first, times) : NO_TIMES),
    textStart: isWritten ? wallToText(wall) : null,
    createdAt: now,
    updatedAt: now,
  }))

const TIMES = ['startAt', 'endAt', 'startDate', 'endDate', 'recurrenceRule'] as const

/** The times of an event before it was written. */
interface Before {
  readonly event: Awaited<ReturnType<typeof q.findInvited>>[number]
  readonly extras: readonly WallTime[]
}

/** Tells the invitees when the times changed, and deletes answers to occurrences that no longer exist. */
async function tell(tx: Tx, { reader, now }: ObjectPlace, before: Before): Promise<void> {
  const { id } = before.event
  const seen = await findEventAccess(tx, reader.userId, id)
  const extras = await extraStartsOfOne(tx, id)
  const series = seriesOf(seen.event, extras)
  const answered = await q.findAnswered(tx, id)
  const gone = answered.filter((start) => !series?.has(wallFromText(start)))
  if (gone.length > 0) await q.removeAnswers(tx, id, gone)
  const isSame =
    TIMES.every((field) => String(before.event[field]) === String(seen.event[field])) &&
    before.extras.join() === extras.join()
  if (!isSame) await announceTimeChange(tx, { seen, reader, now, alsoHeld: [] })
}
