import { cleanLine, tidyLine, tidyParagraphs } from '../../../lib/wire/tidy'
import { codePoints, cut } from '../../../lib/text'
import type { Texts } from '../../events/events/rules.texts'
import type { Visibility } from '../../events/events/rules.visibility'
import { readDuration } from '../../../lib/icalendar/duration'
import { escapeComponent, unescapeText } from '../../../lib/icalendar/text'

/** The title of an event whose component has no SUMMARY, as a title is required. */
const NO_TITLE = '(no title)'

/** No real line has a longer head. */
const MAX_HEAD_LENGTH = 8192

/** The name of a content line in upper case, its parameters as written, and its value. */
function split(line: string) {
  const head = /^(?:[^":]|"[^"]*")*(?=:)/.exec(line.slice(0, MAX_HEAD_LENGTH))?.[0] ?? ''
  const name = /^[\w-]*/.exec(head)?.[0].toUpperCase() ?? ''
  return { name, params: head.slice(name.length).toUpperCase(), value: line.slice(head.length + 1) }
}

/**
 * The lines of a component that count as its content. Some programs change the time stamp with every export, so it is left
 * out.
 */
export const contentOf = (lines: readonly string[]): string =>
  lines.filter((line) => !/^DTSTAMP[;:]/i.test(line)).join('\n')

/** Removes the lines of a repetition that was kept but not supported. */
export const withoutRepetition = (kept: readonly string[]): readonly string[] =>
  kept.filter((line) => !/^(?:RRULE|RDATE|EXDATE)[;:]/i.test(line))

/** Groups the lines: an alarm from its first line to its last is one block, every other line a block of its own. */
function blocksOf(kept: readonly string[]): string[][] {
  const blocks: string[][] = []
  let depth = 0
  for (const line of kept) {
    if (depth > 0) blocks.at(-1)?.push(line)
    else blocks.push([line])
    if (/^BEGIN:/i.test(line)) depth++
    else if (/^END:/i.test(line)) depth--
  }
  return blocks
}

const MAX_REMINDER_MINUTES = 40_320

/** Minutes from the alarm to the start; undefined for an alarm that is not relative to the start. */
function minutesOf(block: readonly string[]): number | undefined {
  if (!/^BEGIN:VALARM/i.test(block[0] ?? '')) return undefined
  const trigger = block.map(split).find(({ name }) => name === 'TRIGGER')
  const duration = trigger && !/RELATED="?END/.test(trigger.params) ? readDuration(trigger.value) : undefined
  if (!duration) return undefined
  const minutes = Math.round(-(duration.days * 86_400 + duration.seconds) / 60)
  return minutes >= 0 && minutes <= MAX_REMINDER_MINUTES ? Math.abs(minutes) : undefined
}

/** The value of every field is shorter, even if all of it is escaped. */
const MAX_VALUE_LENGTH = 50_000

const toText = (value: string) => unescapeText(value.slice(0, MAX_VALUE_LENGTH)).toWellFormed()

const shortened = (text: string, max: number) =>
  codePoints(text) > max ? `${cut(text, max - 1).trim()}…` : text

/** One line, shortened to what the field can hold; the kept lines have the rest. */
const inOneLine = (max: number) => (value: string) =>
  tidyLine(shortened(cleanLine(toText(value).replace(/\s*[\r\n]+\s*/g, ' ')), max)) || null

/** Several lines. Tidied again after shortening, as the cut may remove the end of a bidirectional isolate. */
const inParagraphs = (text: string, max: number) => tidyParagraphs(shortened(tidyParagraphs(text), max))

const TEXTS = {
  title: { property: 'SUMMARY', read: inOneLine(200) },
  description: {
    property: 'DESCRIPTION',
    read: (value: string) => inParagraphs(toText(value), 10_000) || null,
  },
  location: { property: 'LOCATION', read: inOneLine(500) },
} as const

type TextField = keyof typeof TEXTS
const FIELDS = ['title', 'description', 'location'] as const satisfies TextField[]

/** Reads the texts and the reminder from the lines of a component. */
export function textsOfKept(kept: readonly string[]): Texts {
  const blocks = blocksOf(kept)
  const read = (field: TextField) => {
    const { property, read: reader } = TEXTS[field]
    const line = blocks.map(([first = '']) => split(first)).find(({ name }) => name === property)
    return line ? reader(line.value) : null
  }
  return {
    title: read('title') ?? NO_TITLE,
    description: read('description'),
    location: read('location'),
    reminderMinutes: blocks.map(minutesOf).find((minutes) => minutes !== undefined) ?? null,
  }
}

/** What a CLASS says (RFC 5545, section 3.8.1.3); a value that nobody knows counts as private. */
export const visibilityOfClass = (value: string): Visibility =>
  value.trim().toUpperCase() === 'PUBLIC' ? 'public' : 'private'

/** The lines with a CLASS that says the same as the event; one that does already stays as it was. */
export function withClass(kept: readonly string[], visibility: Visibility): readonly string[] {
  const classes = kept.filter((line) => /^CLASS[;:]/i.test(line)).map((line) => split(line).value)
  const isSame = classes.every((value) => visibilityOfClass(value) === visibility)
  if (isSame && (classes.length > 0 || visibility === 'public')) return kept
  const others = kept.filter((line) => !/^CLASS[;:]/i.test(line))
  return visibility === 'private' ? ['CLASS:PRIVATE', ...others] : others
}

const alarm = (minutes: number, title: string) => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${escapeComponent(title)}`,
  `TRIGGER:-PT${minutes}M`,
  'END:VALARM',
]

const isPart = (block: readonly string[]) => block.length > 1

/** The lines for the export: lines that still match the event stay as they were, the others are rewritten. */
export function linesOf(kept: readonly string[], texts: Texts): string[] {
  const said = textsOfKept(kept)
  const changed = FIELDS.filter((field) => texts[field] !== said[field])
  const replaced = new Set<string>(changed.map((field) => TEXTS[field].property))
  const written = changed.flatMap((field) => {
    const text = texts[field]
    return text === null ? [] : [`${TEXTS[field].property}:${escapeComponent(text)}`]
  })
  const isSameAlarm = texts.reminderMinutes === said.reminderMinutes
  const blocks = blocksOf(kept).filter(
    (block) => !replaced.has(split(block[0] ?? '').name) && (isSameAlarm || minutesOf(block) === undefined),
  )
  return [
    ...written,
    ...blocks.filter((block) => !isPart(block)).flat(),
    ...blocks.filter(isPart).flat(),
    ...(isSameAlarm || texts.reminderMinutes === null ? [] : alarm(texts.reminderMinutes, texts.title)),
  ]
}
