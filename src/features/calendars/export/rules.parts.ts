import type { CalendarFiles } from '../../../lib/icalendar/icalendar'
import { finishAtOnce } from '../../../lib/pauses'
import { printText, type TextComponent } from '../../../lib/icalendar/tree'
import { zoneNamed } from '../../../lib/time/zone-names'
import { namesIn, openObject, valueIn } from '../event-files/rules.object'
import { zoneLines } from './rules.zones'

/**
 * The components of an object as parts of a larger file, after the time zones that they name and that `zones` does not have yet.
 * Those with IANA names are defined by us, as other events of the file may name them too; the others as the object does.
 */
export function* partsOf(
  files: Pick<CalendarFiles, 'print'>,
  text: string,
  zones: Map<string, number>,
): Generator<string> {
  const object = finishAtOnce(openObject(text))
  if (typeof object === 'string') throw new Error('a stored text is no calendar object')
  for (const name of namesIn(object.components)) {
    if (zones.has(name)) continue
    const own = object.zones.find((zone) => valueIn(zone, 'TZID')?.trim() === name)
    if (zoneNamed(name) === name && name !== 'UTC') yield files.print(zoneLines(name, -Infinity))
    else if (own) yield withLineEnds(own)
    zones.set(name, 0)
  }
  for (const component of object.components) yield withLineEnds(component)
}

const withLineEnds = (component: TextComponent): string =>
  printText([component]).replaceAll(/\r\n|\n|\r/g, '\r\n')
