import {
  isComponent,
  printText,
  splitText,
  type TextComponent,
  type TextPart,
  unfolded,
  withProperties,
} from '../../../lib/icalendar/tree'
import { isEvent, keyOf, SERIES, withoutAlarms } from './rules.alarms'

/** Lines that only a whole series has. */
const OF_SERIES = new Set(['RRULE', 'RDATE', 'EXDATE', 'EXRULE'])
const MOST_ADDED = 100
/** As many characters as an object may have bytes. */
const MAX_LENGTH = 1_048_576

/** How many occurrences a text may get, each of which repeats it: those after them are left out. */
export const mostAdded = (text: string): number =>
  Math.min(MOST_ADDED, Math.max(0, Math.floor(MAX_LENGTH / text.length) - 1))

/** Which of these occurrences have no component of their own in the text. */
export function missingIn(text: string, keys: readonly string[]): readonly string[] {
  const present = new Set(eventsIn(splitText(text)).map(keyOf))
  return [...new Set(keys)].filter((key) => key !== SERIES && !present.has(key))
}

/** The RECURRENCE-IDs of a text. */
export const keysIn = (text: string): readonly string[] => eventsIn(splitText(text)).map(keyOf)

const eventsIn = (parts: readonly TextPart[]): readonly TextComponent[] =>
  parts.flatMap((part) => (isComponent(part) && part.name === 'VCALENDAR' ? part.parts.filter(isEvent) : []))

/**
 * The text with components for these occurrences that say what the series says, without alarms. Those that cannot be written, and
 * those beyond `mostAdded`, are left out.
 */
export function withOccurrences(text: string, keys: readonly string[]): string {
  const parts = splitText(text)
  const series = eventsIn(parts).find((event) => keyOf(event) === SERIES)
  const added = keys.slice(0, mostAdded(text)).flatMap((key) => (series && occurrenceOf(series, key)) ?? [])
  return printText(
    parts.map((part) =>
      isComponent(part) && part.name === 'VCALENDAR' ? { ...part, parts: [...part.parts, ...added] } : part,
    ),
  )
}

/** An occurrence of the series; undefined where its times cannot be written as those of the series are. */
function occurrenceOf(series: TextComponent, key: string): TextComponent | undefined {
  const start = lineIn(series, 'DTSTART')
  const stop = start && endFor(series, start, key)
  if (!start || stop === undefined) return undefined
  const line = (name: string, value: string) => `${name}${start.params}:${value}${start.lineEnd}`
  const own = {
    ...withoutAlarms(series),
    parts: withoutAlarms(series).parts.filter(({ name }) => !OF_SERIES.has(name)),
  }
  const begun = withProperties(own, ['DTSTART'], [line('RECURRENCE-ID', key), line('DTSTART', key)])
  return stop === null ? begun : withProperties(begun, ['DTEND'], [line('DTEND', stop)])
}

/** The DTEND of an occurrence, null where the series has none; undefined where it cannot be written as that of the series is. */
function endFor(series: TextComponent, start: TimeLine, key: string): string | null | undefined {
  const end = lineIn(series, 'DTEND')
  const [at, first] = [wallOf(key), wallOf(start.value)]
  if (!at || at.form !== first?.form) return undefined
  if (!end) return null
  const last = wallOf(end.value)
  if (last?.form !== at.form || end.params !== start.params) return undefined
  return writtenAs(at.wall + last.wall - first.wall, at.form)
}

interface TimeLine {
  /** With the semicolon before them. */
  readonly params: string
  readonly value: string
  readonly lineEnd: string
}

function lineIn({ parts }: TextComponent, wanted: string): TimeLine | undefined {
  const part = parts.find((one) => one.name === wanted)
  if (!part || isComponent(part)) return undefined
  const found = /^[\w-]+((?:;(?:[^":]|"[^"]*")*)?):(.*)$/.exec(unfolded(part.raw))
  const [, params = '', value = ''] = found ?? []
  return found
    ? { params, value: value.trim(), lineEnd: /[\r\n]+$/.exec(part.raw)?.[0] ?? '\r\n' }
    : undefined
}

type Form = 'day' | 'local' | 'utc'

/** What a DATE or DATE-TIME says, as if it were UTC. */
function wallOf(value: string): { readonly wall: number; readonly form: Form } | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(value)
  if (!found) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const form = found[4] === undefined ? 'day' : found[7] === 'Z' ? 'utc' : 'local'
  return { wall: Date.UTC(year, month - 1, day, hour, minute, second), form }
}

function writtenAs(wall: number, form: Form): string {
  const text = new Date(wall).toISOString().replaceAll(/[-:]|\.\d+Z$/g, '')
  return { day: text.slice(0, 8), local: text, utc: `${text}Z` }[form]
}
