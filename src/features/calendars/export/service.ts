import type { Deps } from '../../../deps'
import { conflict } from '../../../lib/errors'
import { pauses } from '../../../lib/pauses'
import { sha256Hex } from '../../../lib/text'
import { streamOf } from '../../../lib/text-stream'
import { DAY_MS, wallFromText, type WallTime } from '../../../lib/time/wall-time'
import { type Access, visibleCalendar } from '../../../access/calendars/rules'
import { calendarsFor } from '../../../access/calendars/service'
import { refuseEnded, type SessionKey } from '../../../access/sessions/service'
import { sameTimes, timesAt } from '../../events/events/rules.times'
import { isMasked, MASKED } from '../../events/events/rules.visibility'
import { seriesOf, timesOf, timesOfOccurrence } from '../../events/events/service.views'
import { extraStartsOf } from '../../events/extra-starts/service'
import * as q from './queries'
import {
  CALENDAR_END,
  calendarHead,
  eventLines,
  type Exported,
  type ExportedOccurrence,
  fileName,
  OBJECT_HEAD,
} from './rules'
import { contentOf, withoutRepetition } from './rules.kept'
import { zoneLines } from './rules.zones'

export type ExportDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'calendarFiles'>

const PAGE = 500
/** Events whose imported lines are read together, as these may be large. */
const PIECE = 20
/** Occurrences that are read together; one series may have more. */
const OCCURRENCES = 500
/** A clock change this long before the first start may still matter. */
const MARGIN_MS = 2 * DAY_MS

export interface CalendarFile {
  readonly name: string
  readonly body: ReadableStream<Uint8Array>
}

/**
 * Exports a calendar that the user sees. The file breaks off when the user loses access or their session ends.
 * @throws {AppError} 404, 409 for the Birthdays calendar.
 */
export async function exportCalendar(
  deps: ExportDeps,
  session: SessionKey,
  id: number,
): Promise<CalendarFile> {
  const find = async () => visibleCalendar(await calendarsFor(deps.db, session.userId), id)
  const refuseLost = async () => {
    await refuseEnded(deps.db, session, deps.clock.now())
    await find()
  }
  const calendar = await find()
  if (calendar.isSystem) throw conflict('The Birthdays calendar cannot be exported')
  const shown = { ...calendar, readerId: session.userId }
  return { name: fileName(calendar.name), body: await streamCalendar(deps, shown, refuseLost) }
}

/** Changes whenever the calendar's file would. */
export const stateOf = ({ db }: Pick<Deps, 'db'>, id: number): Promise<string> => q.findState(db, id)

/** A calendar, and for whom it is written. */
interface ShownCalendar extends ExportReader {
  readonly id: number
  readonly name: string
}

interface ExportReader {
  readonly access: Access
  /** Null for those who know the secret address of the calendar. */
  readonly readerId: number | null
}

/**
 * Streams the calendar in pieces, without a transaction open while the client pauses. Calls `refuseLost` before each page; it
 * throws when access has ended.
 */
export async function streamCalendar(
  { db, clock, log, calendarFiles }: ExportDeps,
  { id, name, ...reader }: ShownCalendar,
  refuseLost: () => Promise<void>,
): Promise<ReadableStream<Uint8Array>> {
  const pause = pauses(clock)
  const zones = await zonesOf(db, id)
  let rows = await q.page(db, id, 0, PAGE)
  async function* pieces(): AsyncGenerator<string, void, void> {
    yield calendarFiles.print(calendarHead(name))
    for (const [zone, from] of zones) yield calendarFiles.print(zoneLines(zone, from - MARGIN_MS))
    while (rows.length > 0) {
      const piece = rows.slice(0, PIECE)
      for await (const event of load(db, piece, reader)) {
        for (const lines of [...zoneBefore(zones, event), ...eventLines(event)]) {
          yield calendarFiles.print(lines)
          await pause()
        }
      }
      const last = piece.at(-1)?.id ?? 0
      rows = rows.slice(PIECE)
      if (rows.length > 0) continue
      await refuseLost()
      rows = await q.page(db, id, last, PAGE)
    }
    yield calendarFiles.print(CALENDAR_END)
  }
  return streamOf(pieces(), log, { calendar_id: id })
}

/** An event added since the export began may be in a zone that the file does not define yet. */
function zoneBefore(zones: Map<string, number>, { times }: Exported): string[][] {
  if (times.allDay || times.timeZone === 'UTC' || zones.has(times.timeZone)) return []
  zones.set(times.timeZone, 0)
  return [zoneLines(times.timeZone, -Infinity)]
}

/** The earliest instant at which each zone is needed, in epoch milliseconds. */
async function zonesOf(db: Deps['db'], calendarId: number): Promise<Map<string, number>> {
  const zones = new Map<string, number>()
  for (const { zone, from } of await q.findZones(db, calendarId)) {
    if (zone === null || zone === 'UTC' || from === null) continue
    zones.set(zone, Math.min(+from, zones.get(zone) ?? Infinity))
  }
  return zones
}

/** Loads the events in parts with few occurrences of their own, as these may be as large as the events. */
async function* load(
  db: Deps['db'],
  rows: readonly q.ExportedEventRow[],
  reader: ExportReader,
): AsyncGenerator<Exported, void, void> {
  const counts = await q.countOccurrences(
    db,
    rows.map(({ id }) => id),
  )
  let [part, occurrences]: [q.ExportedEventRow[], number] = [[], 0]
  for (const row of rows) {
    const own = counts.get(row.id) ?? 0
    if (part.length > 0 && occurrences + own > OCCURRENCES) {
      yield* await loadPart(db, part, reader)
      ;[part, occurrences] = [[], 0]
    }
    part.push(row)
    occurrences += own
  }
  yield* await loadPart(db, part, reader)
}

async function loadPart(
  db: Deps['db'],
  rows: readonly q.ExportedEventRow[],
  reader: ExportReader,
): Promise<Exported[]> {
  const ids = rows.map(({ id }) => id)
  const hidden = await hiddenFrom(db, rows, reader)
  const kept = await q.findKept(db, ids)
  const occurrences = await q.findOccurrences(db, ids)
  const extras = await extraStartsOf(db, ids)
  return rows.map((row) => {
    const event = toExported(row, {
      kept: kept.get(row.id) ?? [],
      occurrences: occurrences.get(row.id) ?? [],
      extras: extras.get(row.id) ?? [],
    })
    return hidden.has(row.id) ? masked(row.id, event) : event
  })
}

/** The events of which the reader is told no more than the times (contract: events.visibility). */
async function hiddenFrom(
  db: Deps['db'],
  rows: readonly q.ExportedEventRow[],
  { access, readerId }: ExportReader,
): Promise<ReadonlySet<number>> {
  const closed = rows.filter(({ visibility }) => isMasked({ visibility, access, isInvited: false }))
  const ids = closed.map(({ id }) => id)
  const invited = readerId === null ? new Set() : await q.findInvited(db, readerId, ids)
  return new Set(ids.filter((id) => !invited.has(id)))
}

/** The UID, too, is a text that somebody has written. */
const masked = (id: number, event: Exported): Exported => ({
  ...event,
  uid: `private-${id}`,
  texts: MASKED,
  kept: [],
  occurrences: event.occurrences.flatMap((one) => {
    if (!one.isCancelled && sameTimes(one.times, timesAt(event.times, one.wall))) return []
    return { ...one, changes: {}, kept: [] }
  }),
})

interface Belongings {
  readonly kept: readonly string[]
  readonly occurrences: readonly q.ExportedOccurrenceRow[]
  readonly extras: readonly WallTime[]
}

function toExported(row: q.ExportedEventRow, { kept, occurrences, extras }: Belongings): Exported {
  const { title, description, location, reminderMinutes } = row
  const times = timesOf(row)
  return {
    id: row.id,
    uid: row.uid,
    version: row.version,
    updatedAt: row.updatedAt,
    createdAt: row.createdAt,
    times,
    texts: { title, description, location, reminderMinutes },
    visibility: row.visibility,
    series: seriesOf(row, extras),
    ruleText: row.recurrenceRule,
    kept: row.recurrenceUnsupported ? kept : withoutRepetition(kept),
    occurrences: occurrences.map((one): ExportedOccurrence => {
      const wall = wallFromText(one.occurrenceStart)
      return {
        wall,
        isCancelled: one.isCancelled,
        times: timesOfOccurrence({ original: timesAt(times, wall), override: one }),
        changes: one.changes,
        kept: one.kept,
      }
    }),
  }
}

/** Only what the owner's export would say is compared. */
const OWNER = { access: 'owner', readerId: null } as const

/** The texts of single events for a reader, each with the time zones that it names, by id. */
export async function textsOfEvents(
  { db, calendarFiles, clock }: Pick<Deps, 'db' | 'calendarFiles' | 'clock'>,
  reader: ExportReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>()
  const pause = pauses(clock)
  const rows = await q.byIds(db, ids)
  for await (const event of load(db, rows, reader)) {
    const lines = [...zoneBefore(new Map(), event), ...eventLines(event)].flat()
    texts.set(event.id, calendarFiles.print([...OBJECT_HEAD, ...lines, ...CALENDAR_END]))
    await pause()
  }
  return texts
}

type Comparing = Pick<Deps, 'db' | 'calendarFiles'> & { readonly pause: () => Promise<void> }

/** Identifies the content of a component, given its lines. */
export const digestOf = (lines: readonly string[]): Promise<string> => sha256Hex(contentOf(lines))

/** Returns the UIDs of events whose export by the owner has exactly these digests, one for each component. */
export async function findAsExported(
  deps: Comparing,
  calendarId: number,
  digests: ReadonlyMap<string, readonly string[]>,
): Promise<Set<string>> {
  const found = new Set<string>()
  const uids = [...digests.keys()]
  for (let start = 0; start < uids.length; start += PIECE) {
    const rows = await q.byUids(deps.db, calendarId, uids.slice(start, start + PIECE))
    for await (const event of load(deps.db, rows, OWNER)) {
      if (await isWrittenSo(deps, event, new Set(digests.get(event.uid)))) found.add(event.uid)
    }
  }
  return found
}

async function isWrittenSo(
  { calendarFiles, pause }: Comparing,
  event: Exported,
  digests: Set<string>,
): Promise<boolean> {
  for (const lines of eventLines(event)) {
    if (!digests.delete(await digestOf(readAgain(calendarFiles, lines)))) return false
    await pause()
  }
  return digests.size === 0
}

/** The lines of a component after printing and parsing it. */
function readAgain(calendarFiles: Deps['calendarFiles'], lines: readonly string[]): readonly string[] {
  const file = calendarFiles.print([...calendarHead(''), ...lines, ...CALENDAR_END])
  for (const found of calendarFiles.find(new TextEncoder().encode(file))) {
    if (found?.name === 'VEVENT') return calendarFiles.read(found.name, found.text).lines
  }
  return []
}
