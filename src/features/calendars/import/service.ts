import type { Db, Tx } from '../../../db/client'
import { refuseTooMany } from '../../../db/quotas'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { brokenOff } from '../../../lib/broken-off'
import { sortByHash, type Sorted } from '../../../lib/imports'
import { IMPORT_LIMIT_MS, type Pause, pauses } from '../../../lib/pauses'
import { inTurn } from '../../../lib/turns'
import { type Access, writableCalendar } from '../../../access/calendars/rules'
import { asOneOperation } from '../../../access/operations/service'
import { calendarsFor, lockCalendar } from '../../../access/calendars/service'
import { digestOf, findAsExported } from '../export/service'
import { columnsOf, findPrivateKeys, type Storable, storeEvents } from '../event-files/service.storing'
import { refusalOfHiding } from '../../events/events/rules.visibility'
import { type Reader, zoneOf } from '../../../access/reader/service'
import type { ImportView } from './model'
import * as q from './queries'
import { isPlainUid } from './rules'
import {
  type EventText,
  type FileRead,
  privateSkipped,
  readEvent,
  readFile,
  readText,
  type ZonesRead,
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
interface Readable extends Storable {
  readonly hash: string
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
  const take = async (batch: readonly Readable[]) => {
    const sorted = await sort(db, calendarId, batch)
    if (isDryRun || sorted.created.length + sorted.updated.length === 0) return sorted
    return inTurn(ownerId, () =>
      inTransaction(db, (tx) => store(tx, deps, reader, { calendarId, batch }), reader.userId),
    )
  }
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
      const read = await readAllowed(deps, text, await zonesOf(text.first.calendar), means)
      skipped.push(...read.skipped)
      // Events without a UID may have the same content.
      if (!read.readable || batch.has(read.readable.key)) continue
      const own = weightOf(read.readable)
      if (batch.size > 0 && weight + own > MAX_WEIGHT) {
        yield { batch: [...batch.values()], asExported: 0 }
        ;[batch, weight] = [new Map(), 0]
      }
      batch.set(read.readable.key, { ...read.readable, columns: columnsOf(read.readable.event) })
      weight += own
    }
  }
  yield { batch: [...batch.values()], asExported: 0 }
}

/**
 * The estimated cost of writing the event, where 1 is an occurrence's row; the event itself costs 10, and so do
 * 2000 characters.
 */
const weightOf = ({ text, event: { extras, occurrences } }: Pick<Readable, 'text' | 'event'>): number =>
  10 + extras.length + occurrences.length + text.length / 200

/** The events that are not private in the calendar, or not somebody else's. */
async function writable(
  { db }: ImportDeps,
  texts: readonly EventText[],
  { calendarId, access }: Means,
): Promise<readonly EventText[]> {
  if (access === 'owner') return texts
  const closed = await findPrivateKeys(db, calendarId, keysOf(texts))
  return texts.filter(({ key }) => !closed.has(key))
}

/** Reads the event, unless it is private and the calendar somebody else's. */
async function readAllowed(
  { calendarFiles }: ImportDeps,
  text: EventText,
  zones: ZonesRead,
  { access, pause }: Means,
): ReturnType<typeof readEvent> {
  const read = await readEvent(calendarFiles, text, zones, pause)
  const isRefused = refusalOfHiding(read.readable?.event.visibility, access) !== undefined
  return isRefused ? { skipped: [...read.skipped, privateSkipped(text)] } : read
}

/** Finds the events that equal this calendar's own export, which need no import. */
async function findOwn(
  { db, calendarFiles }: ImportDeps,
  texts: readonly EventText[],
  { calendarId, pause }: Means,
): Promise<Set<EventText>> {
  const byUid = new Map(texts.flatMap((text) => (isPlainUid(text.uid) ? [[text.uid, text] as const] : [])))
  const hashes = await q.findHashes(db, calendarId, [...byUid.keys()])
  const digests = new Map<string, string[]>()
  for (const [uid, { hash, parts }] of byUid) {
    if (!hashes.has(uid) || hashes.get(uid) === hash) continue
    const own: string[] = []
    for (const { read } of parts) {
      own.push(await digestOf(read.lines))
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
  const sorted = await sort(tx, calendarId, batch)
  const changed = [...sorted.created, ...sorted.updated]
  if (changed.length === 0) return sorted
  const written = await storeEvents(tx, { reader, now, calendarId, access }, changed)
  await q.putSources(
    tx,
    changed.map(({ key, hash }) => ({ eventId: written.get(key)?.id ?? 0, hash })),
  )
  return sorted
}
