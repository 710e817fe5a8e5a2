import type { CalendarFiles } from '../../../lib/icalendar/icalendar'
import { printText, type TextComponent } from '../../../lib/icalendar/tree'
import type { Exported } from '../export/rules'
import { assemble } from '../import/rules'
import { finish, type Pause } from '../../../lib/pauses'
import { keyOf, zonesIn } from '../import/rules.file'
import { type CalendarObject, openObject, type ReadComponents, readComponents } from './rules.object'
import { rewrite } from './rules.rewriting'

/** A text as it is stored. */
export interface StoredText {
  readonly text: string
  readonly zone: string
  readonly exactVersion: number
}

/** What reading an object takes. */
export interface ObjectReading {
  readonly calendarFiles: CalendarFiles
  /** The IANA zone for floating times. */
  readonly home: string
  readonly pause: Pause
}

/** The time zones that an object defines or names. */
export const zonesOf = async ({ calendarFiles, home, pause }: ObjectReading, { zones }: CalendarObject) =>
  (await zonesIn(calendarFiles, zones.map(toFound), { home, pause })).zones

/** Builds the event of an object from its components. @throws {Unusable} without a start. */
export async function assembleObject(
  { calendarFiles, home, pause }: ObjectReading,
  object: CalendarObject,
  read: ReadComponents,
) {
  const zones = await zonesOf({ calendarFiles, home, pause }, object)
  const steps = assemble(
    read.map(([, component]) => component),
    zones,
  )
  return { event: await finish(steps, pause), zones }
}

const toFound = (zone: TextComponent) => ({
  name: 'VTIMEZONE' as const,
  text: printText(zone.parts),
  whole: printText([zone]),
})

/** The text of an event as it is now: as it was written, but for what has changed here since (contract: events.text). */
export async function renderText(
  { calendarFiles, pause }: Pick<ObjectReading, 'calendarFiles' | 'pause'>,
  { text, zone, exactVersion }: StoredText,
  now: Exported,
): Promise<string> {
  if (exactVersion === now.version) return text
  const object = await finish(openObject(text), pause)
  const read =
    typeof object === 'string'
      ? undefined
      : await finish(readComponents(calendarFiles, object.components), pause)
  if (typeof object === 'string' || !read) throw new Error('a stored text cannot be read')
  const { event: said, zones } = await assembleObject({ calendarFiles, home: zone, pause }, object, read)
  const key = await keyOf(object.uid, '')
  return rewrite(calendarFiles, { text, object, read, said, zones, key, now, exactVersion })
}
