import { paramsOf, type Outline, type OutlineLine } from '../../lib/icalendar/outline'
import { splitValue, unescapeText } from '../../lib/icalendar/text'
import { alarmTest } from './alarms'
import type { CalendarFilter, ComponentFilter, ParamFilter, PropertyFilter } from './calendar-filter'
import { ObjectTooCostly } from './effort'
import { type Instance, type InstanceSource, instancesOf } from './instances'
import { after, type TimeRange } from './moments'
import { type CalendarObject, ownTimes, REPEATING } from './object'
import { overlapsFreeBusy, overlapsInstance } from './overlap'
import { comparedTexts, type ComparedTexts, matchesText } from './text-match'

/** Properties whose values are lists of texts. */
const LISTS = new Set(['CATEGORIES', 'RESOURCES', 'NICKNAME'])

/** The texts of each line, for as long as somebody holds the line. */
const known = new WeakMap<OutlineLine, ComparedTexts>()

/** The values of a line as texts: each of a list. */
export const textsOf = (line: OutlineLine): ComparedTexts =>
  known.getOrInsertComputed(line, ({ name, value }) => {
    const values = LISTS.has(name) ? splitValue(value, ',') : [value]
    return comparedTexts(values.map(unescapeText))
  })

/** Whether a line has such a parameter, or has none. */
export function matchesParam(
  filter: ParamFilter,
  line: OutlineLine,
  spend: CalendarObject['spend'],
): boolean {
  const values = paramsOf(line).get(filter.name)
  spend(1)
  if (!values) return filter.isNotDefined
  if (filter.isNotDefined) return false
  return !filter.text || matchesText(filter.text, comparedTexts(values), spend)
}

const isWithin = ({ from, until }: TimeRange, instant: number | undefined): boolean =>
  instant !== undefined && from <= instant && until > instant

/** Where DTEND or DUE is missing, but DURATION says as much. */
function effectiveTime({ name }: PropertyFilter, component: Outline, object: CalendarObject) {
  const isEnd = name === 'DTEND' ? component.name === 'VEVENT' : name === 'DUE' && component.name === 'VTODO'
  const { start, duration } = ownTimes(object, component)
  return isEnd && start && duration ? after(start.instant, duration, start.clock) : undefined
}

function matchesLine(filter: PropertyFilter, line: OutlineLine, object: CalendarObject): boolean {
  const { range, text, params } = filter
  object.spend(1)
  if (range && !isWithin(range, object.moment(line)?.instant)) return false
  if (text && !matchesText(text, textsOf(line), object.spend)) return false
  return params.every((param) => matchesParam(param, line, object.spend))
}

function matchesProperty(filter: PropertyFilter, component: Outline, object: CalendarObject): boolean {
  object.spend(1 + component.lines.length / 20)
  const lines = component.lines.filter(({ name }) => name === filter.name)
  if (filter.isNotDefined) return lines.length === 0
  if (lines.length === 0 && filter.range) {
    return isWithin(filter.range, effectiveTime(filter, component, object))
  }
  return lines.some((line) => matchesLine(filter, line, object))
}

/** Whether a series may have occurrences in the range that we cannot count: it matches, as a program loses it otherwise. */
const mayHaveMore = ({ isUncertain, first }: InstanceSource, { until }: TimeRange): boolean =>
  isUncertain && first !== undefined && until > first

/** Whether an instance near the range, of one of these components, passes. */
function someInstance(
  object: CalendarObject,
  components: readonly Outline[],
  near: TimeRange,
  passes: (instance: Instance) => boolean,
): boolean {
  const wanted = new Set(components)
  for (const source of object
    .groups(components[0]?.name ?? '')
    .flatMap((group) => instancesOf(group, object))) {
    object.spend(1)
    if (!source.components.some((component) => wanted.has(component))) continue
    if (mayHaveMore(source, near)) return true
    const found = Iterator.from(source.near(near))
    if (found.some((instance) => wanted.has(instance.component) && passes(instance))) return true
  }
  return false
}

/** Whether an alarm of `parent` triggers in the range. */
function someTrigger(alarms: readonly Outline[], parent: Outline, range: TimeRange, object: CalendarObject) {
  return alarms.some((component) => {
    const alarm = alarmTest(component, range, object)
    if (alarm?.absolute !== undefined) return alarm.absolute
    return alarm !== undefined && someInstance(object, [parent], alarm.near, alarm.triggersFor)
  })
}

function someOverlaps(found: readonly Outline[], parent: Outline, range: TimeRange, object: CalendarObject) {
  const name = found[0]?.name ?? ''
  if (name === 'VALARM') return someTrigger(found, parent, range, object)
  if (name === 'VFREEBUSY') return found.some((component) => overlapsFreeBusy(range, component, object))
  return someInstance(object, found, range, (instance) => overlapsInstance(range, instance, object))
}

/** A range for the whole calendar is one for any of its components. */
const someComponent = ({ parts }: Outline, range: TimeRange, object: CalendarObject): boolean =>
  [...REPEATING, 'VFREEBUSY'].some((kind) => {
    const found = parts.filter(({ name }) => name === kind)
    return found.length > 0 && someOverlaps(found, object.root, range, object)
  })

function matchesComponent(filter: ComponentFilter, parent: Outline, object: CalendarObject): boolean {
  object.spend(1 + parent.parts.length / 20)
  const parts = parent.parts.filter(({ name }) => name === filter.name)
  if (filter.isNotDefined) return parts.length === 0
  const passing = parts.filter(
    (part) =>
      filter.properties.every((property) => matchesProperty(property, part, object)) &&
      filter.components.every((inner) => matchesComponent(inner, part, object)),
  )
  const { range, name } = filter
  if (!range || passing.length === 0) return passing.length > 0
  if (name === 'VCALENDAR') return passing.some((part) => someComponent(part, range, object))
  return someOverlaps(passing, parent, range, object)
}

/**
 * Whether an object matches. One that costs too much to say matches: a program that gets it once too often loses nothing.
 * @throws {QueryRefusal} when the report has cost too much.
 */
export function matchesCalendar(filter: CalendarFilter, object: CalendarObject): boolean {
  try {
    return matchesComponent(filter, object.root, object)
  } catch (error) {
    if (error instanceof ObjectTooCostly) return true
    throw error
  }
}
