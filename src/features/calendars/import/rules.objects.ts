import type { CalendarFiles, ComponentFound, ComponentRead } from '../../../lib/icalendar/icalendar'
import { lineEndOf, printText, splitText, unfolded, withProperties } from '../../../lib/icalendar/tree'
import { escapeText } from '../../../lib/icalendar/text'
import { partLines } from './rules'

/** VTIMEZONEs as written, by TZID. */
export type Definitions = ReadonlyMap<string, string>

/** A component with its place in the file. */
export interface ObjectPart {
  readonly found: ComponentFound
  readonly read: ComponentRead
}

const TZID = /;[ \t]?TZID=(?:"([^"]*)"|([^;:",]*))/i

/** The names of the zones that the lines refer to. */
export const zonesNamed = (lines: readonly string[]): string[] => [
  ...new Set(
    lines.flatMap((line) => {
      const [, quoted, plain] = TZID.exec(line.slice(0, 1000)) ?? []
      return quoted ?? plain ?? []
    }),
  ),
]

/**
 * The components of one UID as an object of their own: with VERSION, PRODID and CALSCALE of their calendar and the time zones that
 * they name, all as written.
 */
export function objectText(
  files: Pick<CalendarFiles, 'print'>,
  parts: readonly ObjectPart[],
  definitions: Definitions,
  uid: string,
): string {
  const [first] = parts
  const end = lineEndOf(first?.found.whole ?? '')
  const print = (line: string) => files.print([line]).replaceAll('\r\n', end)
  const zones = zonesNamed(parts.flatMap(({ read }) => read.lines))
  const pieces = [
    `BEGIN:VCALENDAR${end}`,
    ...headOf(first?.found.head ?? [], print),
    ...zones.flatMap((zone) => definitions.get(zone) ?? []).map((text) => ended(text, end)),
    ...parts.map((part) => componentText(part, print, uid)),
    `END:VCALENDAR${end}`,
  ]
  return pieces.map((piece) => withLineEnd(piece, end)).join('')
}

const withLineEnd = (text: string, end: string): string => (/[\r\n]$/.test(text) ? text : text + end)

/** A time zone that the file does not end would take in what follows it. Components of other kinds are refused then. */
const ended = (zone: string, end: string): string =>
  /(?:^|[\r\n])END[ \t]*:[ \t]*VTIMEZONE[ \t]*$/i.test(unfolded(zone.slice(-200)))
    ? zone
    : `${withLineEnd(zone, end)}END:VTIMEZONE${end}`

function headOf(head: readonly string[], print: (line: string) => string): string[] {
  const isOld = /^VERSION[^:]*:(?!\s*2\.0)/im.test(head.join(''))
  const kept = head.map((line) => (isOld && /^VERSION/i.test(line) ? print('VERSION:2.0') : line))
  return [
    ...(/^VERSION/im.test(head.join('')) ? [] : [print('VERSION:2.0')]),
    ...(/^PRODID/im.test(head.join('')) ? [] : [print('PRODID:-//Organiser//Organiser//EN')]),
    ...kept,
  ]
}

const IS_ENCODED = /[;=]QUOTED-PRINTABLE[;:]/i

/** Texts that only vCalendar 1.0 encodes so are written anew, and a missing UID is added. */
function componentText({ found, read }: ObjectPart, print: (line: string) => string, uid: string): string {
  const isEncoded = read.lines.some((line) => IS_ENCODED.test(line.slice(0, 1000)))
  const text = isEncoded ? partLines(read.component).map(print).join('') : found.whole
  if (found.uid !== null) return text
  const [component] = splitText(text)
  if (!component || !('parts' in component)) return text
  return printText([withProperties(component, ['UID'], [print(`UID:${escapeText(uid)}`)])])
}
