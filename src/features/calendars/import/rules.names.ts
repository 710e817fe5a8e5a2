import type { CalendarFiles } from '../../../lib/icalendar/icalendar'
import { zoneNamed } from '../../../lib/time/zone-names'
import { type Clocks, clocksOf, type Zones } from './rules.times'
import { candidates, instantIn, isLike, offsetIn, signatureOf, type ZoneDefinition } from './rules.zones'

interface Known {
  /** The importing user's zone. */
  readonly home: string
  /** What a calendar of the file defines under a name. */
  readonly define: (name: string) => ZoneDefinition | undefined
  readonly files: Pick<CalendarFiles, 'zoneOfWindows' | 'mainZones'>
}

/** Comparing one with all zones takes its time; no calendar has as many of its own. */
const MAX_COMPARED = 100

/**
 * What the names of zones in one calendar of a file mean: IANA names, also at the end of longer ones, names that Windows
 * has, and what is defined beside them: the known zone that is like it in those years, else its own offsets.
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

/** The zone that a name says by itself: an IANA name, or one that Windows has. */
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
