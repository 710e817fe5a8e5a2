import { cleanLine } from '../../../lib/wire/schema'
import { codePoints, cut } from '../../../lib/text'
import { displayName } from '../../../lib/person-name'
import { isUnborn } from '../people/rules'
import { type Field, FIELDS, fieldOf, MAPPINGS, type Property } from './rules.fields'
import { escapeComponent, escapeText, readList, splitValue, unescapeText } from '../../../lib/icalendar/text'

/** What a card says in fields of ours. */
type CardFields = Readonly<Record<Field | 'firstName' | 'lastName', string | null>>

/** Of a card or a file, not of the person; the favourite mark is a field of its own. */
const FAVOURITE = 'x-organiser-favourite'
const NOT_KEPT = new Set(['version', 'prodid', 'rev', 'uid', 'begin', 'end', FAVOURITE])

const MAX_NAME_LENGTH = 100
const MAX_UID_LENGTH = 500
/** No field holds what is longer, however it is escaped: taking it apart would be in vain. */
const MAX_VALUE_LENGTH = 50_000

export interface Card {
  readonly uid: string | null
  readonly fields: CardFields
  readonly isFavourite: boolean
  /** A list of other cards, as address books write it among them. */
  readonly isGroup: boolean
  /** All of the card that the next export writes again. */
  readonly kept: readonly Property[]
}

const valueOf = (properties: readonly Property[], wanted: string): string =>
  unescapeText(properties.find(([name]) => name === wanted)?.[3] ?? '').trim()

/** Where 4.0 says what a card is, and where Apple says it in 3.0. */
const KINDS = ['kind', 'x-addressbookserver-kind']

export function toCard(properties: readonly Property[]): Card {
  const kept = properties.filter(([name]) => !NOT_KEPT.has(name))
  return {
    uid: valueOf(properties, 'uid') || null,
    fields: interpret(kept).fields,
    isFavourite: valueOf(properties, FAVOURITE).toUpperCase() === 'TRUE',
    isGroup: KINDS.some((kind) => valueOf(properties, kind).toLowerCase() === 'group'),
    kept,
  }
}

/** Why the card cannot become a person; undefined where it can. `today` as `YYYY-MM-DD`. */
export function problemOf({ uid, fields, isGroup }: Card, today: string): string | undefined {
  if (isGroup) return 'is a group of people'
  if (codePoints(uid ?? '') > MAX_UID_LENGTH) return `UID is longer than ${MAX_UID_LENGTH} characters`
  if (displayName(fields) === '') return 'has no name'
  const isLong = [fields.firstName, fields.lastName].some((name) => codePoints(name ?? '') > MAX_NAME_LENGTH)
  if (isLong) return `has a name of more than ${MAX_NAME_LENGTH} characters`
  return isUnborn(fields.birthday, today) ? 'birthday is in the future' : undefined
}

/** Which property each field came from: the first that can fill it. */
interface Interpretation {
  readonly fields: CardFields
  readonly sources: ReadonlyMap<Property, Field>
  /** The properties that names came from. */
  readonly n: Property | undefined
  readonly fn: Property | undefined
}

function interpret(properties: readonly Property[]): Interpretation {
  const sources = new Map<Property, Field>()
  const found = new Map<Field, string | null>()
  for (const property of properties) {
    const field = fieldOf(property)
    if (field === undefined || found.has(field)) continue
    const text = property[3].length > MAX_VALUE_LENGTH ? '' : MAPPINGS[field].read(property)
    const isUsable = text !== '' && MAPPINGS[field].fits(text)
    // A card has one birthday: what cannot be read goes when it is set here.
    if (!isUsable && field !== 'birthday') continue
    found.set(field, isUsable ? text : null)
    sources.set(property, field)
  }
  const n = properties.find(([name]) => name === 'n')
  const fn = properties.find(([name]) => name === 'fn')
  const get = (field: Field) => found.get(field) ?? null
  const fields = {
    ...namesOf(get('nickname'), n, fn),
    nickname: get('nickname'),
    email: get('email'),
    mobile: get('mobile'),
    phone: get('phone'),
    address: get('address'),
    company: get('company'),
    jobTitle: get('jobTitle'),
    birthday: get('birthday'),
    category: get('category'),
    notes: get('notes'),
  }
  return { fields: withNickname(fields, properties), sources, n, fn }
}

/** First and last name out of N, else the first out of FN. */
function namesOf(nickname: string | null, n: Property | undefined, fn: Property | undefined) {
  const [last = '', first = ''] = splitValue(readable(n), ';').map((part) => readList(part, ' '))
  const names = { firstName: orNull(first), lastName: orNull(last) }
  if (displayName({ ...names, nickname: null }) !== '') return names
  const title = orNull(unescapeText(readable(fn)))
  return { firstName: title === nickname ? null : title, lastName: null }
}

const readable = (property: Property | undefined) => property?.[3].slice(0, MAX_VALUE_LENGTH) ?? ''

const orNull = (text: string): string | null => cleanLine(text) || null

/** A card without a name is known by its organisation, as address books show it. */
function withNickname(fields: CardFields, properties: readonly Property[]): CardFields {
  if (displayName(fields) !== '') return fields
  const organisation = properties
    .filter(([name, , , value]) => name === MAPPINGS.company.property && value.length <= MAX_VALUE_LENGTH)
    .map((property) => MAPPINGS.company.read(property))
    .find((text) => text !== '')
  return { ...fields, nickname: orNull(cut(organisation ?? '', MAX_NAME_LENGTH)) }
}

/** A person as the export writes them. */
export interface Exported extends CardFields {
  readonly uid: string
  readonly isFavourite: boolean
  readonly kept: readonly Property[]
}

/**
 * The properties of a person's card: those of the card that they came from, as they were where the field still holds what
 * they said, and what that card did not have.
 */
export function toProperties(person: Exported): Property[] {
  const { sources, n, fn, fields } = interpret(person.kept)
  const isSameName = person.firstName === fields.firstName && person.lastName === fields.lastName
  const isSameTitle = isSameName && displayName(person) === displayName(fields)
  const own = person.kept.flatMap((property): Property[] => {
    const field = sources.get(property)
    if (property === n) return [isSameName ? property : named(person, n)]
    if (property === fn) return [isSameTitle && fn[3] !== '' ? fn : titled(person, fn)]
    return field === undefined ? [property] : filled(person, field, property, fields[field])
  })
  const known = new Set(sources.values())
  const missing = FIELDS.filter((field) => !known.has(field)).flatMap((field) =>
    filled(person, field, undefined, null),
  )
  return [
    plain('uid', escapeText(person.uid)),
    ...(fn ? [] : [titled(person)]),
    ...(n || (fn && isSameName) ? [] : [named(person)]),
    ...own,
    ...missing,
    ...(person.isFavourite ? [plain(FAVOURITE, 'TRUE')] : []),
  ]
}

const plain = (name: string, value: string, params: Property[1] = {}): Property => [
  name,
  params,
  'unknown',
  value,
]

const titled = (person: CardFields, from?: Property) =>
  plain('fn', escapeText(displayName(person)), from?.[1])

/** Keeps what N holds beside the two names: further ones, prefixes and suffixes. */
function named({ firstName, lastName }: CardFields, from?: Property): Property {
  const [, , ...further] = splitValue(from?.[3] ?? ';;;;', ';')
  const names = [lastName, firstName].map((name) => escapeComponent(name ?? ''))
  return plain('n', [...names, ...further].join(';'), from?.[1])
}

/** What says that a day has no year, or is more than a day. */
const PARAMS_OF_DATES = new Set(['x-apple-omit-year', 'calscale'])

function filled(
  person: CardFields,
  field: Field,
  from: Property | undefined,
  said: string | null,
): Property[] {
  const text = person[field]
  const { property, print } = MAPPINGS[field]
  const isBirthday = field === 'birthday'
  // 4.0 writes days in one way only.
  if (from && text === said && (text === null || !isBirthday)) return [from]
  if (text === null) return []
  const params = from?.[1] ?? (field === 'mobile' ? { type: 'cell' } : {})
  const kept = Object.entries(params).filter(([name]) => !isBirthday || !PARAMS_OF_DATES.has(name))
  return [plain(property, print(text), Object.fromEntries(kept))]
}
