import {
  escapeComponent,
  escapeText,
  readComponents,
  readList,
  splitValue,
  unescapeText,
} from '../icalendar/text'
import { longDate, shortDate } from './convert.dates'
import { fromDataUri, isBase64, isBinary, toDataUri } from './convert.media'
import {
  type LineDraft,
  first,
  has,
  param,
  printDraft,
  rewrite,
  type Rewrite,
  without,
  withParam,
} from './draft'
import { printLegacy } from './legacy'
import {
  type ContentLine,
  endOf,
  rawValue,
  splitLines,
  valuesNamed,
  type VCardVersion,
  versionOf,
} from './lines'
import { textOf } from './properties'

/**
 * Converts a card to another version. Lines that mean the same in both stay as they were written, and what a version does not
 * know is written all the same, so that nothing is lost.
 */
export function convert(text: string, to: Exclude<VCardVersion, '2.1'>): string {
  const from = versionOf(text)
  if (from === to) return text
  if (from === '2.1') return convert(rewriteAll(text, '3.0', modern), to)
  return to === '4.0' ? rewriteAll(text, to, () => FOR_4) : rewriteAll(text, to, () => FOR_3)
}

/** The version comes first, as 4.0 requires; the name that a version requires is added where there is none. */
function rewriteAll(
  text: string,
  to: VCardVersion,
  stepsFor: (line: ContentLine) => readonly Rewrite[],
): string {
  const lines = splitLines(text)
  const [start] = lines
  const lineBreak = start ? endOf(start) : '\r\n'
  const written = lines.flatMap((line) => {
    if (line.name === 'VERSION') return []
    const one = rewrite(line, stepsFor(line))
    if (line.name === 'BEGIN') return [one, `VERSION:${to}${lineBreak}`]
    return line.name === 'END' ? [...missingNames(lines, to, lineBreak), one] : [one]
  })
  return written.join('')
}

function missingNames(lines: readonly ContentLine[], to: VCardVersion, lineBreak: string): string[] {
  const valueOf = (wanted: string) => rawOf(lines.find(({ name }) => name === wanted))
  const isThere = (wanted: string) => lines.some(({ name }) => name === wanted)
  const add = (name: string, value: string) => printDraft({ group: '', name, params: [], value }, lineBreak)
  if (to === '4.0') return isThere('FN') ? [] : [add('FN', escapeText(fullName(valueOf)))]
  return isThere('N') ? [] : [add('N', `;${escapeComponent(unescapeText(valueOf('FN')))};;;`)]
}

const rawOf = (line: ContentLine | undefined) => (line ? rawValue(line) : '')

/** A name for a card that has none, as people would write it. */
function fullName(valueOf: (name: string) => string): string {
  const [last = '', given = '', more = '', before = '', after = ''] = splitValue(valueOf('N'), ';').map(
    (part) => readList(part, ' '),
  )
  const full = [before, given, more, last, after].filter((part) => part !== '').join(' ')
  const others = () =>
    [
      readList(valueOf('NICKNAME')),
      readComponents(valueOf('ORG'))[0] ?? '',
      unescapeText(valueOf('EMAIL')),
    ].find((name) => name !== '')
  return full || (others() ?? '')
}

/** A line of 2.1: all parameters get names. A folded line is written anew, as 2.1 folds otherwise. */
const modern = (line: ContentLine): readonly Rewrite[] => [
  (draft) => {
    const params = draft.params.filter(({ name }) => name !== 'encoding' && name !== 'charset')
    const named = params.map(({ name, values }) => param(name.toUpperCase(), values))
    if (isBase64(draft) && isBinary(draft)) {
      const value = draft.value.replace(/\s/g, '')
      return withParam({ ...draft, params: named, value }, param('ENCODING', ['b']))
    }
    const value = textOf(line, '2.1') ?? draft.value
    const isSame = value === draft.value && draft.params.every(({ text }) => text.includes('='))
    return isSame && params.length === draft.params.length && !isFolded(line)
      ? draft
      : { ...draft, params: named, value }
  },
]

const isFolded = (line: ContentLine) => /[\r\n]/.test(line.raw.slice(0, -endOf(line).length))

const plainCharset: Rewrite = (draft) => without(draft, 'charset')

const standardUri: Rewrite = (draft) =>
  /^url$/i.test(first(draft, 'value')) ? withParam(without(draft, 'value'), param('VALUE', ['uri'])) : draft

const isPref = (type: string) => type.toLowerCase() === 'pref'

/** `TYPE=pref` of 3.0 is `PREF=1` in 4.0. */
const prefAsNumber: Rewrite = (draft) => {
  const types = valuesNamed(draft.params, 'type')
  if (!types.some(isPref)) return draft
  const others = types.filter((type) => !isPref(type))
  const kept = without(draft, 'type')
  const typed = others.length === 0 ? kept : withParam(kept, param('TYPE', others))
  return has(typed, 'pref') ? typed : withParam(typed, param('PREF', ['1']))
}

const prefAsType: Rewrite = (draft) =>
  first(draft, 'pref') === '1' ? withParam(without(draft, 'pref'), param('TYPE', ['pref'])) : draft

/** 4.0 may write several types in one pair of quotes. */
const plainTypes: Rewrite = (draft) => {
  const isQuoted = draft.params.some(({ name, text }) => name === 'type' && text.includes('"'))
  if (!isQuoted) return draft
  const types = valuesNamed(draft.params, 'type').flatMap((type) => type.split(','))
  return withParam(without(draft, 'type'), param('TYPE', types))
}

/** 3.0 knows no addresses in the place of numbers. */
const phoneText: Rewrite = (draft) => {
  const [, number] = /^tel:([^;]*)$/i.exec(draft.value) ?? []
  return draft.name === 'TEL' && number !== undefined ? { ...without(draft, 'value'), value: number } : draft
}

const APPLE_NAMES = new Map([
  ['KIND', 'X-ADDRESSBOOKSERVER-KIND'],
  ['MEMBER', 'X-ADDRESSBOOKSERVER-MEMBER'],
])
const STANDARD_NAMES = new Map([...APPLE_NAMES].map(([standard, apple]) => [apple, standard]))

const renamed =
  (names: ReadonlyMap<string, string>): Rewrite =>
  (draft) => {
    const name = names.get(draft.name)
    return name === undefined ? draft : { ...draft, name }
  }

const valueAs =
  (wanted: string, from: RegExp, to: string): Rewrite =>
  (draft) =>
    draft.name === wanted && from.test(draft.value)
      ? { ...draft, value: draft.value.replace(from, to) }
      : draft

/** Texts in which 3.0 escapes semicolons, and 4.0 need not. */
const TEXTS = new Set(['FN', 'NICKNAME', 'NOTE', 'TITLE', 'ROLE', 'CATEGORIES'])

const escaped: Rewrite = (draft) => {
  const value = TEXTS.has(draft.name) ? escapeSemicolons(draft.value) : draft.value
  return value === draft.value ? draft : { ...draft, value }
}

/** Escapes the semicolons that are not. */
const escapeSemicolons = (value: string): string =>
  value.replace(/\\[\s\S]|;/g, (found) => (found === ';' ? '\\;' : found))

const FOR_4: readonly Rewrite[] = [
  toDataUri,
  plainCharset,
  standardUri,
  prefAsNumber,
  shortDate,
  renamed(STANDARD_NAMES),
  valueAs('GEO', /^([\d.+-]+);([\d.+-]+)$/, 'geo:$1,$2'),
]

const FOR_3: readonly Rewrite[] = [
  fromDataUri,
  plainTypes,
  prefAsType,
  phoneText,
  longDate,
  renamed(APPLE_NAMES),
  valueAs('GEO', /^geo:([\d.+-]+),([\d.+-]+)$/i, '$1;$2'),
  escaped,
]

/** A draft of 4.0 as a line of the version. */
export function printAs(draft: LineDraft, version: VCardVersion, lineBreak: string): string {
  const steps = version === '4.0' ? [] : FOR_3
  const after = steps.reduce((made, step) => step(made), draft)
  return version === '2.1' ? printLegacy(after, lineBreak) : printDraft(after, lineBreak)
}
