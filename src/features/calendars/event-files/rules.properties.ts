import type { CalendarComponent } from '../../../lib/icalendar/icalendar'
import { escapeComponent } from '../../../lib/icalendar/text'
import {
  isComponent,
  splitText,
  type TextComponent,
  type TextPart,
  unfolded,
  withMore,
  withProperties,
} from '../../../lib/icalendar/tree'
import { wallIn, type WallTime } from '../../../lib/time/wall-time'
import { type Exported, type ExportedOccurrence, point, ruleLines, timeLines } from '../export/rules'
import { alarm, FIELDS, minutesOf, TEXTS } from '../export/rules.kept'
import type { Texts } from '../../events/events/rules.texts'
import { type Times, wallOf } from '../../events/events/rules.times'
import type { Clocks } from '../import/rules.times'

/** What an event says, apart from who and when says it. */
export type Saying = Pick<Exported, 'times' | 'texts' | 'series' | 'ruleText' | 'occurrences'>

/** Folds lines and gives them the line ends of the text. */
export type Write = (lines: readonly string[]) => readonly string[]

/** How a component writes wall times of a zone. */
export interface Style {
  /** The IANA zone; undefined when the component has another one, or none. */
  readonly zone: string | undefined
  /** What stands between the name and the value. */
  readonly before: string
}

const FLOATING = ':'

export function styleOf({ lines }: CalendarComponent, { zone, foreign }: Clocks): Style {
  const start = lines.find(({ name }) => name === 'DTSTART')
  const tzid = start?.params['tzid']
  if (foreign || !start || /Z\s*$/i.test(start.value)) return { zone: undefined, before: '' }
  if (tzid === undefined || tzid.length === 0) return { zone, before: FLOATING }
  const name = String(tzid)
  return { zone, before: `;TZID=${/[:;,]/.test(name) ? `"${name}"` : name}:` }
}

/** Writes lines in the manner of a component: with the name that it gives the zone, or floating. */
export function styled(lines: readonly string[], { zone, before }: Style): readonly string[] {
  if (zone === undefined) return lines
  const named = lines.map((line) => line.replace(`;TZID=${zone}:`, before))
  if (before !== FLOATING) return named
  return named.map((line) => {
    if (zone === 'UTC' && /^(?:DT|RDATE|EXDATE|REC)/.test(line)) return line.replaceAll(/(\d)Z/g, '$1')
    return line.startsWith('RRULE') ? line.replace(/(UNTIL=)(\d{8}T\d{6})Z/, floatingUntil(zone)) : line
  })
}

const floatingUntil = (zone: string) => (_: string, name: string, digits: string) => {
  const iso = digits.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)$/, '$1-$2-$3:$4:$5Z')
  const wall = wallIn(zone, new Date(iso))
  return name + new Date(wall).toISOString().replaceAll(/[-:]|\.\d+Z/g, '')
}

/** A change of what a component says. */
export interface Change {
  readonly before: Saying
  readonly now: Saying
  readonly style: Style
  readonly write: Write
}

interface Differing {
  readonly names: readonly string[]
  readonly before: readonly string[]
  readonly now: readonly string[]
}

const whereDiffering = (component: TextComponent, { names, before, now }: Differing, write: Write) =>
  before.join('\n') === now.join('\n') ? component : withProperties(component, names, write(now))

const isNamed = (name: string) => (line: string) => new RegExp(`^${name}[;:]`).test(line)

/** Properties of the times, without the end. */
const START = ['DTSTART', 'X-ORGANISER-TIME-ZONE'] as const

interface TimesChange extends Pick<Change, 'style' | 'write'> {
  readonly before: Times
  readonly now: Times
  readonly isSeries: boolean
}

export function withTimes(
  component: TextComponent,
  { before, now, isSeries, style, write }: TimesChange,
): TextComponent {
  const lines = (times: Times) => styled(timeLines(times, isSeries), style)
  const [said, says] = [lines(before), lines(now)]
  const isEnd = isNamed('DTEND')
  const moved = whereDiffering(
    component,
    { names: START, before: said.filter((line) => !isEnd(line)), now: says.filter((line) => !isEnd(line)) },
    write,
  )
  if (hasOwnLength(component) && lengthOf(before) === lengthOf(now)) return moved
  return whereDiffering(
    moved,
    { names: ['DTEND', 'DURATION'], before: said.filter(isEnd), now: says.filter(isEnd) },
    write,
  )
}

/** Whether the end follows from the start: by an exact duration, or as there is neither an end nor a duration. */
function hasOwnLength({ parts }: TextComponent): boolean {
  const end = parts.find((part) => part.name === 'DTEND' || part.name === 'DURATION')
  return !end || (!isComponent(end) && end.name === 'DURATION' && /:\s*\+?PT/i.test(unfolded(end.raw)))
}

const lengthOf = (times: Times): string =>
  times.allDay
    ? `${Date.parse(times.endDate) - Date.parse(times.startDate)} days`
    : String(+times.endAt - +times.startAt)

const zoneOf = (times: Times) => (times.allDay ? undefined : times.timeZone)

/** Whether occurrences keep their names. */
export const isInPlace = (before: Saying, now: Saying): boolean =>
  wallOf(before.times) === wallOf(now.times) && zoneOf(before.times) === zoneOf(now.times)

/** RRULE and RDATE. */
export function withRepetition(component: TextComponent, change: Change): TextComponent {
  const { before, now, style, write } = change
  if (before.series && !now.series) return withProperties(component, ['RRULE', 'RDATE', 'EXDATE'], [])
  const lines = ({ series, ruleText }: Saying) => (series ? styled(ruleLines(series, ruleText), style) : [])
  const [said, says] = [lines(before), lines(now)]
  return ['RRULE', 'RDATE'].reduce((made, name) => {
    const only = isNamed(name)
    return whereDiffering(made, { names: [name], before: said.filter(only), now: says.filter(only) }, write)
  }, component)
}

/** EXDATE: for deleted occurrences that have no cancelled component of their own. */
export function withExceptions(component: TextComponent, change: Change): TextComponent {
  const { before, now, style, write } = change
  if (!now.series) return component
  const [said, says] = [exceptionsIn(before, before), exceptionsIn(now, before)]
  const print = (walls: readonly WallTime[]) =>
    write(
      styled(
        walls.map((wall) => point('EXDATE', now.times, wall)),
        style,
      ),
    )
  const isWhole = said.every((wall) => says.includes(wall)) && isInPlace(before, now)
  if (!isWhole)
    return said.length + says.length === 0 ? component : withProperties(component, ['EXDATE'], print(says))
  const added = says.filter((wall) => !said.includes(wall))
  return added.length === 0 ? component : withMore(component, 'EXDATE', print(added))
}

const exceptionsIn = ({ occurrences }: Saying, before: Saying): WallTime[] =>
  occurrences.filter((one) => one.isCancelled && !hasCancelled(before, one)).map(({ wall }) => wall)

/** Whether the text has a component that cancels the occurrence. */
export const hasCancelled = (before: Saying, { textStart }: ExportedOccurrence): boolean =>
  textStart !== null && before.occurrences.some((said) => said.textStart === textStart && said.isCancelled)

/** SUMMARY, DESCRIPTION, LOCATION and the alarm that is the reminder. */
export function withTexts(component: TextComponent, before: Texts, now: Texts, write: Write): TextComponent {
  const texts = FIELDS.filter((field) => before[field] !== now[field]).reduce((made, field) => {
    const [{ property }, text] = [TEXTS[field], now[field]]
    return withProperties(
      made,
      [property],
      write(text === null ? [] : [`${property}:${escapeComponent(text)}`]),
    )
  }, component)
  return before.reminderMinutes === now.reminderMinutes ? texts : withReminder(texts, now, write)
}

function withReminder(
  component: TextComponent,
  { reminderMinutes, title }: Texts,
  write: Write,
): TextComponent {
  const { parts } = component
  const place = parts.findIndex((part) => isComponent(part) && minutesOf(blockOf(part)) !== undefined)
  const own = parts[place]
  if (!own || !isComponent(own)) {
    const made = reminderMinutes === null ? [] : splitText(write(alarm(reminderMinutes, title)).join(''))
    return { ...component, parts: [...parts, ...made] }
  }
  const rest =
    reminderMinutes === null
      ? []
      : [withProperties(own, ['TRIGGER'], write([`TRIGGER:-PT${reminderMinutes}M`]))]
  return { ...component, parts: parts.toSpliced(place, 1, ...rest) }
}

/** The lines of a component without folds. */
const blockOf = ({ begin, parts, end }: TextComponent): string[] => [
  unfolded(begin),
  ...parts.flatMap((part: TextPart) => (isComponent(part) ? blockOf(part) : [unfolded(part.raw)])),
  unfolded(end),
]
