import type { Db, Tx } from '../../../db/client'
import { refuseTooMany } from '../../../db/quotas'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { brokenOff } from '../../../lib/broken-off'
import { sortByHash, type Sorted } from '../../../lib/imports'
import { IMPORT_LIMIT_MS, pauses } from '../../../lib/pauses'
import { isStorable } from '../../../lib/text'
import { inTurn } from '../../../lib/turns'
import { wallFromText, type WallTime, wallToText } from '../../../lib/time/wall-time'
import { type Access, writableCalendar } from '../../../access/calendars/rules'
import { asOneOperation } from '../../../access/operations/service'
import { calendarsFor, lockCalendar } from '../../../access/calendars/service'
import { digestOf, findAsExported } from '../export/service'
import { announceTimeChange } from '../../events/announcements/service'
import { NO_TIMES } from '../../events/overrides/rules'
import { startAndEnd } from '../../events/events/rules.times'
import { refusalOfHiding, refusalOfPrivate } from '../../events/events/rules.visibility'
import { findEventAccess } from '../../events/events/service'
import { seriesOf, toColumns } from '../../events/events/service.views'
import { extraStartsOf, extraStartsOfOne, putExtraStarts } from '../../events/extra-starts/service'
import { type Reader, zoneOf } from '../../../access/reader/service'
import type { ImportView } from './model'
import * as q from './queries'
import type { Imported } from './rules'
import {
  type EventText,
  type FileRead,
  type Pause,
  privateSkipped,
  readEvent,
  readFile,
  readText,
} from './rules.file'

/** Events that are processed together. */
const BATCH = 100
/**
 * The most that one transaction writes, except for a single larger event, so that other requests wait only briefly for the
 * owner's lock.
 */
const MAX_WEIGHT = 1000

type ImportDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'calendarFiles'>

interface Upload {
  readonly calendarId: number
  readonly file: Uint8Array
  readonly isDryRun: boolean
}

/** An event that can be stored. */
interface Readable {
  /** Identifies the event: its UID, or its hash if it has none. */
  readonly key: string
  readonly hash: string
  readonly event: Imported
  /** The columns for times and rule. */
  readonly columns: ReturnType<typeof toColumns>
}

/**
 * Imports the events of a file (contract: calendars.files), up to a hundred in each transaction. After an interruption,
 * repeating the import adds the rest.
 * @throws {AppError} 401 when the session ends meanwhile, 403, 404, 409 for the Birthdays calendar and for too many events,
 * 422 for a file that is no calendar, 503 when it takes too long; 409 and 503 say what was imported.
 */
export const importCalendar = (deps: ImportDeps, reader: Reader, upload: Upload): Promise<ImportView> =>
  asOneOperation(deps, reader.operation, () => takeIn(deps, reader, upload))

async function takeIn(deps: ImportDeps, reader: Reader, upload: Upload): Promise<ImportView> {
  const { db } = deps
  const { calendarId, isDryRun } = upload
  const { ownerId, access } = writableCalendar(await calendarsFor(db, reader.userId), calendarId)
  const pause = pauses(deps.clock, IMPORT_LIMIT_MS)
  const read = await readFile(deps.calendarFiles, upload.file, {
    home: zoneOf(deps.config, reader.owner),
    pause,
  })
  const total = { created: 0, updated: 0, unchanged: 0 }
  const take = (batch: readonly Readable[]) =>
    isDryRun
      ? sort(db, calendarId, batch)
      : inTurn(ownerId, () =>
          inTransaction(db, (tx) => store(tx, deps, reader, { calendarId, batch }), reader.userId),
        )
  try {
    for await (const { batch, asExported } of portionsOf(deps, read, { calendarId, access, pause })) {
      total.unchanged += asExported
      if (batch.length === 0) continue
      const sorted = await take(batch)
      total.created += sorted.created.length
      total.updated += sorted.updated.length
      total.unchanged += batch.length - sorted.created.length - sorted.updated.length
    }
  } catch (error) {
    throw isDryRun ? error : brokenOff(error, total)
  }
  if (isDryRun)
    await refuseTooMany(db, { kind: 'events', userId: ownerId, more: total.created, writerId: reader.userId })
  return { ...total, skipped: read.skipped }
}

interface Means {
  readonly calendarId: number
  readonly access: Access
  readonly pause: Pause
}

/** Events for one transaction, and the number of events read with them that equal this calendar's own export. */
interface Portion {
  readonly batch: readonly Readable[]
  readonly asExported: number
}

async function* portionsOf(
  deps: ImportDeps,
  { groups, skipped, zonesOf }: FileRead,
  means: Means,
): AsyncGenerator<Portion> {
  let [batch, weight] = [new Map<string, Readable>(), 0]
  for (let start = 0; start < groups.length; start += BATCH) {
    const texts: EventText[] = []
    for (const group of groups.slice(start, start + BATCH))
      texts.push(await readText(deps.calendarFiles, group, means.pause))
    const open = await writable(deps, texts, means)
    skipped.push(...texts.filter((text) => !open.includes(text)).map(privateSkipped))
    const asExported = await findOwn(deps, open, means)
    yield { batch: [], asExported: asExported.size }
    for (const text of open) {
      if (asExported.has(text)) continue
      await means.pause()
      const read = await readAllowed(text, await zonesOf(text.first.calendar), means)
      skipped.push(...read.skipped)
      // Events without a UID may have the same content.
      if (!read.readable || batch.has(read.readable.key)) continue
      const { times, ruleText, extras } = read.readable.event
      const own = weightOf(read.readable.event)
      if (batch.size > 0 && weight + own > MAX_WEIGHT) {
        yield { batch: [...batch.values()], asExported: 0 }
        ;[batch, weight] = [new Map(), 0]
      }
      batch.set(read.readable.key, { ...read.readable, columns: toColumns(times, ruleText, extras) })
      weight += own
    }
  }
  yield { batch: [...batch.values()], asExported: 0 }
}

/**
 * The estimated cost of writing the event, where 1 is an occurrence's row; the event itself costs 10, and so do 500
 * characters.
 */
const weightOf = ({ kept, extras, occurrences }: Imported): number =>
  10 +
  extras.length +
  occurrences.length +
  [kept, ...occurrences.map((one) => one.kept ?? [])].reduce((sum, lines) => sum + lengthOf(lines) / 50, 0)

const lengthOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0)

/** Whether the UID can be stored. */
const isUid = (uid: string | null): uid is string => uid !== null && isStorable(uid)

/** The events that are not private in the calendar, or not somebody else's. */
async function writable(
  { db }: ImportDeps,
  texts: readonly EventText[],
  { calendarId, access }: Means,
): Promise<readonly EventText[]> {
  if (access === 'owner') return texts
  const closed = await q.findPrivate(db, calendarId, keysOf(texts).filter(isUid))
  return texts.filter(({ key }) => !closed.has(key))
}

/** Reads the event, unless it is private and the calendar somebody else's. */
async function readAllowed(
  text: EventText,
  zones: Parameters<typeof readEvent>[1],
  { access, pause }: Means,
): ReturnType<typeof readEvent> {
  const read = await readEvent(text, zones, pause)
  const isRefused = refusalOfHiding(read.readable?.event.visibility, access) !== undefined
  return isRefused ? { skipped: [...read.skipped, privateSkipped(text)] } : read
}

/** Finds the events that equal this calendar's own export, which need no import. */
async function findOwn(
  { db, calendarFiles }: ImportDeps,
  texts: readonly EventText[],
  { calendarId, pause }: Means,
): Promise<Set<EventText>> {
  const byUid = new Map(texts.flatMap((text) => (isUid(text.uid) ? [[text.uid, text] as const] : [])))
  const hashes = await q.findHashes(db, calendarId, [...byUid.keys()])
  const digests = new Map<string, string[]>()
  for (const [uid, { hash, components }] of byUid) {
    if (!hashes.has(uid) || hashes.get(uid) === hash) continue
    const own: string[] = []
    for (const { lines } of components) {
      own.push(await digestOf(lines))
      await pause()
    }
    digests.set(uid, own)
  }
  const found = await findAsExported({ db, calendarFiles, pause }, calendarId, digests)
  return new Set([...found].flatMap((uid) => byUid.get(uid) ?? []))
}

const keysOf = (batch: ReadonlyArray<{ readonly key: string }>) => batch.map(({ key }) => key)

/** Finds out which events are new, and which have changed since their last import. */
const sort = async (db: Db | Tx, calendarId: number, batch: readonly Readable[]) =>
  sortByHash(batch, await q.findHashes(db, calendarId, keysOf(batch)))

interface Batch {
  readonly calendarId: number
  readonly batch: readonly Readable[]
}

/** Locks the owner, so imports into one calendar run one after the other. */
async function store(
  tx: Tx,
  { clock }: ImportDeps,
  reader: Reader,
  { calendarId, batch }: Batch,
): Promise<Sorted<Readable>> {
  const now = clock.now()
  const { access } = await lockCalendar(tx, { session: reader, now }, calendarId)
  const closed = await q.findPrivate(tx, calendarId, keysOf(batch))
  const refusal = closed.size > 0 && refusalOfPrivate({ visibility: 'private', access })
  if (refusal) throw refusal
  const sorted = await sort(tx, calendarId, batch)
  const changed = [...sorted.created, ...sorted.updated]
  if (changed.length === 0) return sorted
  const keys = keysOf(sorted.updated)
  const invited = keys.length > 0 ? await q.findInvited(tx, calendarId, keys) : []
  const extrasBefore = await extraStartsOf(
    tx,
    invited.map(({ id }) => id),
  )
  const ids = await q.upsert(
    tx,
    changed.map((one) => toRow(one, calendarId, { now, wasPrivate: closed.has(one.key) })),
  )
  const idOf = ({ key }: Readable) => ids.get(key) ?? 0
  await q.putSources(
    tx,
    changed.map((one) => ({ eventId: idOf(one), hash: one.hash, kept: one.event.kept })),
  )
  await putExtraStarts(tx, new Map(changed.map((one) => [idOf(one), one.event.extras])))
  await q.replaceOccurrences(
    tx,
    sorted.updated.map(idOf),
    changed.flatMap((one) => occurrenceRows(one, idOf(one), now)),
  )
  for (const event of invited) {
    await tell(tx, reader, { event, extras: extrasBefore.get(event.id) ?? [] }, now)
  }
  return sorted
}

interface Writing {
  readonly now: Date
  readonly wasPrivate: boolean
}

/** A file that says nothing of it opens no private event. */
const toRow = (
  { key, event, columns }: Readable,
  calendarId: number,
  { now, wasPrivate }: Writing,
): q.NewEvent => ({
  calendarId,
  uid: key,
  ...event.texts,
  visibility: event.visibility ?? (wasPrivate ? 'private' : 'public'),
  ...columns,
  recurrenceUnsupported: event.isUnsupported,
  createdAt: now,
  updatedAt: now,
})

const occurrenceRows = ({ event }: Readable, eventId: number, now: Date): q.NewOccurrence[] =>
  event.occurrences.map(({ wall, times, ...rest }) => ({
    ...rest,
    eventId,
    occurrenceStart: wallToText(wall),
    ...(times ? startAndEnd(times) : NO_TIMES),
    createdAt: now,
    updatedAt: now,
  }))

const TIMES = ['startAt', 'endAt', 'startDate', 'endDate', 'recurrenceRule'] as const

/** The times of an event before the import. */
interface Before {
  readonly event: Awaited<ReturnType<typeof q.findInvited>>[number]
  readonly extras: readonly WallTime[]
}

/** Tells the invitees when the times changed, and deletes answers to occurrences that no longer exist. */
async function tell(tx: Tx, reader: Reader, before: Before, now: Date): Promise<void> {
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
