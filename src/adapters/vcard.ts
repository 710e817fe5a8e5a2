import ICAL from 'ical.js'
import type { VCardProperty, VCardRead, VCards } from '../lib/ports/vcards'
import {
  decodeFile,
  decodeText,
  escapeLegacy,
  fold,
  MAX_FOLDED_LENGTH,
  MAX_FOLDED_LINES,
  MAX_LENGTH,
  nameParams,
  quotedPrintable,
  splitLine,
  TOO_LARGE,
  unfold,
} from './vcard.text'

const MAX_LINES = 1000

/**
 * ical.js parses and prints names, groups and parameters only. It would misread an escaped backslash before a separator, and
 * rewrite values that it does not know, so values stay as they are.
 */
const DESIGN = {
  name: 'organiser',
  value: Object.create(null),
  param: Object.assign(Object.create(null), { type: { multiValue: ',' } }),
  property: Object.create(null),
  propertyGroups: true,
}

/** Does not use `^` and `$`, which also match at U+2028. Concatenated files contain byte order marks. */
const BOUNDARY = /(?<![^\r\n\ufeff])(BEGIN|END)[ \t]*:[ \t]*VCARD[ \t]*(?![^\r\n])/gi
const VERSION = /(?<![^\r\n])VERSION[^:\r\n]*:[ \t]*([\d.]+)/i

export const vCards: VCards = { read, print }

function* read(file: Uint8Array): Generator<VCardRead> {
  for (const { text, isWhole } of cardsOf(decodeFile(file))) {
    yield isWhole ? readCard(text) : unusable(text, 'has no end')
  }
}

/** The text between the lines that begin and end a card. vCard 2.1 nests a card within a card for an agent. */
function* cardsOf(text: string) {
  let [start, depth] = [0, 0]
  for (const { 0: line, 1: keyword = '', index } of text.matchAll(BOUNDARY)) {
    if (!/^begin$/i.test(keyword)) {
      if (depth === 1) yield { text: text.slice(start, index), isWhole: true }
      depth = Math.max(0, depth - 1)
    } else if (depth > 0 && isAgent(text, index)) depth++
    else {
      if (depth > 0) yield { text: text.slice(start, index), isWhole: false }
      ;[start, depth] = [index + line.length, 1]
    }
  }
  if (depth > 0) yield { text: text.slice(start), isWhole: false }
}

const isAgent = (text: string, index: number): boolean =>
  /(?:^|\n|\r)(?:\w+\.)?AGENT[^\r\n:]{0,100}:[ \t]*[\r\n]+$/i.test(
    text.slice(Math.max(0, index - 150), index),
  )

const unusable = (text: string, problem: string): VCardRead => ({ text, properties: [], problem })

function readCard(raw: string): VCardRead {
  if (raw.length > MAX_FOLDED_LENGTH) return unusable(raw, TOO_LARGE)
  if (raw.includes('\0')) return unusable(raw, 'contains U+0000')
  const version = VERSION.exec(raw)?.[1] ?? '3.0'
  const folded = raw.split(/\r\n|\n|\r/)
  if (folded.length > MAX_FOLDED_LINES) return unusable(raw, `has more than ${MAX_FOLDED_LINES} lines`)
  const lines = unfold(folded, version === '2.1')
  const text = lines.join('\n')
  if (text.length > MAX_LENGTH) return unusable(text, TOO_LARGE)
  if (lines.length > MAX_LINES) return unusable(text, `has more than ${MAX_LINES} lines`)
  if (lines.some((line) => /^(?:\w+\.)?BEGIN[ \t]*:/i.test(line))) return unusable(text, 'holds another card')
  try {
    return { text, properties: lines.map((line) => readProperty(line, version === '2.1')) }
  } catch {
    return unusable(text, 'has a line that cannot be read')
  }
}

/** @throws for an invalid line, or one with characters that cannot be stored. */
function readProperty(line: string, isLegacy: boolean): VCardProperty {
  const { head, value } = splitLine(line)
  const parsed: unknown = ICAL.parse.property(`${nameParams(head)}:`, DESIGN)
  const [name, params, type] = Array.isArray(parsed) ? parsed : []
  if (!isWord(name) || !isWord(type)) throw new Error('the property has no valid name or type')
  return modernise([name, plainParams(params), type, value], isLegacy)
}

const isWord = (text: unknown): text is string => typeof text === 'string' && /^[\w-]+$/.test(text)

type Params = Record<string, string | readonly string[]>

/** The parameters in a form that 4.0 can print. */
function plainParams(params: unknown): Params {
  const plain: Params = {}
  for (const [name, value] of Object.entries(Object(params))) {
    if (!isWord(name)) throw new Error('the parameter has no valid name')
    if (name === 'group' && !isWord(value)) throw new Error('the group has no valid name')
    plain[name] = Array.isArray(value) ? value.flat().map(String) : String(value)
  }
  return plain
}

const fromBase64 = (text: string) => Uint8Array.fromBase64(text)

/** Properties in which commas separate values. */
const LISTS = new Set(['categories', 'nickname'])
const MEDIA = new Map([
  ['photo', 'image'],
  ['logo', 'image'],
  ['sound', 'audio'],
  ['key', 'application'],
])

/** Converts a property of 2.1 or 3.0 to 4.0: UTF-8 without a transfer encoding. */
function modernise([name, params, type, value]: VCardProperty, isLegacy: boolean): VCardProperty {
  const { encoding, charset, ...rest } = params
  const decode = DECODERS.get(String(encoding).toLowerCase())
  if (decode === fromBase64 && isBinary(name)) return inDataUri([name, rest, type, value])
  if (!isLegacy && !decode) return [name, rest, type, value]
  const text = decode ? decodeText(decode(value), charset === undefined ? '' : String(charset)) : value
  if (text.includes('\0')) throw new Error('the text contains U+0000')
  return [name, rest, type, isPlain(name, type) ? text.replace(/[\r\n]+/g, ' ') : escapeLegacy(text)]
}

/** Whether commas in the value mean the same in 4.0. */
const isPlain = (name: string, type: string) =>
  LISTS.has(name) || name === 'url' || type === 'uri' || type === 'url'

/** Decoders of the transfer encodings. */
const DECODERS = new Map<string, (text: string) => Uint8Array>([
  ['quoted-printable', quotedPrintable],
  ['base64', fromBase64],
  ['b', fromBase64],
])

const isBinary = (name: string) => MEDIA.has(name) || name.startsWith('x-')

/** Converts pictures and other binary values to `data:` URIs, as 4.0 requires (RFC 6350, section 6.2.4). */
function inDataUri([name, params, , value]: VCardProperty): VCardProperty {
  const { type = '', ...rest } = params
  const kind = String([type].flat()[0]).toLowerCase()
  const family = MEDIA.get(name)
  const mediaType = family && /^[\w.+-]+$/.test(kind) ? `${family}/${kind}` : 'application/octet-stream'
  return [name, rest, 'unknown', `data:${mediaType};base64,${value.replace(/\s/g, '')}`]
}

const LINE_BREAK = '\r\n'

function print(properties: readonly VCardProperty[]): string {
  const lines = properties.map(([name, params, type, value]) => {
    const line: unknown = ICAL.stringify.property([name, params, type, value], DESIGN, true)
    return `${fold(String(line))}${LINE_BREAK}`
  })
  return `BEGIN:VCARD${LINE_BREAK}VERSION:4.0${LINE_BREAK}${lines.join('')}END:VCARD${LINE_BREAK}`
}
