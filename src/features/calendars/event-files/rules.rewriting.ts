import type { CalendarComponent, CalendarFiles } from '../../../lib/icalendar/icalendar'
import { escapeComponent } from '../../../lib/icalendar/text'
import {
  isComponent,
  lineEndOf,
  printText,
  splitText,
  type TextComponent,
  type TextPart,
  withProperties,
} from '../../../lib/icalendar/tree'
import { DAY_MS, wallIn, type WallTime } from '../../../lib/time/wall-time'
import { type Exported, type ExportedOccurrence, point, timeLines, unnamedFirst } from '../export/rules'
import { zoneLines } from '../export/rules.zones'
import { readRule, toSeries } from '../../events/events/rules.recurrence'
import { textsOf } from '../../events/events/rules.texts'
import { type Times, timesAt } from '../../events/events/rules.times'
import type { Imported } from '../import/rules'
import { type Clocks, readTimes, type Zones } from '../import/rules.times'
import { type CalendarObject, namesIn, type ReadComponents, valueIn } from './rules.object'
import {
  hasCancelled,
  isInPlace,
  type Saying,
  type Style,
  styled,
  styleOf,
  withExceptions,
  withRepetition,
  withTexts,
  withTimes,
  type Write,
} from './rules.properties'

/** A text, the event that was read from it, and the event as it is now. */
export interface Rewriting {
  readonly text: string
  readonly object: CalendarObject
  readonly read: ReadComponents
  readonly said: Imported
  readonly zones: Zones
  /** What identified the event when the text was written. */
  readonly key: string
  readonly now: Exported
  readonly exactVersion: number
}

/** What all components need that are written. */
interface Writing {
  readonly before: Saying
  readonly now: Exported
  readonly style: Style
  readonly zones: Zones
  readonly write: Write
  /** The UID for other programs, where it is another one than the text has. */
  readonly uid: string | undefined
  readonly sequence: number
  readonly isOpen: { readonly before: boolean; readonly now: boolean }
}

/**
 * The text with the lines replaced in which the event differs from what the text says (contract: events.text). Changed components
 * also get DTSTAMP, LAST-MODIFIED and SEQUENCE; everything else stays as it is.
 */
export function rewrite(files: Pick<CalendarFiles, 'print'>, rewriting: Rewriting): string {
  const { text, object, read, said, zones, key, now, exactVersion } = rewriting
  const end = lineEndOf(text)
  const master = read.find(([, component]) => component === said.master)?.[0]
  if (!master) return text
  const writing: Writing = {
    before: toSaying(said),
    now,
    style: styleOf(said.master, said.clocks),
    zones,
    write: (lines) => lines.map((line) => files.print([line]).replaceAll('\r\n', end)),
    uid: now.uid === key ? undefined : now.uid,
    sequence: now.version - exactVersion,
    isOpen: { before: said.visibility !== 'private', now: now.visibility === 'public' },
  }
  const changed = new Map<TextComponent, readonly TextComponent[]>()
  const newMaster = masterAfter(master, writing)
  const places = placesOf(read, said, writing)
  const added = unwritten(places, writing).map((one) => newOverride(newMaster, one, writing))
  for (const place of places) changed.set(place.text, overrideAfter(place, writing))
  changed.set(master, [newMaster, ...added])
  const parts = object.calendar.parts.flatMap((part): readonly TextPart[] =>
    isComponent(part) ? (changed.get(part) ?? [part]) : [part],
  )
  const calendar = { ...object.calendar, parts: withZones(parts, object, writing) }
  return printText(object.parts.map((part) => (part === object.calendar ? calendar : part)))
}

/** What the text says, in the form of what the event says now. */
const toSaying = ({ times, texts, ruleText, extras, occurrences }: Imported): Saying => ({
  times,
  texts,
  ruleText,
  series: ruleText === null ? undefined : toSeries(times, readRule(ruleText), extras),
  occurrences: occurrences.map((one) => ({
    ...one,
    times: one.times ?? timesAt(times, one.wall),
    kept: null,
    textStart: one.isWritten ? one.wall : null,
  })),
})

function masterAfter(master: TextComponent, writing: Writing): TextComponent {
  const { before, now, style, write } = writing
  const isSeries = now.series !== undefined
  const timed = withTimes(master, { before: before.times, now: now.times, isSeries, style, write })
  const repeated = withExceptions(withRepetition(timed, writing), writing)
  const texts = withTexts(repeated, before.texts, now.texts, write)
  return stamped(master, withClass(withUid(texts, writing), writing), writing)
}

const withUid = (component: TextComponent, { uid, write }: Writing) =>
  uid === undefined ? component : withProperties(component, ['UID'], write([`UID:${escapeComponent(uid)}`]))

/** Says whether members may see the event, where that is another than before. */
const withClass = (component: TextComponent, { isOpen, write }: Writing) =>
  isOpen.before === isOpen.now
    ? component
    : withProperties(component, ['CLASS'], isOpen.now ? [] : write(['CLASS:PRIVATE']))

/** Says when a component was changed, if it was. */
function stamped(
  former: TextComponent,
  made: TextComponent,
  { now, sequence, write }: Writing,
): TextComponent {
  if (made === former) return made
  const at = `${now.updatedAt.toISOString().replaceAll(/[-:]|\.\d+Z/g, '')}Z`
  const revision = Number(/^\s*\d{1,8}\s*$/.exec(valueIn(former, 'SEQUENCE') ?? '')?.[0] ?? 0)
  return [`DTSTAMP:${at}`, `LAST-MODIFIED:${at}`, `SEQUENCE:${revision + sequence}`].reduce(
    (component, line) => withProperties(component, [line.slice(0, line.indexOf(':'))], write([line])),
    made,
  )
}

/** A component of a single occurrence, and the occurrence as it is now; undefined for one that is gone. */
interface WrittenOverride {
  readonly text: TextComponent
  readonly component: CalendarComponent
  readonly wall: WallTime
  /** What it said; undefined where it said the same as the series. */
  readonly said: ExportedOccurrence | undefined
  readonly now: ExportedOccurrence | undefined
}

function placesOf(read: ReadComponents, { placed }: Imported, { before, now }: Writing): WrittenOverride[] {
  const isStill = isInPlace(before, now)
  const walls = new Map(placed.map(({ component, wall }) => [component, wall]))
  return read.flatMap(([text, component]) => {
    const wall = walls.get(component)
    if (wall === undefined) return []
    const said = before.occurrences.find(({ textStart }) => textStart === wall)
    return [{ text, component, wall, said, now: occurrenceNow(wall, now, isStill) }]
  })
}

/** The occurrence that the text names by `wall`. */
function occurrenceNow(wall: WallTime, now: Saying, isStill: boolean): ExportedOccurrence | undefined {
  const named = now.occurrences.find(({ textStart }) => textStart === wall)
  if (named || !isStill) return named
  const own = now.occurrences.find((one) => one.textStart === null && one.wall === wall)
  if (own) return own
  return now.series?.has(wall) ? asInSeries(wall, now) : undefined
}

const asInSeries = (wall: WallTime, { times }: Saying): ExportedOccurrence => ({
  wall,
  isCancelled: false,
  times: timesAt(times, wall),
  changes: {},
  kept: null,
  textStart: null,
})

function overrideAfter(place: WrittenOverride, writing: Writing): readonly TextComponent[] {
  const { text, wall, said, now: one } = place
  const { before, now, write } = writing
  if (!one || (one.isCancelled && !(said && hasCancelled(before, said)))) return []
  const former = said ?? asInSeries(wall, before)
  const named = renamed(text, { former, one }, writing)
  if (one.isCancelled) return [stamped(text, withUid(named, writing), writing)]
  const timed = overrideTimes(named, place.component, { former, one }, writing)
  const formerTexts = textsOf(before.texts, former.changes)
  const texts = withTexts(timed, formerTexts, textsOf(now.texts, one.changes), write)
  return [stamped(text, withClass(withUid(texts, writing), writing), writing)]
}

/** Writes the times in the zone in which the component has them. */
function overrideTimes(
  text: TextComponent,
  component: CalendarComponent,
  { former, one }: Renaming,
  { zones, style, write }: Writing,
): TextComponent {
  const clocks = clocksIn(component, zones)
  const zone = clocks && !clocks.foreign ? clocks.zone : undefined
  return withTimes(text, {
    before: inZone(former.times, zone),
    now: inZone(one.times, zone),
    isSeries: false,
    style: clocks ? styleOf(component, clocks) : style,
    write,
  })
}

/** The clocks of the component's start; undefined when it has none. */
function clocksIn(component: CalendarComponent, zones: Zones): Clocks | undefined {
  return component.lines.some(({ name }) => name === 'DTSTART')
    ? readTimes(component, zones).clocks
    : undefined
}

/** The same times, by the clocks of that zone. */
const inZone = (times: Times, zone: string | undefined): Times =>
  times.allDay || zone === undefined
    ? times
    : { ...times, timeZone: zone, startWall: wallIn(zone, times.startAt) }

interface Renaming {
  readonly former: ExportedOccurrence
  readonly one: ExportedOccurrence
}

/** Names the occurrence by its original start, where that is another one. */
function renamed(text: TextComponent, { former, one }: Renaming, { before, now, style, write }: Writing) {
  if (former.wall === one.wall && isInPlace(before, now)) return text
  return withProperties(
    text,
    ['RECURRENCE-ID'],
    write(styled([point('RECURRENCE-ID', now.times, one.wall)], style)),
  )
}

/** The occurrences that differ without a component in the text. */
function unwritten(places: readonly WrittenOverride[], { before, now }: Writing): ExportedOccurrence[] {
  const written = new Set(places.map((place) => place.now))
  const said = [...unnamedFirst(before), ...before.occurrences].filter(({ textStart }) => textStart === null)
  const isSaid = (one: ExportedOccurrence) =>
    isInPlace(before, now) && said.some((other) => summaryOf(other) === summaryOf(one))
  return [...unnamedFirst(now), ...now.occurrences].filter(
    (one) => !one.isCancelled && !written.has(one) && !isSaid(one),
  )
}

const summaryOf = ({ wall, isCancelled, times, changes }: ExportedOccurrence): string =>
  JSON.stringify([
    wall,
    isCancelled,
    times.allDay ? [times.startDate, times.endDate] : [times.startAt, times.endAt],
    changes,
  ])

const OF_SERIES = [
  'RECURRENCE-ID',
  'DTSTART',
  'DTEND',
  'DURATION',
  'RRULE',
  'RDATE',
  'EXDATE',
  'EXRULE',
  'X-ORGANISER-TIME-ZONE',
]

/** A component for an occurrence, with the properties of its series. */
function newOverride(master: TextComponent, one: ExportedOccurrence, writing: Writing): TextComponent {
  const { now, style, write } = writing
  const lines = [point('RECURRENCE-ID', now.times, one.wall), ...timeLines(one.times, false)]
  const timed = withProperties(master, OF_SERIES, write(styled(lines, style)))
  return stamped(master, withTexts(timed, now.texts, textsOf(now.texts, one.changes), write), writing)
}

/** Adds definitions of the zones that only new lines name. */
function withZones(
  parts: readonly TextPart[],
  { calendar, zones }: CalendarObject,
  { now, write }: Writing,
): readonly TextPart[] {
  const known = new Set(zones.map((zone) => valueIn(zone, 'TZID')?.trim()))
  const before = new Set(namesIn(calendar.parts.filter(isComponent)))
  const missing = namesIn(parts.filter(isComponent)).filter((name) => !known.has(name) && !before.has(name))
  const from = now.times.allDay ? Date.parse(now.times.startDate) : +now.times.startAt
  const made = missing.flatMap((name) => splitText(write(zoneLines(name, from - 2 * DAY_MS)).join('')))
  if (made.length === 0) return parts
  const place = parts.findIndex((part) => part.name === 'VEVENT')
  return parts.toSpliced(place, 0, ...made)
}
