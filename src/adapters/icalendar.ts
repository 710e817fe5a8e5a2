import ICAL from 'ical.js'
import { findIana, WINDOWS_TO_IANA_MAP } from 'windows-iana'
import type {
  CalendarComponent,
  CalendarFiles,
  ComponentFound,
  ComponentRead,
  ContentLine,
} from '../lib/icalendar/icalendar'
import { decodeText, escapeLegacy, fold, quotedPrintable } from '../lib/vcard/encoding'
import {
  decodeFile,
  MAX_FOLDED_LENGTH,
  MAX_FOLDED_LINES,
  MAX_LENGTH,
  splitLine,
  TOO_LARGE,
  unfold,
} from './vcard.text'

const MAX_LINES = 20_000
const MAX_DEPTH = 4

/** ical.js parses and prints names and parameters; values stay as they were written. */
const DESIGN = {
  name: 'organiser',
  value: Object.create(null),
  param: Object.create(null),
  property: Object.create(null),
  propertyGroups: false,
}

export const calendarFiles: CalendarFiles = {
  find,
  read,
  print: (lines) => lines.map((line) => `${fold(line)}\r\n`).join(''),
  zoneOfWindows: (name) => findIana(name)[0],
  mainZones: WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').flatMap(({ iana }) => iana),
}

/** Lines read before the reader may pause. */
const LINES_AT_ONCE = 5000

function* find(file: Uint8Array): Generator<ComponentFound | undefined> {
  const finder = new Finder(linesOf(file))
  let count = 0
  for (const found of finder.search()) if (found || ++count % LINES_AT_ONCE === 0) yield found
}

/** Concatenated files contain byte order marks. Lines from old Macs end with CR. */
function linesOf(file: Uint8Array): string {
  const text = decodeFile(file).replaceAll('\ufeff', '')
  return text.includes('\n') ? text : text.replaceAll('\r', '\n')
}

const BOUNDARY = /^(BEGIN|END)[ \t]*:[ \t]*([\w-]+)[ \t]*\r?$/i
const MAX_BOUNDARY_LENGTH = 200
const UID = /^UID[ \t]*[;:]/i
const HEAD = /^(?:VERSION|PRODID|CALSCALE)[ \t]*[;:]/i

interface Open {
  readonly name: 'VEVENT' | 'VTIMEZONE'
  /** Where its first line begins, and where the next one does. */
  readonly begin: number
  readonly start: number
  /** How many nested components are open. */
  depth: number
  uid: string[]
}

/** Walks through the lines of a file and tracks the open component. */
class Finder {
  readonly #text: string
  #calendar = 0
  #open: Open | undefined
  /** The lines of the calendar that count for each of its components. */
  #head: string[] = []
  /** Whether the previous line belongs to a UID or to the head, which may continue. */
  #isInUid = false
  #isInHead = false

  constructor(text: string) {
    this.#text = text
  }

  /** Yields a component at the line that ends it. */
  *search(): Generator<ComponentFound | undefined> {
    const text = this.#text
    for (let start = 0, end = 0; start < text.length; start = end + 1) {
      end = text.indexOf('\n', start)
      if (end === -1) end = text.length
      yield this.#look(start, end)
    }
    if (this.#open) yield this.#close(text.length, text.length, 'has no end')
  }

  #look(start: number, end: number): ComponentFound | undefined {
    const first = this.#text[start] ?? ''
    this.#isInUid = this.#isInUid && this.#goesOn(first, start, end)
    if (first === 'U' || first === 'u') this.#noteUid(start, end)
    if (!this.#open && this.#calendar > 0) this.#noteHead(first, start, end)
    const isBoundary = 'BbEe'.includes(first) && end - start <= MAX_BOUNDARY_LENGTH
    return isBoundary ? this.#cross(start, end) : undefined
  }

  #cross(start: number, end: number): ComponentFound | undefined {
    const [, keyword = '', name = ''] = BOUNDARY.exec(this.#text.slice(start, end)) ?? []
    if (keyword === '') return undefined
    return /^begin$/i.test(keyword)
      ? this.#begin(name.toUpperCase(), start, end)
      : this.#end(name.toUpperCase(), start, end)
  }

  #noteHead(first: string, start: number, end: number): void {
    const isFold = first === ' ' || first === '\t'
    this.#isInHead = isFold ? this.#isInHead : HEAD.test(this.#text.slice(start, start + 20))
    if (this.#isInHead) this.#head.push(this.#text.slice(start, end + 1))
  }

  /** Whether the line continues the UID before it. */
  #goesOn(first: string, start: number, end: number): boolean {
    if (first !== ' ' && first !== '\t') return false
    this.#open?.uid.push(this.#text.slice(start + 1, end))
    return true
  }

  #noteUid(start: number, end: number): void {
    const open = this.#open
    if (!open || open.depth > 0 || open.uid.length > 0 || !UID.test(this.#text.slice(start, start + 10)))
      return
    open.uid.push(this.#text.slice(start, end))
    this.#isInUid = true
  }

  #begin(name: string, start: number, end: number): ComponentFound | undefined {
    const isOwn = name === 'VCALENDAR' || name === 'VEVENT' || name === 'VTIMEZONE'
    if (!isOwn) {
      if (this.#open) this.#open.depth++
      return undefined
    }
    const unfinished = this.#open && this.#close(start, start, 'has no end')
    this.#isInHead = false
    if (name === 'VCALENDAR') {
      this.#calendar++
      this.#head = []
      return (
        unfinished ?? { name, calendar: this.#calendar, uid: null, text: '', whole: '', head: this.#head }
      )
    }
    if (this.#calendar > 0) this.#open = { name, begin: start, start: end + 1, depth: 0, uid: [] }
    return unfinished
  }

  #end(name: string, start: number, end: number): ComponentFound | undefined {
    if (!this.#open) return undefined
    if (name === this.#open.name)
      return this.#close(start, end + 1, this.#open.depth === 0 ? undefined : 'has no end')
    if (name === 'VCALENDAR') return this.#close(start, start, 'has no end')
    this.#open.depth--
    return undefined
  }

  #close(end: number, after: number, problem: string | undefined): ComponentFound | undefined {
    const open = this.#open
    this.#open = undefined
    if (!open) return undefined
    const uid = splitLine(open.uid.map((line) => line.replace(/\r$/, '')).join('')).value.trim()
    const text = this.#text.slice(open.start, end)
    const found = {
      name: open.name,
      calendar: this.#calendar,
      uid: uid === '' ? null : uid,
      text,
      whole: this.#text.slice(open.begin, after),
      head: this.#head,
    }
    return problem === undefined ? found : { ...found, problem }
  }
}

const unusable = (name: string, lines: readonly string[], problem: string): ComponentRead => ({
  lines,
  component: { name, lines: [], parts: [] },
  problem,
})

function read(name: string, raw: string): ComponentRead {
  if (raw.length > MAX_FOLDED_LENGTH) return unusable(name, [raw], TOO_LARGE)
  if (raw.includes('\0')) return unusable(name, [raw], 'contains U+0000')
  const folded = raw.split(/\r\n|\n|\r/)
  if (folded.length > MAX_FOLDED_LINES) {
    return unusable(name, [raw], `has more than ${MAX_FOLDED_LINES} lines`)
  }
  const lines = unfold(folded, false)
  if (lines.reduce((sum, line) => sum + line.length, 0) > MAX_LENGTH) return unusable(name, lines, TOO_LARGE)
  if (lines.length > MAX_LINES) return unusable(name, lines, `has more than ${MAX_LINES} lines`)
  try {
    return readTree(name, lines)
  } catch {
    return unusable(name, lines, 'has a line that cannot be read')
  }
}

interface Growing {
  readonly name: string
  readonly lines: ContentLine[]
  readonly parts: CalendarComponent[]
}

/** @throws for an invalid line. */
function readTree(name: string, lines: readonly string[]): ComponentRead {
  const root: Growing = { name, lines: [], parts: [] }
  const open = [root]
  for (const text of lines) {
    const innermost = open.at(-1) ?? root
    const [, keyword = '', inner = ''] = BOUNDARY.exec(text.slice(0, MAX_BOUNDARY_LENGTH)) ?? []
    if (/^begin$/i.test(keyword)) {
      const part = { name: inner.toUpperCase(), lines: [], parts: [] }
      innermost.parts.push(part)
      open.push(part)
      if (open.length > MAX_DEPTH) return unusable(name, lines, 'holds components within components')
    } else if (keyword === '') innermost.lines.push(readLine(text))
    else if (open.length > 1) open.pop()
  }
  return { lines, component: root }
}

/** Lines whose parameters are parsed; other lines are only kept. */
const WITH_PARAMS = /^(?:DT(?:START|END)|DUE|RDATE|EXDATE|RECURRENCE-ID|TRIGGER|DURATION)$/

/** @throws for a line without a name, or with characters that cannot be stored. */
function readLine(text: string): ContentLine {
  const { head, value } = splitLine(text)
  const name = /^[\w-]+(?=;|[ \t]*$)/.exec(head)?.[0].toUpperCase()
  if (name === undefined) throw new Error('the line has no name')
  if (/;[ \t]*ENCODING=QUOTED-PRINTABLE/i.test(head)) return decoded(name, head, value)
  return { name, params: WITH_PARAMS.test(name) ? paramsOf(head) : {}, value, text }
}

/** Decodes a text as vCalendar 1.0 and some later programs write it. */
function decoded(name: string, head: string, encoded: string): ContentLine {
  const { encoding: _, charset = '', ...params } = paramsOf(head)
  const text = decodeText(quotedPrintable(encoded), String(charset))
  if (text.includes('\0')) throw new Error('the text contains U+0000')
  const value = escapeLegacy(text)
  const line: unknown = ICAL.stringify.property([name.toLowerCase(), params, 'unknown', value], DESIGN, true)
  return { name, params, value, text: String(line) }
}

function paramsOf(head: string): Record<string, string | readonly string[]> {
  const parsed: unknown = ICAL.parse.property(`${head}:`, DESIGN)
  const [, params] = Array.isArray(parsed) ? parsed : []
  return Object.fromEntries(
    Object.entries(Object(params)).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.flat().map(String) : String(value),
    ]),
  )
}
