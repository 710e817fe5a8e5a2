import { codePoints, isStorable } from '../../../lib/text'
import {
  type ContentLine,
  splitLines,
  unfolded,
  type VCardVersion,
  versionOf,
} from '../../../lib/vcard/lines'
import { toProperty, type VCardProperty as Property } from '../../../lib/vcard/properties'
import { FAVOURITE, type Interpretation, interpret, valueOf } from './rules'
import { FIELDS, MAPPINGS } from './rules.fields'

/** The one reader of cards: for imports, and for what other programs put here. */

/** What JSON shows of a card, and its text. */
export interface Card extends Interpretation {
  /** As it was written. */
  readonly text: string
  readonly version: VCardVersion
  readonly lines: readonly ContentLine[]
  /** The line of each property that is read. */
  readonly lineOf: ReadonlyMap<Property, ContentLine>
  readonly uid: string | null
  readonly isFavourite: boolean
  /** A group: a list of other cards, which address books store as a card. It is no person. */
  readonly isGroup: boolean
}

type CardReading =
  | { readonly card: Card; readonly reason?: undefined }
  /** Why the text is no card. */
  | { readonly card?: undefined; readonly reason: string }

/** The most characters of a card: as much as a request may send. */
const MAX_LENGTH = 10_485_760
/** Far more properties than other programs write. */
const MAX_LINES = 10_000

/** Properties with the kind of a card: the standard one of vCard 4.0, and Apple's for 3.0. */
const KINDS = ['kind', 'x-addressbookserver-kind']

const READ = new Set(
  ['n', 'fn', 'uid', FAVOURITE, ...KINDS, ...FIELDS.map((field) => MAPPINGS[field].property)].map((name) =>
    name.toUpperCase(),
  ),
)

/** Reads the text of one card. Only what is no card, or cannot be stored, has a reason against it. */
export function readCard(text: string): CardReading {
  if (text.length > MAX_LENGTH) return { reason: 'is larger than 10 MiB' }
  if (!isStorable(text)) return { reason: text.includes('\0') ? 'contains U+0000' : 'is not Unicode' }
  const lines = splitLines(text, MAX_LINES + 1)
  if (lines.length > MAX_LINES) return { reason: `has more than ${MAX_LINES} lines` }
  const reason = problemOf(lines)
  return reason === undefined ? { card: cardOf(text, lines) } : { reason }
}

/** One card, from its first line to its last, and nothing else. */
function problemOf(lines: readonly ContentLine[]): string | undefined {
  const written = lines.filter(({ raw }) => raw.length > 9 || !/^[\ufeff\s]*$/.test(raw))
  const [begins, ends] = [
    written.filter((line) => isBoundary(line, 'BEGIN')),
    written.filter((line) => isBoundary(line, 'END')),
  ]
  if (begins.length === 0 || begins[0] !== written[0]) return 'is not a vCard'
  if (ends.length === 0) return 'has no end'
  if (begins.length > 1 || ends.length > 1) return 'holds another card'
  return ends[0] === written.at(-1) ? undefined : 'is not a vCard'
}

const isBoundary = (line: ContentLine, wanted: string) =>
  line.name === wanted && line.raw.length < 100 && /:[ \t]*VCARD[ \t]*$/i.test(unfolded(line))

function cardOf(text: string, lines: readonly ContentLine[]): Card {
  const version = versionOf(text)
  const lineOf = new Map<Property, ContentLine>()
  for (const line of lines) {
    const property = READ.has(line.name) ? toProperty(line, version) : undefined
    if (property) lineOf.set(property, line)
  }
  const properties = [...lineOf.keys()]
  return {
    ...interpret(properties),
    text,
    version,
    lines,
    lineOf,
    uid: valueOf(properties, 'uid') || null,
    isFavourite: valueOf(properties, FAVOURITE).toUpperCase() === 'TRUE',
    isGroup: KINDS.some((kind) => valueOf(properties, kind).toLowerCase() === 'group'),
  }
}

const MAX_UID_LENGTH = 500

/** Whether the UID can identify a record; a longer one is known by its hash. */
export const isShortUid = (uid: string): boolean => codePoints(uid) <= MAX_UID_LENGTH

/** What is equal for equal cards, regardless of folding and line ends. */
export const contentOf = ({ lines }: Pick<Card, 'lines'>): string =>
  lines
    .filter((line) => !isBoundary(line, 'BEGIN') && !isBoundary(line, 'END'))
    .map(unfolded)
    .filter((line) => line !== '' && line !== '\uFEFF')
    .join('\n')
