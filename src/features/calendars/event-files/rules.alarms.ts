import {
  componentsOf,
  isComponent,
  printText,
  splitText,
  type TextComponent,
  type TextPart,
} from '../../../lib/icalendar/tree'
import { valueIn } from './rules.object'

/** An alarm, or a line that says what became of one. */
interface Alarm {
  /** As it was written. */
  readonly raw: string
  /** How many other parts of the component follow it. */
  readonly after: number
}

/** The alarms of an object, by the RECURRENCE-ID of their component. What has the same ones as the series is left out. */
export type Alarms = Readonly<Record<string, readonly Alarm[]>>

export const SERIES = ''
export const NO_ALARMS: Alarms = {}

/** Thunderbird keeps beside the alarms when they were dismissed or put off. */
const IS_STATE = /^X-MOZ-(?:LASTACK|SNOOZE-TIME)/

const isAlarm = (part: TextPart): boolean =>
  isComponent(part) ? part.name === 'VALARM' : IS_STATE.test(part.name)

/** The components of events, each by its RECURRENCE-ID. */
export const keyOf = (component: TextComponent): string =>
  valueIn(component, 'RECURRENCE-ID')?.trim() ?? SERIES

export const isEvent = (part: TextPart): part is TextComponent => isComponent(part) && part.name === 'VEVENT'

/** The text with other components of its events. */
const withEvents = (text: string, change: (event: TextComponent) => TextComponent): string =>
  printText(
    splitText(text).map((part) =>
      isComponent(part) && part.name === 'VCALENDAR'
        ? { ...part, parts: part.parts.map((one) => (isEvent(one) ? change(one) : one)) }
        : part,
    ),
  )

/** The alarms of a text. */
export function alarmsIn(text: string): Alarms {
  const events = componentsOf(splitText(text), 'VCALENDAR').flatMap(({ parts }) =>
    componentsOf(parts, 'VEVENT'),
  )
  const all = events.map((event) => [keyOf(event), alarmsOf(event)] as const)
  const series = all.find(([key]) => key === SERIES)?.[1] ?? []
  const others = all.filter(([key, alarms]) => key !== SERIES && !isSame(alarms, series))
  return Object.fromEntries([...(series.length > 0 ? [[SERIES, series] as const] : []), ...others])
}

function alarmsOf({ parts }: TextComponent): readonly Alarm[] {
  const others = parts.filter((part) => !isAlarm(part)).length
  let before = 0
  return parts.flatMap((part): Alarm[] => {
    if (isAlarm(part)) return [{ raw: printText([part]), after: others - before }]
    before++
    return []
  })
}

export const withoutAlarms = (event: TextComponent): TextComponent => ({
  ...event,
  parts: event.parts.filter((part) => !isAlarm(part)),
})

const isSame = (one: readonly Alarm[], other: readonly Alarm[]) =>
  one.length === other.length &&
  one.every(({ raw, after }, at) => raw === other[at]?.raw && after === other[at].after)

/** The alarms of a component. Keys come from texts, which may name what every object has. */
const ownOf = (alarms: Alarms, key: string): readonly Alarm[] | undefined =>
  Object.hasOwn(alarms, key) ? alarms[key] : undefined

/** Whether both are the same alarms. */
export function areSame(one: Alarms, other: Alarms): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].every((key) => {
    const [first, second] = [ownOf(one, key), ownOf(other, key)]
    return first !== undefined && second !== undefined && isSame(first, second)
  })
}

/** The text with these alarms in place of its own; an occurrence that has none of its own has those of the series. */
export const withAlarms = (text: string, alarms: Alarms): string =>
  withEvents(text, (event) => {
    const { parts } = withoutAlarms(event)
    const own = ownOf(alarms, keyOf(event)) ?? ownOf(alarms, SERIES) ?? []
    const placed = Map.groupBy(own, ({ after }) => Math.max(0, parts.length - after))
    const at = (place: number) => (placed.get(place) ?? []).flatMap(({ raw }) => splitText(raw))
    return { ...event, parts: [...parts.flatMap((part, place) => [...at(place), part]), ...at(parts.length)] }
  })
