import { lineNamed, readOutline, type Outline } from '../../lib/icalendar/outline'
import { instantIn, offsetIn, readZone } from '../../lib/icalendar/zone-definitions'
import type { WallClock } from '../../lib/recurrence/recurrence'
import { instantAt, wallAt } from '../../lib/time/zone'
import { zoneNamed } from '../../lib/time/zone-names'
import { remembered } from '../../lib/remembered'

/** What a report says of clocks beside the objects. */
export interface QueryClocks {
  /** The clocks of floating times and of days: by the query's time zone, the calendar's, or else the user's. */
  readonly floating: WallClock
  /** The IANA zone of a name that is none, such as a Windows name. */
  readonly zoneOf?: (name: string) => string | undefined
}

const MAX_REMEMBERED = 1000

export const clockOfZone = remembered(MAX_REMEMBERED, (zone: string): WallClock => ({
  wallAt: (instant) => wallAt(zone, instant),
  instantAt: (wall) => instantAt(zone, wall),
}))

export const UTC: WallClock = { wallAt: (instant) => instant, instantAt: (wall) => wall }

const MAX_NAME_LENGTH = 500

/** `/mozilla.org/20070129_1/Europe/Berlin` */
const foundIn = remembered(MAX_REMEMBERED, (name: string): { readonly zone: string | undefined } => {
  const parts = name.split('/')
  const names = [parts, parts.slice(-3), parts.slice(-2)].values().map((some) => zoneNamed(some.join('/')))
  return { zone: names.find((one) => one !== undefined) }
})

const ianaName = (name: string) => foundIn(name.trim().slice(0, MAX_NAME_LENGTH)).zone

/** The clocks that a VTIMEZONE describes; undefined for a malformed one. */
function clockOfDefinition(component: Outline): WallClock | undefined {
  const reading = readZone(component)
  let step = reading.next()
  while (step.done !== true) step = reading.next()
  const zone = step.value
  return (
    zone && {
      wallAt: (instant) => instant + offsetIn(zone, instant),
      instantAt: (wall) => instantIn(zone, wall),
    }
  )
}

/** What reading a definition costs at most. */
const DEFINITION_COST = 5000

interface Defined {
  readonly definitions: readonly Outline[]
  readonly zoneOf: QueryClocks['zoneOf']
  readonly spend: (units: number) => void
}

/** Finds the clocks of a TZID: by an IANA name, a name that is known otherwise, or the definition in the object. */
export function clocksNamed({ definitions, zoneOf, spend }: Defined) {
  const known = new Map<string, WallClock | undefined>()
  const find = (name: string): WallClock | undefined => {
    spend(10)
    const definition = definitions.find((one) => lineNamed(one, 'TZID')?.value.trim() === name)
    const location = definition && lineNamed(definition, 'X-LIC-LOCATION')?.value
    const zone = ianaName(name) ?? zoneOf?.(name) ?? (location === undefined ? undefined : ianaName(location))
    if (zone !== undefined) return clockOfZone(zone)
    if (!definition) return undefined
    spend(DEFINITION_COST)
    return clockOfDefinition(definition)
  }
  return (name: string): WallClock | undefined => known.getOrInsertComputed(name.trim(), find)
}

/** The clocks of a CALDAV:timezone: a calendar with one VTIMEZONE; undefined when it is none. */
export function clockOfTimezone(text: string, zoneOf?: QueryClocks['zoneOf']): WallClock | undefined {
  const calendar = readOutline(text).parts.find(({ name }) => name === 'VCALENDAR')
  const definitions = (calendar?.parts ?? []).filter(({ name }) => name === 'VTIMEZONE')
  const [only] = definitions
  const name = only && lineNamed(only, 'TZID')?.value
  if (name === undefined || definitions.length > 1) return undefined
  return clocksNamed({ definitions, zoneOf, spend: () => {} })(name)
}
