import {
  componentsOf,
  isComponent,
  type TextComponent,
  type TextPart,
  unfolded,
  withProperties,
} from '../../../lib/icalendar/tree'
import { instantOf, wallIn, type WallTime } from '../../../lib/time/wall-time'
import { inUtc, type LocalTime, wallOfLocal } from './rules.moments'

/** How far a todo has moved: by the clocks of a zone, from one time when it was due to another. */
export interface DueShift {
  readonly zone: string
  readonly from: LocalTime
  readonly to: LocalTime
}

/** The todo with alarms at a time of their own as long before it is due as they were; all other alarms follow by themselves. */
export function withMovedAlarms(component: TextComponent, { zone, from, to }: DueShift): TextComponent {
  if ((from.time === null) !== (to.time === null) || componentsOf(component.parts, 'VALARM').length === 0)
    return component
  const shift = (wall: WallTime) => wall + wallOfLocal(to) - wallOfLocal(from)
  const moved = (part: TextPart): TextPart => {
    if (!isComponent(part) || part.name !== 'VALARM') return part
    const raws = part.parts.flatMap((one) => (isComponent(one) || one.name !== 'TRIGGER' ? [] : [one.raw]))
    return withProperties(
      part,
      ['TRIGGER'],
      raws.map((raw) => movedTrigger(raw, zone, shift)),
    )
  }
  return { ...component, parts: component.parts.map(moved) }
}

const AT = /^(TRIGGER[^:]*:[ \t]*)(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z[ \t]*$/i

/** A line that names an instant (RFC 5545, section 3.8.6.3), moved; any other stays. */
function movedTrigger(raw: string, zone: string, shift: (wall: WallTime) => WallTime): string {
  const [, head, year, month, day, hour, minute, second] = AT.exec(unfolded(raw)) ?? []
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (head === undefined || Number.isNaN(+at)) return raw
  return `${head}${inUtc(instantOf(zone, shift(wallIn(zone, at))))}${/[\r\n]+$/.exec(raw)?.[0] ?? ''}`
}
