import type { CalendarComponent, ContentLine } from '../../../lib/icalendar/icalendar'
import type { TextComponent } from '../../../lib/icalendar/tree'
import { formatRule } from '../../../lib/recurrence/grammar'
import { keyOf } from '../../calendars/event-files/rules.alarms'
import type { Imported } from '../../calendars/import/rules'
import { readRule } from '../../events/events/rules.recurrence'
import { sameTimes, type Times, timesAt } from '../../events/events/rules.times'

/** The text of an event, as it was read. */
export interface ReadText {
  readonly event: Imported
  readonly components: ReadonlyArray<readonly [TextComponent, CalendarComponent]>
}

/** What an event means, whoever answers it and whenever it was written. */
export function meaningOf({ texts, times, ruleText, extras, occurrences, isCancelled, ...event }: Imported) {
  const { title, description, location } = texts
  const isNoOp = ({ wall, times: own }: Imported['occurrences'][number]) =>
    own === null || sameTimes(own, timesAt(times, wall))
  return JSON.stringify({
    texts: [title, description, location],
    isCancelled,
    extras,
    visibility: event.visibility ?? 'public',
    isUnsupported: event.isUnsupported,
    times: pointsOf(times, ruleText !== null),
    rule: ruleText === null ? null : formatRule(readRule(ruleText)),
    occurrences: occurrences.flatMap((one) => {
      const { reminderMinutes: _, ...changes } = one.changes
      const own = one.times === null || isNoOp(one) ? null : pointsOf(one.times, false)
      const saysNothing = !one.isCancelled && own === null && Object.keys(changes).length === 0
      return saysNothing ? [] : [[one.wall, one.isCancelled, own, changes]]
    }),
  })
}

/** When something is; the zone counts where it repeats. */
const pointsOf = (times: Times, isSeries: boolean) =>
  times.allDay ? [times.startDate, times.endDate] : [+times.startAt, +times.endAt, isSeries && times.timeZone]

/** Lines that may differ without effect, and those that `meaningOf` compares. */
const ELSEWHERE = new Set(
  `UID DTSTAMP LAST-MODIFIED CREATED SEQUENCE DTSTART DTEND DURATION RRULE RDATE EXDATE EXRULE RECURRENCE-ID SUMMARY DESCRIPTION
  LOCATION CLASS REQUEST-STATUS`.split(/\s+/),
)
/** Lines that say what holds without them. */
const DEFAULTS = new Set(['STATUS:CONFIRMED', 'PRIORITY:0', 'TRANSP:OPAQUE'])

const inOrder = (lines: readonly string[]): string => lines.toSorted((a, b) => a.localeCompare(b)).join('\n')

/** What a component says beside what `meaningOf` compares, without parameters and without the lines that count for nothing. */
export const roughlyIn = ({ lines }: CalendarComponent, isIgnored: (line: ContentLine) => boolean): string =>
  inOrder(
    lines
      .filter((line) => !ELSEWHERE.has(line.name) && !line.name.startsWith('X-') && !isIgnored(line))
      .map(({ name, value }) => `${name}:${value.trim()}`)
      .filter((line) => !DEFAULTS.has(line.toUpperCase()))
      .map((line) => (line.startsWith('ORGANIZER:') ? line.toLowerCase() : line)),
  )

/** Lines of programs that change with each of their writes, and with alarms. */
const IS_VOLATILE = /^X-MOZ-(?:GENERATION|LASTACK|SNOOZE-TIME)/

/** Likewise, line by line as they are written. */
const exactlyIn = ({ lines }: CalendarComponent): string =>
  inOrder(
    lines
      .filter(({ name }) => !ELSEWHERE.has(name) && !IS_VOLATILE.test(name))
      .map(({ text }) => text.trim())
      .filter((line) => !DEFAULTS.has(line.toUpperCase())),
  )

/** Whether two texts differ in nothing but alarms and stamps; `isRough` also passes over what programs write without meaning it. */
export function differInAlarms(one: ReadText, other: ReadText, isRough: boolean): boolean {
  const said = (component: CalendarComponent) =>
    isRough ? roughlyIn(component, () => false) : exactlyIn(component)
  const all = ({ components }: ReadText) =>
    inOrder(components.map(([text, component]) => `${keyOf(text)}\n${said(component)}`))
  return meaningOf(one.event) === meaningOf(other.event) && all(one) === all(other)
}
