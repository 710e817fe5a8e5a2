import type { Db, Tx } from '../../db/client'
import { inTransaction } from '../../db/transaction'
import type { Deps } from '../../deps'
import { invalid } from '../../lib/errors'
import { pauses } from '../../lib/pauses'
import type { ComponentFound } from '../../lib/icalendar'
import { cut, sha256Hex } from '../../lib/text'
import { wallFromText, wallToText } from '../../lib/wall-time'
import { writableCalendar } from '../calendar-access/rules'
import { calendarsFor, holdCalendar } from '../calendar-access/service'
import { announceTimeChange } from '../event-announcements/service'
import { NO_TIMES } from '../event-overrides/rules'
import { startAndEnd } from '../events/rules.times'
import { findSeen, seriesOf, toColumns } from '../events/service'
import { type Reader, zoneOf } from '../settings/service'
import type { ImportView } from './model'
import * as q from './queries'
import { assemble, contentOf, type Imported, readUid } from './rules'
import { namedZones } from './rules.names'
import { Unusable, type Zones } from './rules.times'
import { nameOfZone, readZone, type ZoneDefinition } from './rules.zones'

/** Before the request runs into its own deadline, which would leave the import to go on for nobody. */
const LIMIT_MS = 50_000
const MAX_EVENTS = 50_000
/** Events, and what differs in them, of one transaction. */
const BATCH = 250
const MAX_OCCURRENCES = 5000

type ImportDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'calendarFiles'>

interface Upload {
  readonly calendarId: number
  readonly file: Uint8Array
  readonly isDryRun: boolean
}

/** An event that can be stored. */
interface Readable {
  /** What it is known by: its UID, or its content where it has none. */
  readonly key: string
  readonly hash: string
  readonly event: Imported
  /** What its row holds of times and rule. */
  readonly columns: ReturnType<typeof toColumns>
}

type Skipped = ImportView['skipped'][number]

/** Components of one UID, where they stand in the file. */
type Group = ComponentFound[]

interface FileRead {
  readonly groups: readonly Group[]
  readonly skipped: Skipped[]
  readonly zonesOf: (calendar: number) => Zones
}

/**
 * Takes the events of a file over (contract, section 7), some hundred in a transaction: what an interruption leaves out, the
 * same import brings in later.
 * @throws {AppError} 401 for a session that ends meanwhile, 403, 404, 409 for the Birthdays calendar, 422 for a file that is
 * no calendar, 503 for one that takes too long.
 */
export async function importCalendar(deps: ImportDeps, reader: Reader, upload: Upload): Promise<ImportView> {
  const { db } = deps
  const { calendarId, isDryRun } = upload
  writableCalendar(await calendarsFor(db, reader.userId), calendarId)
  const pause = pauses(deps.clock, LIMIT_MS)
  const read = await readFile(deps, upload.file, { home: zoneOf(deps.config, reader.owner), pause })
  const total = { created: 0, updated: 0, unchanged: 0 }
  for await (const batch of batchesOf(deps, read, pause)) {
    const sorted = isDryRun
      ? await sort(db, calendarId, batch)
      : await inTransaction(db, (tx) => store(tx, deps, reader, { calendarId, batch }))
    total.created += sorted.created.length
    total.updated += sorted.updated.length
    total.unchanged += batch.length - sorted.created.length - sorted.updated.length
  }
  return { ...total, skipped: read.skipped }
}

type Pause = () => Promise<void>

const refusal = (message: string) => invalid([{ field: 'file', message }])

interface Reading {
  /** The zone of floating times. */
  readonly home: string
  readonly pause: Pause
}

/** What stands in a file, by UID and yet unread. @throws {AppError} 422. */
async function readFile(deps: ImportDeps, file: Uint8Array, { home, pause }: Reading): Promise<FileRead> {
  const groups = new Map<string, Group>()
  const zones = new Map<number, ComponentFound[]>()
  const skipped: Skipped[] = []
  let [isCalendar, count] = [false, 0]
  for (const found of deps.calendarFiles.find(file)) {
    await pause()
    if (!found) continue
    if (found.name === 'VCALENDAR') isCalendar = true
    else if (found.name === 'VTIMEZONE') zones.getOrInsertComputed(found.calendar, () => []).push(found)
    else if (++count > MAX_EVENTS) throw refusal(`has more than ${MAX_EVENTS} events`)
    else if (found.problem !== undefined) skipped.push(toSkipped(found, found.problem))
    else groups.getOrInsertComputed(found.uid ?? `\n${count}`, () => []).push(found)
  }
  if (!isCalendar) throw refusal('is not an iCalendar file')
  const named = new Map<number, Zones>()
  const zonesOf = (calendar: number) =>
    named.getOrInsertComputed(calendar, () => zonesIn(deps, zones.get(calendar) ?? [], home))
  return { groups: [...groups.values()], skipped, zonesOf }
}

const MAX_UID_SHOWN = 500

const toSkipped = ({ uid }: ComponentFound, reason: string): Skipped => ({
  uid: uid === null ? null : cut(uid, MAX_UID_SHOWN),
  reason,
})

/** The zones of one calendar of the file, whose definitions are read once one of them is asked for. */
function zonesIn({ calendarFiles }: ImportDeps, found: readonly ComponentFound[], home: string): Zones {
  let definitions: Map<string, ZoneDefinition | undefined> | undefined
  const readAll = () =>
    new Map(
      found.map(({ name, text }) => {
        const { component } = calendarFiles.read(name, text)
        return [nameOfZone(component) ?? '', readZone(component)]
      }),
    )
  return namedZones({
    home,
    zoneOfWindows: (name) => calendarFiles.zoneOfWindows(name),
    mainZones: calendarFiles.mainZones,
    define: (name) => (definitions ??= readAll()).get(name),
  })
}

/** The events of a file, as many as one transaction takes at a time. */
async function* batchesOf(
  deps: ImportDeps,
  { groups, skipped, zonesOf }: FileRead,
  pause: Pause,
): AsyncGenerator<readonly Readable[]> {
  let [batch, occurrences] = [new Map<string, Readable>(), 0]
  for (const group of groups) {
    const read = await readGroup(deps, group, { zonesOf, pause })
    skipped.push(...read.skipped)
    if (!read.readable) continue
    // Two that have no UID may have the same content.
    if (batch.has(read.readable.key)) continue
    batch.set(read.readable.key, read.readable)
    occurrences += read.readable.event.occurrences.length
    if (batch.size < BATCH && occurrences < MAX_OCCURRENCES) continue
    yield [...batch.values()]
    ;[batch, occurrences] = [new Map(), 0]
  }
  if (batch.size > 0) yield [...batch.values()]
}

interface Means {
  readonly zonesOf: FileRead['zonesOf']
  readonly pause: Pause
}

async function readGroup({ calendarFiles }: ImportDeps, group: Group, { zonesOf, pause }: Means) {
  const [first] = group
  if (!first) throw new Error('a group has a component')
  const skipped: Skipped[] = []
  const usable: Array<ReturnType<typeof calendarFiles.read>> = []
  for (const found of group) {
    const read = calendarFiles.read(found.name, found.text)
    if (read.problem === undefined) usable.push(read)
    else skipped.push(toSkipped(found, read.problem))
    await pause()
  }
  if (usable.length === 0) return { skipped }
  try {
    const uid = first.uid === null ? null : readUid(first.uid)
    const steps = assemble(
      usable.map(({ component }) => component),
      zonesOf(first.calendar),
    )
    const event = await finish(steps, pause)
    const texts = usable.map(({ lines }) => contentOf(lines)).toSorted()
    const hash = await sha256Hex(texts.join('\n\n'))
    skipped.push(...event.problems.map((problem) => toSkipped(first, problem)))
    const columns = toColumns(event.times, event.ruleText, event.extras)
    return { skipped, readable: { key: uid ?? `urn:sha256:${hash}`, hash, event, columns } }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return { skipped: [...skipped, toSkipped(first, error.message)] }
  }
}

async function finish<T>(steps: Generator<undefined, T>, pause: Pause): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pause()
  }
}

interface Sorted {
  readonly created: readonly Readable[]
  readonly updated: readonly Readable[]
}

/** Which events are new, and which are known and have changed since their last import. */
async function sort(db: Db | Tx, calendarId: number, batch: readonly Readable[]): Promise<Sorted> {
  const hashes = await q.findHashes(
    db,
    calendarId,
    batch.map(({ key }) => key),
  )
  return {
    created: batch.filter(({ key }) => !hashes.has(key)),
    updated: batch.filter(({ key, hash }) => hashes.has(key) && hashes.get(key) !== hash),
  }
}

interface Batch {
  readonly calendarId: number
  readonly batch: readonly Readable[]
}

/** Two imports into one calendar come one after the other: its owner is held. */
async function store(
  tx: Tx,
  { clock }: ImportDeps,
  reader: Reader,
  { calendarId, batch }: Batch,
): Promise<Sorted> {
  const now = clock.now()
  await holdCalendar(tx, { session: reader, now }, calendarId)
  const sorted = await sort(tx, calendarId, batch)
  const changed = [...sorted.created, ...sorted.updated]
  if (changed.length === 0) return sorted
  const keys = sorted.updated.map(({ key }) => key)
  const invited = keys.length > 0 ? await q.findInvited(tx, calendarId, keys) : []
  const ids = await q.upsert(
    tx,
    changed.map((one) => toRow(one, calendarId, now)),
  )
  const idOf = ({ key }: Readable) => ids.get(key) ?? 0
  await q.putSources(
    tx,
    changed.map((one) => ({ eventId: idOf(one), hash: one.hash, kept: one.event.kept })),
  )
  await q.replaceOccurrences(
    tx,
    sorted.updated.map(idOf),
    changed.flatMap((one) => occurrenceRows(one, idOf(one), now)),
  )
  for (const before of invited) await tell(tx, reader, before, now)
  return sorted
}

const toRow = ({ key, event, columns }: Readable, calendarId: number, now: Date): q.NewEvent => ({
  calendarId,
  uid: key,
  ...event.texts,
  ...columns,
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

const TIMES = ['startAt', 'endAt', 'startDate', 'endDate', 'recurrenceRule', 'extraStarts'] as const

/** Tells the invitees of an event that takes place at another time than `before`; answers for what is gone are forgotten. */
async function tell(
  tx: Tx,
  reader: Reader,
  before: Awaited<ReturnType<typeof q.findInvited>>[number],
  now: Date,
): Promise<void> {
  const seen = await findSeen(tx, reader.userId, before.id)
  const series = seriesOf(seen.event)
  const answered = await q.findAnswered(tx, before.id)
  const gone = answered.filter((start) => !series?.has(wallFromText(start)))
  if (gone.length > 0) await q.removeAnswers(tx, before.id, gone)
  const isSame = TIMES.every((field) => String(before[field]) === String(seen.event[field]))
  if (!isSame) await announceTimeChange(tx, { seen, reader, now, alsoHeld: [] })
}
