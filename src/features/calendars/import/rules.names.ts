import type { CalendarFiles } from '../../../lib/icalendar/icalendar'
import { zoneNamed } from '../../../lib/time/zone-names'
import { type Clocks, clocksOf, type Zones } from './rules.times'
import {
  candidates,
  instantIn,
  isLike,
  offsetIn,
  signatureOf,
  type ZoneDefinition,
} from '../../../lib/icalendar/zone-definitions'

interface Known {
  /** The importing user's zone. */
  readonly home: string
  /** The definition of that name in the calendar of the file. */
  readonly define: (name: string) => ZoneDefinition | undefined
  readonly files: Pick<CalendarFiles, 'zoneOfWindows' | 'mainZones'>
}

/** Comparing a definition with all zones is slow; no real calendar has as many definitions. */
const MAX_COMPARED = 100

/**
 * Resolves the zone names in one calendar of a file: IANA names, also as the end of longer names; Windows names; and names
 * defined in the file, which become the known zone with the same offsets in those years, or else keep their own.
 */
export function namedZones({ home, define, files }: Known): Zones {
  const found = new Map<string, Clocks | undefined>()
  let compared = 0
  const remember = (key: string, find: () => Clocks | undefined): Clocks | undefined => {
    if (!found.has(key)) found.set(key, find())
    return found.get(key)
  }
  const defined = (name: string, year: number) => {
    const definition = define(name)
    if (!definition || ++compared > MAX_COMPARED) return undefined
    return meant(definition, year, [home, ...files.mainZones])
  }
  return {
    home: clocksOf(home),
    find(name, year) {
      const known = remember(name, () => {
        const zone = knownZone(files, name) ?? ianaName(define(name)?.location ?? '')
        return zone === undefined ? undefined : clocksOf(zone)
      })
      return known ?? remember(`${name} ${year}`, () => defined(name, year))
    },
  }
}

/** The zone that the name itself identifies: an IANA name or a Windows name. */
export const knownZone = (files: Pick<CalendarFiles, 'zoneOfWindows'>, name: string): string | undefined =>
  ianaName(name) ?? files.zoneOfWindows(name)

/** `/mozilla.org/20070129_1/Europe/Berlin` */
function ianaName(name: string): string | undefined {
  const parts = name.trim().split('/')
  const names = [parts, parts.slice(-3), parts.slice(-2)].map((some) => some.join('/'))
  return names.map(zoneNamed).find((one) => one !== undefined)
}

function meant(definition: ZoneDefinition, year: number, likely: readonly string[]): Clocks {
  const signature = signatureOf(definition, year)
  const zone = candidates(signature, likely).find((one) => isLike(signature, one))
  if (zone !== undefined) return clocksOf(zone)
  return {
    zone: likely[0] ?? 'UTC',
    toInstant: (wall) => new Date(instantIn(definition, wall)),
    foreign: (at) => +at + offsetIn(definition, +at),
  }
}
