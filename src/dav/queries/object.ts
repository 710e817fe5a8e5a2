import { lineNamed, paramsOf, readOutline, type Outline, type OutlineLine } from '../../lib/icalendar/outline'
import { readDuration, type TextDuration } from '../../lib/icalendar/duration'
import type { WallClock } from '../../lib/recurrence/recurrence'
import { clocksNamed, type QueryClocks, UTC } from './clocks'
import { type Effort, objectEffort } from './effort'
import { readWall, type TextMoment } from './moments'

/** The kinds of components that may repeat. */
export const REPEATING = ['VEVENT', 'VTODO', 'VJOURNAL'] as const

/** An overridden occurrence. */
export interface Overriding {
  readonly component: Outline
  /** Its RECURRENCE-ID. */
  readonly id: TextMoment
  /** Whether it changes all later occurrences too. */
  readonly isOnward: boolean
}

/** The components of one kind and one UID. */
export interface ComponentGroup {
  readonly masters: readonly Outline[]
  readonly overrides: readonly Overriding[]
}

/** A calendar object as text, with what a report says of clocks and costs. */
export interface CalendarObject {
  readonly root: Outline
  /** All components of the object's calendars. */
  readonly components: readonly Outline[]
  readonly groups: (name: string) => readonly ComponentGroup[]
  /** The DATE or DATE-TIME of a line; undefined for other text. */
  readonly moment: (line: OutlineLine | undefined) => TextMoment | undefined
  /** The values of a line that may list several, each with what follows its slash. */
  readonly moments: (line: OutlineLine) => Iterable<ListedMoment>
  readonly floating: QueryClocks['floating']
  readonly spend: Effort['spend']
}

interface ListedMoment {
  readonly moment: TextMoment
  /** The end or the duration of a PERIOD. */
  readonly rest: string | undefined
  readonly text: string
}

/** What reading the times of a component costs. */
const OF_COMPONENT = 5

/** Reads an object for a report. */
export function readCalendarObject(text: string, clocks: QueryClocks, report: Effort): CalendarObject {
  const { spend } = objectEffort(report)
  spend(20 + text.length / 100)
  const root = readOutline(text)
  const components = root.parts.filter(({ name }) => name === 'VCALENDAR').flatMap(({ parts }) => parts)
  const definitions = components.filter(({ name }) => name === 'VTIMEZONE')
  const clockNamed = clocksNamed({ definitions, zoneOf: clocks.zoneOf, spend })

  // Thousands of EXDATEs have the same head.
  const byHead = new Map<string, WallClock | undefined>()
  const clockOfHead = (line: OutlineLine): WallClock | undefined =>
    byHead.getOrInsertComputed(line.head, () => {
      const zone = paramsOf(line).get('TZID')?.[0]
      return zone === undefined ? undefined : clockNamed(zone)
    })

  function momentOf(line: OutlineLine, value: string): TextMoment | undefined {
    const read = readWall(value)
    if (!read) return undefined
    const { wall, form } = read
    if (form === 'utc') return { kind: 'utc', wall, instant: wall, clock: UTC }
    const named = form === 'date' ? undefined : clockOfHead(line)
    const clock = named ?? clocks.floating
    const kind = form === 'date' ? 'date' : named ? 'zoned' : 'floating'
    return { kind, wall, instant: clock.instantAt(wall), clock }
  }

  function* moments(line: OutlineLine): Generator<ListedMoment> {
    for (const value of line.value.split(',')) {
      spend(1)
      const [start = '', rest] = value.split('/')
      const found = momentOf(line, start)
      if (found) yield { moment: found, rest, text: value }
    }
  }

  const moment = (line: OutlineLine | undefined) => line && momentOf(line, line.value)
  const known = new Map<string, readonly ComponentGroup[]>()
  const group = (name: string) => {
    const ofKind = components.filter((component) => component.name === name)
    spend(ofKind.length * OF_COMPONENT)
    return grouped(ofKind, moment)
  }
  return {
    root,
    components,
    groups: (name) => known.getOrInsertComputed(name, group),
    moment,
    moments,
    floating: clocks.floating,
    spend,
  }
}

function grouped(ofKind: readonly Outline[], moment: CalendarObject['moment']): ComponentGroup[] {
  const byUid = Map.groupBy(ofKind, (component) => lineNamed(component, 'UID')?.value.trim() ?? '')
  return [...byUid.values()].map((alike) => {
    const [masters, overrides]: [Outline[], Overriding[]] = [[], []]
    for (const component of alike) {
      const line = lineNamed(component, 'RECURRENCE-ID')
      const id = moment(line)
      if (!line || !id) masters.push(component)
      else overrides.push({ component, id, isOnward: isOnward(line) })
    }
    return { masters, overrides }
  })
}

const isOnward = (line: OutlineLine): boolean =>
  paramsOf(line).get('RANGE')?.[0]?.trim().toUpperCase() === 'THISANDFUTURE'

/** What a component says of its own time. */
export interface OwnTimes {
  readonly start: TextMoment | undefined
  /** DTEND of events, DUE of todos. */
  readonly end: TextMoment | undefined
  readonly duration: TextDuration | undefined
}

export function ownTimes({ moment }: CalendarObject, component: Outline): OwnTimes {
  const end = component.name === 'VTODO' ? 'DUE' : 'DTEND'
  const duration = lineNamed(component, 'DURATION')
  return {
    start: moment(lineNamed(component, 'DTSTART')),
    end: component.name === 'VJOURNAL' ? undefined : moment(lineNamed(component, end)),
    duration: component.name === 'VJOURNAL' || !duration ? undefined : readDuration(duration.value),
  }
}
