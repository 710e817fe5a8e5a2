import type { Outline } from '../../lib/icalendar/outline'
import { DAY_MS } from '../../lib/time/wall-time'
import { after, lengthOf, type TextMoment, type TimeRange } from './moments'
import type { CalendarObject, ComponentGroup, Overriding, OwnTimes } from './object'
import { ownTimes } from './object'
import { type Repetition, repetitionOf } from './repetition'

/** A component at one of its times; in epoch milliseconds. */
export interface Instance {
  readonly component: Outline
  /** Undefined without DTSTART. */
  readonly start: number | undefined
  /** By DTEND, DUE or DURATION; undefined without them. */
  readonly end: number | undefined
  /** The end of the day on which it starts, where DTSTART is a day. */
  readonly dayEnd: number | undefined
  /** Whether DURATION says the end. */
  readonly isByDuration: boolean
  /** The clocks of its start. */
  readonly clock: TextMoment['clock']
  /** The start, or else the end, on these clocks. */
  readonly wall: number
  /** What its RECURRENCE-ID says; undefined when it does not repeat. */
  readonly id:
    { readonly kind: TextMoment['kind']; readonly wall: number; readonly instant: number } | undefined
}

const NEXT_DAY = { days: 1, seconds: 0 }

/** How an occurrence follows from the one that the component names. */
interface Shape {
  readonly times: OwnTimes
  readonly anchor: TextMoment
}

/** The wall time of an end that is as far from `start` as the component says. */
function endFrom({ times, anchor }: Shape, start: number, wall: number): number | undefined {
  const { end, duration } = times
  if (!times.start) return start
  if (end && end.kind === 'date' && anchor.kind === 'date') {
    return anchor.clock.instantAt(wall + end.wall - anchor.wall)
  }
  if (end) return start + end.instant - anchor.instant
  return duration && after(start, duration, anchor.clock)
}

function shaped(component: Outline, shape: Shape, at: { instant: number; wall: number }): Instance {
  const { times, anchor } = shape
  const { instant, wall } = at
  const isDay = anchor.kind === 'date'
  return {
    component,
    start: times.start && instant,
    end: endFrom(shape, instant, wall),
    dayEnd: isDay ? after(instant, NEXT_DAY, anchor.clock) : undefined,
    isByDuration: times.end === undefined && times.duration !== undefined,
    clock: anchor.clock,
    wall,
    id: undefined,
  }
}

const UNDATED = { end: undefined, dayEnd: undefined, isByDuration: false, wall: 0, id: undefined }

/** A component at the time that it names itself. */
function own(component: Outline, object: CalendarObject): Instance {
  const times = ownTimes(object, component)
  const anchor = times.start ?? times.end
  if (!anchor) return { component, start: undefined, clock: object.floating, ...UNDATED }
  return shaped(component, { times, anchor }, anchor)
}

/** The longest times from a start to an end, and, of a todo that is due before it starts, from an end to a start. */
function reachOf({ start, end, duration }: OwnTimes, { ends }: Repetition): { ahead: number; back: number } {
  const length = start && end ? end.instant - start.instant : duration ? lengthOf(duration) : 0
  const periods = ends.entries().reduce((most, [from, until]) => Math.max(most, until - from), 0)
  // Clocks may change meanwhile.
  const rest = start?.kind === 'date' || (duration?.days ?? 0) !== 0 ? 2 * DAY_MS : 0
  return { ahead: Math.max(length, periods, 0) + rest, back: Math.max(-length, 0) + rest }
}

/** An override that changes all later occurrences: by how much it moves them. */
interface Onward {
  readonly from: number
  readonly component: Outline
  readonly shape: Shape
  readonly shift: number
}

function onwardOf(overrides: readonly Overriding[], repetition: Repetition, object: CalendarObject) {
  const found: Onward[] = []
  for (const { component, id, isOnward } of overrides) {
    const times = ownTimes(object, component)
    if (!isOnward || !times.start) continue
    const from = repetition.startOf(id)
    const isSame = (times.start.kind === 'date') === (repetition.anchor.kind === 'date')
    const shift = isSame ? times.start.wall - wallIn(id, repetition, times.start) : 0
    found.push({ from, component, shape: { times, anchor: times.start }, shift })
  }
  return found.toSorted((a, b) => a.from - b.from)
}

/** The wall time of a RECURRENCE-ID on the clocks of the override. */
const wallIn = (id: TextMoment, repetition: Repetition, start: TextMoment): number => {
  const original = repetition.startOf(id)
  return start.kind === 'date' ? original : start.clock.wallAt(original)
}

interface TextSeries {
  readonly master: Outline
  readonly shape: Shape
  readonly repetition: Repetition
  readonly onward: readonly Onward[]
}

function seriesOf(master: Outline, overrides: readonly Overriding[], object: CalendarObject) {
  const times = ownTimes(object, master)
  const anchor = times.start ?? times.end
  if (!anchor) return undefined
  const repetition = repetitionOf(master, anchor, overrides, object)
  return {
    master,
    shape: { times, anchor },
    repetition,
    onward: onwardOf(overrides, repetition, object),
  } satisfies TextSeries
}

/** The occurrence at a start of the series, as the override before it says. */
function occurrence({ master, shape, repetition, onward }: TextSeries, start: number): Instance {
  const changed = onward.findLast(({ from }) => from <= start)
  const id = { kind: shape.anchor.kind, wall: repetition.wallOf(start), instant: repetition.instantOf(start) }
  if (!changed) {
    const made = shaped(master, shape, id)
    const end = repetition.ends.get(start)
    return { ...made, ...(end !== undefined && { end }), id: repetition.repeats ? id : undefined }
  }
  const { anchor } = changed.shape
  const wall = (anchor.kind === 'date' ? start : anchor.clock.wallAt(id.instant)) + changed.shift
  return { ...shaped(changed.component, changed.shape, { wall, instant: anchor.clock.instantAt(wall) }), id }
}

const MAX_SHIFT = 400 * DAY_MS

function* occurrences(series: TextSeries, range: TimeRange): Generator<Instance> {
  const { repetition, shape, onward } = series
  const shifts = onward.map(({ shift }) => Math.min(MAX_SHIFT, Math.abs(shift)) + DAY_MS)
  const shift = Math.max(0, ...shifts)
  const reaches = [shape.times, ...onward.map((one) => one.shape.times)].map((one) =>
    reachOf(one, repetition),
  )
  const ahead = Math.max(...reaches.map((one) => one.ahead))
  const back = Math.max(...reaches.map((one) => one.back))
  const near = { from: range.from - ahead - shift, until: range.until + back + shift }
  for (const start of repetition.startsIn(near)) yield occurrence(series, start)
}

/** One component of the object: its instances, and whether there may be more that nobody can count. */
export interface InstanceSource {
  /** The components that the instances may belong to. */
  readonly components: readonly Outline[]
  readonly isUncertain: boolean
  readonly first: number | undefined
  /** All that may touch the range, and some around it. */
  readonly near: (range: TimeRange) => Iterable<Instance>
}

const single = (component: Outline, id: TextMoment | undefined, object: CalendarObject): InstanceSource => ({
  components: [component],
  isUncertain: false,
  first: undefined,
  near: () => [{ ...own(component, object), id }],
})

/** The instances of a group: those of its overrides, and those that its series has beside them. */
export function instancesOf(
  { masters, overrides }: ComponentGroup,
  object: CalendarObject,
): InstanceSource[] {
  const alone = overrides.map(({ component, id }) => single(component, id, object))
  const series = masters.map((master): InstanceSource => {
    const found = seriesOf(master, overrides, object)
    if (!found) return single(master, undefined, object)
    return {
      components: [master, ...found.onward.map(({ component }) => component)],
      isUncertain: found.repetition.isUncertain,
      first: found.shape.anchor.instant,
      near: (range) => occurrences(found, range),
    }
  })
  return [...alone, ...series]
}

/** The occurrences that the series would have at RECURRENCE-IDs, were they not overridden; undefined without a series. */
export function originalOf({ masters }: ComponentGroup, object: CalendarObject) {
  const [master] = masters
  const series = master && seriesOf(master, [], object)
  return series && ((id: TextMoment): Instance => occurrence(series, series.repetition.startOf(id)))
}
