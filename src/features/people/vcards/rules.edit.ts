import { displayName } from '../../../lib/person-name'
import { printAs } from '../../../lib/vcard/convert'
import { type LineDraft, draftOf, param, without } from '../../../lib/vcard/draft'
import { type ContentLine, endOf } from '../../../lib/vcard/lines'
import { textOf } from '../../../lib/vcard/properties'
import { escapeComponent, escapeText, readList, splitValue } from '../../../lib/icalendar/text'
import { type CardFields, FAVOURITE } from './rules'
import { type Field, FIELDS, MAPPINGS } from './rules.fields'
import { type Card, readCard } from './rules.reading'

/** What a card says of a person, as its row has it. */
export interface CardContent extends CardFields {
  readonly isFavourite: boolean
}

/** A change of a person by JSON. */
interface Edit {
  /** What the person was when the text came. */
  readonly before: CardContent
  readonly after: CardContent
  readonly uid: string
  readonly changedAt: Date
}

const NAMES = ['firstName', 'lastName'] as const

export const isSame = (one: CardContent, other: CardContent): boolean =>
  one.isFavourite === other.isFavourite && [...NAMES, ...FIELDS].every((field) => one[field] === other[field])

/** The new texts of lines, with '' for those that go, and lines that are added. */
interface Rewriting {
  readonly card: Card
  readonly replaced: Map<ContentLine, string>
  readonly added: string[]
}

/** The text with only the properties rewritten that the edit means; all other lines stay byte for byte. */
export function editCard(card: Card, edit: Edit): string {
  const { before, after } = edit
  if (isSame(before, after)) return card.text
  const writing: Rewriting = { card, replaced: new Map(), added: [] }
  if (card.uid === null) put(writing, undefined, plain('UID', escapeText(edit.uid)))
  writeNames(writing, edit)
  for (const field of FIELDS) if (before[field] !== after[field]) writeField(writing, field, after[field])
  if (before.isFavourite !== after.isFavourite) {
    const mark = after.isFavourite ? plain(FAVOURITE.toUpperCase(), 'TRUE') : undefined
    put(writing, lineNamed(card, FAVOURITE.toUpperCase()), mark)
  }
  put(writing, lineNamed(card, 'REV'), plain('REV', revision(edit.changedAt, card)))
  return print(writing)
}

const plain = (name: string, value: string): LineDraft => ({ group: '', name, params: [], value })

const lineNamed = ({ lines }: Card, wanted: string) => lines.find(({ name }) => name === wanted)

/** Writes the draft in the place of the line, or at the end; without a draft the line goes. */
function put(
  { card, replaced, added }: Rewriting,
  line: ContentLine | undefined,
  draft: LineDraft | undefined,
): void {
  const lineBreak = endOf(line ?? card.lines[0] ?? { raw: '' })
  const text = draft ? printAs(draft, card.version, lineBreak) : ''
  if (line) replaced.set(line, text)
  else if (draft) added.push(text)
}

function print({ card, replaced, added }: Rewriting): string {
  const last = card.lines.findLastIndex(({ name }) => name === 'END')
  return card.lines
    .map((line, at) => `${at === last ? added.join('') : ''}${replaced.get(line) ?? line.raw}`)
    .join('')
}

/** Transfer encodings, and what would say something else of the new value. */
const ENCODINGS = ['encoding', 'charset', 'value']
const OF_FIELDS: Partial<Readonly<Record<Field, readonly string[]>>> = {
  birthday: ['x-apple-omit-year', 'calscale'],
  address: ['label'],
}

function writeField(writing: Rewriting, field: Field, text: string | null): void {
  const { card } = writing
  const [source] = [...card.sources].find(([, filled]) => filled === field) ?? []
  const line = source && card.lineOf.get(source)
  const { property, print: printValue } = MAPPINGS[field]
  if (text === null) return line && put(writing, line, undefined)
  if (!line) {
    const made = plain(property.toUpperCase(), printValue(text))
    return put(writing, undefined, field === 'mobile' ? { ...made, params: [param('TYPE', ['CELL'])] } : made)
  }
  const value = field === 'company' ? withUnits(card, line, text) : printValue(text)
  put(writing, line, { ...without(draftOf(line), ...ENCODINGS, ...(OF_FIELDS[field] ?? [])), value })
}

/** The value of the line as 4.0 writes it. */
const valueIn = (card: Card, line: ContentLine) => textOf(line, card.version) ?? ''

/** An organisation keeps its units. */
function withUnits(card: Card, line: ContentLine, name: string): string {
  const parts = splitValue(valueIn(card, line), ';')
  const at = Math.max(
    0,
    parts.findIndex((part) => readList(part) !== ''),
  )
  return parts.map((part, index) => (index === at ? escapeComponent(name) : part)).join(';')
}

/** N keeps its other components, and what is longer than JSON shows; FN says the whole name. */
function writeNames(writing: Rewriting, { before, after }: Edit): void {
  const { card } = writing
  const [first, last] = NAMES.map((name) => before[name] !== after[name])
  const [n, fn] = [card.n && card.lineOf.get(card.n), card.fn && card.lineOf.get(card.fn)]
  if (first || last) {
    const parts = splitValue(n ? valueIn(card, n) : ';;;;', ';')
    const kept = (isChanged: boolean | undefined, part: string | undefined, name: string | null) =>
      isChanged || !card.isNamedByN ? escapeComponent(name ?? '') : (part ?? '')
    const names = [kept(last, parts[0], after.lastName), kept(first, parts[1], after.firstName)]
    const draft = n ? without(draftOf(n), 'encoding', 'charset') : plain('N', '')
    put(writing, n, { ...draft, value: [...names, ...parts.slice(2)].join(';') })
  }
  if (displayName(before) === displayName(after)) return
  const draft = fn ? without(draftOf(fn), 'encoding', 'charset') : plain('FN', '')
  put(writing, fn, { ...draft, value: escapeText(displayName(after)) })
}

/** When the card was changed, in the notation of its version. */
function revision(instant: Date, { version }: Card): string {
  const text = instant.toISOString().replace(/\.\d+/, '')
  return version === '4.0' ? text.replaceAll(/[-:]/g, '') : text
}

const HAS_UID = /(?<![^\r\n])(?:[\w-]+\.)?UID[ \t]*[:;]/i

/** The text with the UID, if it has none. */
export function identified(text: string, uid: string): string {
  const { card } = HAS_UID.test(text) ? {} : readCard(text)
  if (!card || card.uid !== null) return text
  const writing: Rewriting = { card, replaced: new Map(), added: [] }
  put(writing, undefined, plain('UID', escapeText(uid)))
  return print(writing)
}
