import type { CalendarComponent, CalendarFiles } from '../../../lib/icalendar/icalendar'
import {
  componentsOf,
  isComponent,
  printText,
  splitText,
  type TextComponent,
  type TextPart,
  unfolded,
} from '../../../lib/icalendar/tree'
import { isStorable } from '../../../lib/text'
import { readUid } from '../import/rules'
import { zonesNamed } from '../import/rules.objects'

/** Why a text is no calendar object (RFC 4791, section 4.1). */
export type ObjectProblem =
  | 'not_storable'
  | 'not_a_calendar'
  | 'has_method'
  | 'no_component'
  | 'several_kinds'
  | 'no_uid'
  | 'several_uids'
  | 'unreadable'
  | 'no_start'

/** A calendar object in its parts. */
export interface CalendarObject {
  readonly parts: readonly TextPart[]
  readonly calendar: TextComponent
  /** `VEVENT`, `VTODO` or another name. */
  readonly kind: string
  readonly uid: string
  /** The components of that kind, in their order. */
  readonly components: readonly TextComponent[]
  readonly zones: readonly TextComponent[]
}

const lineOf = ({ parts }: TextComponent, wanted: string): string | undefined => {
  const line = parts.find((part) => !isComponent(part) && part.name === wanted)
  return line && !isComponent(line) ? unfolded(line.raw) : undefined
}

/** The value of the first line of that name, still escaped; undefined when there is none. */
export function valueIn(component: TextComponent, wanted: string): string | undefined {
  const line = lineOf(component, wanted)
  const head = line === undefined ? undefined : /^(?:[^":]|"[^"]*")*(?=:)/.exec(line.slice(0, 8192))?.[0]
  return head === undefined ? undefined : line?.slice(head.length + 1)
}

export function openObject(text: string): CalendarObject | ObjectProblem {
  if (!isStorable(text)) return 'not_storable'
  const parts = splitText(text.replace(/^\uFEFF/, ''))
  const [calendar, ...others] = componentsOf(parts, 'VCALENDAR')
  if (!calendar || others.length > 0) return 'not_a_calendar'
  const all = calendar.parts.filter(isComponent)
  if ([calendar, ...all].some(({ end }) => end === '')) return 'not_a_calendar'
  if (lineOf(calendar, 'METHOD') !== undefined) return 'has_method'
  const named = nameOf(all.filter(({ name }) => name !== 'VTIMEZONE'))
  return typeof named === 'string'
    ? named
    : { parts, calendar, ...named, zones: all.filter(({ name }) => name === 'VTIMEZONE') }
}

/** What the components have in common. */
function nameOf(components: readonly TextComponent[]) {
  const [kind, ...kinds] = new Set(components.map(({ name }) => name))
  if (kind === undefined) return 'no_component'
  if (kinds.length > 0) return 'several_kinds'
  const uids = new Set(components.map((component) => readUid(valueIn(component, 'UID') ?? '')))
  const [uid = '', ...others] = uids
  if (uids.has('')) return 'no_uid'
  return others.length > 0 ? 'several_uids' : { kind, uid, components }
}

/** The components of an object, each as written and as read. */
export type ReadComponents = ReadonlyArray<readonly [TextComponent, CalendarComponent]>

/** Undefined when a component cannot be read. */
export function readComponents(
  files: Pick<CalendarFiles, 'read'>,
  components: readonly TextComponent[],
): ReadComponents | undefined {
  const read = components.map((one) => [one, files.read(one.name, printText(one.parts))] as const)
  if (read.some(([, { problem }]) => problem !== undefined)) return undefined
  return read.map(([one, { component }]) => [one, component])
}

/** The names of the time zones that lines of the components name. */
export const namesIn = (components: readonly TextComponent[]): string[] =>
  zonesNamed(
    components.flatMap(({ parts }) =>
      parts.flatMap((part) => (isComponent(part) ? [] : [unfolded(part.raw)])),
    ),
  )
