import { invalid } from '../../../lib/errors'
import type { CalendarFiles, ComponentFound, ComponentRead } from '../../../lib/icalendar/icalendar'
import { cut, sha256Hex } from '../../../lib/text'
import { contentOf } from '../export/rules.kept'
import { assemble, readUid, refuseLongUid } from './rules'
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
  readonly zonesOf: (calendar: number) => Promise<Zones>
}

export type Pause = () => Promise<void>

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
  const named = new Map<number, Zones>()
  const zonesOf = async (calendar: number): Promise<Zones> => {
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

/** The zones of one calendar in the file. Definitions under a known name are not parsed. */
async function zonesIn(
  files: CalendarFiles,
  found: readonly ComponentFound[],
  { home, pause }: ReadOptions,
): Promise<Zones> {
  const definitions = new Map<string, ZoneDefinition | undefined>()
  for (const { name, text } of found) {
    const { component } = files.read(name, text)
    const zone = nameOfZone(component) ?? ''
    if (knownZone(files, zone) === undefined) definitions.set(zone, await finish(readZone(component), pause))
    await pause()
  }
  return namedZones({ home, files, define: (name) => definitions.get(name) })
}

/** The parsed lines of the components of one UID. */
export interface EventText {
  readonly first: ComponentFound
  readonly uid: string | null
  /** Identifies the event in its calendar: its UID, or its hash if it has none. */
  readonly key: string
  readonly components: readonly ComponentRead[]
  /** SHA-256 of the usable components, in hex. */
  readonly hash: string
}

export async function readText(files: CalendarFiles, group: Group, pause: Pause): Promise<EventText> {
  const [first] = group
  if (!first) throw new Error('the group has no components')
  const components: ComponentRead[] = []
  for (const found of group) {
    components.push(files.read(found.name, found.text))
    await pause()
  }
  const texts = usable(components).map(({ lines }) => contentOf(lines))
  const hash = await sha256Hex(texts.toSorted().join('\n\n'))
  const uid = first.uid === null ? null : readUid(first.uid)
  return { first, uid, key: uid ?? `urn:sha256:${hash}`, components, hash }
}

const usable = (components: readonly ComponentRead[]) =>
  components.filter(({ problem }) => problem === undefined)

/** Builds the event from its components, if possible, and lists the components that were left out. */
export async function readEvent(
  { first, uid, key, components, hash }: EventText,
  zones: Zones,
  pause: Pause,
) {
  const skipped = components.flatMap(({ problem }) =>
    problem === undefined ? [] : toSkipped(first, problem),
  )
  const readable = usable(components)
  if (readable.length === 0) return { skipped }
  try {
    refuseLongUid(uid)
    const steps = assemble(
      readable.map(({ component }) => component),
      zones,
    )
    const event = await finish(steps, pause)
    skipped.push(...event.problems.map((problem) => toSkipped(first, problem)))
    return { skipped, readable: { key, hash, event } }
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
