import type { CalendarComponent, CalendarFiles } from '../../../lib/icalendar/icalendar'
import {
  componentsOf,
  isComponent,
  printText,
  splitInSteps,
  type TextComponent,
  type TextPart,
  unfolded,
} from '../../../lib/icalendar/tree'
import type { Steps } from '../../../lib/pauses'
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

/** Opens a text, in steps between which the caller can pause. */
export function* openObject(text: string): Steps<CalendarObject | ObjectProblem> {
  if (!isStorable(text)) return 'not_storable'
  const parts = yield* splitInSteps(text.replace(/^\uFEFF/, ''))
  const [calendar, ...others] = componentsOf(parts, 'VCALENDAR')
  if (!calendar || others.length > 0) return 'not_a_calendar'
  const all = calendar.parts.filter(isComponent)
  if ([calendar, ...all].some(({ end }) => end === '')) return 'not_a_calendar'
  if (lineOf(calendar, 'METHOD') !== undefined) return 'has_method'
  const named = yield* nameOf(all.filter(({ name }) => name !== 'VTIMEZONE'))
  return typeof named === 'string'
    ? named
    : { parts, calendar, ...named, zones: all.filter(({ name }) => name === 'VTIMEZONE') }
}

/** What the components have in common. */
function* nameOf(components: readonly TextComponent[]) {
  const [kind, ...kinds] = new Set(components.map(({ name }) => name))
  if (kind === undefined) return 'no_component'
  if (kinds.length > 0) return 'several_kinds'
  const uids = new Set<string>()
  for (const component of components) {
    uids.add(readUid(valueIn(component, 'UID') ?? ''))
    yield
  }
  const [uid = '', ...others] = uids
  if (uids.has('')) return 'no_uid'
  return others.length > 0 ? 'several_uids' : { kind, uid, components }
}

/** The components of an object, each as written and as read. */
export type ReadComponents = ReadonlyArray<readonly [TextComponent, CalendarComponent]>

/** Reads the components, in steps between which the caller can pause. Returns undefined when one cannot be read. */
export function* readComponents(
  files: Pick<CalendarFiles, 'read'>,
  components: readonly TextComponent[],
): Steps<ReadComponents | undefined> {
  const found: Array<readonly [TextComponent, CalendarComponent]> = []
  for (const one of components) {
    const { component, problem } = files.read(one.name, printText(one.parts))
    if (problem !== undefined) return undefined
    found.push([one, component])
    yield
  }
  return found
}

/** The names of the time zones that lines of the components name. */
export const namesIn = (components: readonly TextComponent[]): string[] =>
  zonesNamed(
    components.flatMap(({ parts }) =>
      parts.flatMap((part) => (isComponent(part) ? [] : [unfolded(part.raw)])),
    ),
  )
