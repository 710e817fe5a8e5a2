import { invalid } from '../../../lib/errors'
import type { CalendarFiles, ComponentFound } from '../../../lib/icalendar/icalendar'
import { finish, type Pause } from '../../../lib/pauses'
import { cut, sha256Hex } from '../../../lib/text'
import { contentOf } from '../export/rules.kept'
import { assemble, isPlainUid, readUid } from './rules'
import { type Definitions, type ObjectPart, objectText } from './rules.objects'
import { knownZone, namedZones } from './rules.names'
import { Unusable, type Zones } from './rules.times'
import { nameOfZone, readZone, type ZoneDefinition } from '../../../lib/icalendar/zone-definitions'

const MAX_EVENTS = 50_000

/** A component, or all components of a UID, that was left out, and why. */
interface Skipped {
  readonly uid: string | null
  readonly reason: string
}

/** The components of one UID with their places in the file. */
type Group = ComponentFound[]

export interface FileRead {
  readonly groups: readonly Group[]
  readonly skipped: Skipped[]
  readonly zonesOf: (calendar: number) => Promise<ZonesRead>
}

/** The zones of one calendar in the file. */
export interface ZonesRead {
  readonly zones: Zones
  readonly definitions: Definitions
}

const refusal = (message: string) => invalid([{ field: 'file', message }])

interface ReadOptions {
  /** The zone for floating times. */
  readonly home: string
  readonly pause: Pause
}

/** Groups the components of a file by UID, without parsing them yet. @throws {AppError} 422. */
export async function readFile(
  files: CalendarFiles,
  file: Uint8Array,
  { home, pause }: ReadOptions,
): Promise<FileRead> {
  const groups = new Map<string, Group>()
  const zones = new Map<number, ComponentFound[]>()
  const skipped: Skipped[] = []
  let [isCalendar, count] = [false, 0]
  for (const found of files.find(file)) {
    await pause()
    if (!found) continue
    if (found.name === 'VCALENDAR') isCalendar = true
    else if (found.name === 'VTIMEZONE') zones.getOrInsertComputed(found.calendar, () => []).push(found)
    else if (++count > MAX_EVENTS) throw refusal(`has more than ${MAX_EVENTS} events`)
    else if (found.problem !== undefined) skipped.push(toSkipped(found, found.problem))
    else groups.getOrInsertComputed(found.uid ?? `\n${count}`, () => []).push(found)
  }
  if (!isCalendar) throw refusal('is not an iCalendar file')
  const named = new Map<number, ZonesRead>()
  const zonesOf = async (calendar: number): Promise<ZonesRead> => {
    const known = named.get(calendar)
    if (known) return known
    const read = await zonesIn(files, zones.get(calendar) ?? [], { home, pause })
    named.set(calendar, read)
    return read
  }
  return { groups: [...groups.values()], skipped, zonesOf }
}

const MAX_UID_SHOWN = 500

const PRIVATE = 'is private: only the owner of the calendar can import it'

/** What became of an event that is private, in the file or in the calendar, and not for its importer to write. */
export const privateSkipped = ({ first }: EventText): Skipped => toSkipped(first, PRIVATE)

const toSkipped = ({ uid }: ComponentFound, reason: string): Skipped => ({
  uid: uid === null ? null : cut(uid, MAX_UID_SHOWN),
  reason,
})

/** Reads the time zones. Definitions under a known name are not parsed. */
export async function zonesIn(
  files: CalendarFiles,
  found: ReadonlyArray<Pick<ComponentFound, 'name' | 'text' | 'whole'>>,
  { home, pause }: ReadOptions,
): Promise<ZonesRead> {
  const parsed = new Map<string, ZoneDefinition | undefined>()
  const definitions = new Map<string, string>()
  for (const { name, text, whole } of found) {
    const { component } = files.read(name, text)
    const zone = nameOfZone(component) ?? ''
    if (knownZone(files, zone) === undefined) parsed.set(zone, await finish(readZone(component), pause))
    if (!definitions.has(zone)) definitions.set(zone, whole)
    await pause()
  }
  return { zones: namedZones({ home, files, define: (name) => parsed.get(name) }), definitions }
}

/** The components of one UID, parsed. */
export interface EventText {
  readonly first: ComponentFound
  readonly uid: string | null
  /** Identifies the event in its calendar. */
  readonly key: string
  readonly parts: readonly ObjectPart[]
  /** SHA-256 of the usable components, in hex. */
  readonly hash: string
}

export async function readText(files: CalendarFiles, group: Group, pause: Pause): Promise<EventText> {
  const [first] = group
  if (!first) throw new Error('the group has no components')
  const parts: ObjectPart[] = []
  for (const found of group) {
    parts.push({ found, read: files.read(found.name, found.text) })
    await pause()
  }
  const texts = usable(parts).map(({ read }) => contentOf(read.lines))
  const hash = await sha256Hex(texts.toSorted().join('\n\n'))
  const uid = first.uid === null ? null : readUid(first.uid)
  return { first, uid, key: await keyOf(uid, hash), parts, hash }
}

const usable = (parts: readonly ObjectPart[]) => parts.filter(({ read }) => read.problem === undefined)

/** What identifies the event: its UID, or the hash of one that cannot be stored, or of the content. */
export const keyOf = async (uid: string | null, hash: string): Promise<string> =>
  isPlainUid(uid) ? uid : `urn:sha256:${uid === null ? hash : await sha256Hex(uid)}`

/** Builds the event from its components, if possible, and lists what it cannot say. */
export async function readEvent(
  files: CalendarFiles,
  { first, key, parts, hash }: EventText,
  { zones, definitions }: ZonesRead,
  pause: Pause,
) {
  const skipped = parts.flatMap(({ read: { problem } }) =>
    problem === undefined ? [] : toSkipped(first, problem),
  )
  const readable = usable(parts)
  if (readable.length === 0) return { skipped }
  try {
    const steps = assemble(
      readable.map(({ read }) => read.component),
      zones,
    )
    const event = await finish(steps, pause)
    skipped.push(...event.problems.map((problem) => toSkipped(first, problem)))
    const own = [event.master, ...event.others]
    const text = objectText(
      files,
      readable.filter(({ read }) => own.includes(read.component)),
      definitions,
      key,
    )
    return { skipped, readable: { key, hash, event, text, zone: zones.home.zone } }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return { skipped: [...skipped, toSkipped(first, error.message)] }
  }
}
