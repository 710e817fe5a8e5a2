import { cleanLine } from '../../../lib/wire/tidy'
import { codePoints, cut } from '../../../lib/text'
import { displayName } from '../../../lib/person-name'
import { isUnborn } from '../people/rules'
import { type Field, FIELDS, fieldOf, MAPPINGS, type Property } from './rules.fields'
import { escapeComponent, escapeText, readList, splitValue, unescapeText } from '../../../lib/icalendar/text'

/** The fields of a person that a card sets. */
type CardFields = Readonly<Record<Field | 'firstName' | 'lastName', string | null>>

/** These properties describe the card or the file, not the person. The favourite mark has a field of its own. */
const FAVOURITE = 'x-organiser-favourite'
const NOT_KEPT = new Set(['version', 'prodid', 'rev', 'uid', 'begin', 'end', FAVOURITE])

const MAX_NAME_LENGTH = 100
const MAX_UID_LENGTH = 500
/** Even with escapes, no field holds a longer value, so it is not parsed. */
const MAX_VALUE_LENGTH = 50_000

export interface Card {
  readonly uid: string | null
  readonly fields: CardFields
  readonly isFavourite: boolean
  /** A group: a list of other cards, which address books store as a card. */
  readonly isGroup: boolean
  /** All properties that the next export writes again. */
  readonly kept: readonly Property[]
}

const valueOf = (properties: readonly Property[], wanted: string): string =>
  unescapeText(properties.find(([name]) => name === wanted)?.[3] ?? '').trim()

/** Properties with the kind of a card: the standard one of vCard 4.0, and Apple's for 3.0. */
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

/** Returns why the card cannot become a person; undefined when it can. `today` is `YYYY-MM-DD`. */
export function problemOf({ uid, fields, isGroup }: Card, today: string): string | undefined {
  if (isGroup) return 'is a group of people'
  if (codePoints(uid ?? '') > MAX_UID_LENGTH) return `UID is longer than ${MAX_UID_LENGTH} characters`
  if (displayName(fields) === '') return 'has no name'
  const isLong = [fields.firstName, fields.lastName].some((name) => codePoints(name ?? '') > MAX_NAME_LENGTH)
  if (isLong) return `has a name of more than ${MAX_NAME_LENGTH} characters`
  return isUnborn(fields.birthday, today) ? 'birthday is in the future' : undefined
}

/** The fields of a card, and the property that each came from: the first that can fill it. */
interface Interpretation {
  readonly fields: CardFields
  readonly sources: ReadonlyMap<Property, Field>
  /** The properties that the names came from. */
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
    // A card has only one birthday, so an unreadable one is replaced when the person gets a birthday.
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

/** First and last name from N, or else the first name from FN. */
function namesOf(nickname: string | null, n: Property | undefined, fn: Property | undefined) {
  const [last = '', first = ''] = splitValue(readable(n), ';').map((part) => readList(part, ' '))
  const names = { firstName: orNull(first), lastName: orNull(last) }
  if (displayName({ ...names, nickname: null }) !== '') return names
  const title = orNull(unescapeText(readable(fn)))
  return { firstName: title === nickname ? null : title, lastName: null }
}

const readable = (property: Property | undefined) => property?.[3].slice(0, MAX_VALUE_LENGTH) ?? ''

const orNull = (text: string): string | null => cleanLine(text) || null

/** Uses the organisation as nickname when the card has no name, as address books do. */
function withNickname(fields: CardFields, properties: readonly Property[]): CardFields {
  if (displayName(fields) !== '') return fields
  const organisation = properties
    .filter(([name, , , value]) => name === MAPPINGS.company.property && value.length <= MAX_VALUE_LENGTH)
    .map((property) => MAPPINGS.company.read(property))
    .find((text) => text !== '')
  return { ...fields, nickname: orNull(cut(organisation ?? '', MAX_NAME_LENGTH)) }
}

/** A person to export. */
export interface Exported extends CardFields {
  readonly uid: string
  readonly isFavourite: boolean
  readonly kept: readonly Property[]
}

/**
 * Returns the properties of a person's card. Properties of the imported card stay as they were if their field still has the same
 * value. Properties that the card did not have are added.
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

/** Keeps the other components of N: additional names, prefixes and suffixes. */
function named({ firstName, lastName }: CardFields, from?: Property): Property {
  const [, , ...further] = splitValue(from?.[3] ?? ';;;;', ';')
  const names = [lastName, firstName].map((name) => escapeComponent(name ?? ''))
  return plain('n', [...names, ...further].join(';'), from?.[1])
}

/** Parameters that mark a missing year or a calendar; they do not fit a plain date. */
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
  // Birthdays are always written again, as vCard 4.0 allows only one notation.
  if (from && text === said && (text === null || !isBirthday)) return [from]
  if (text === null) return []
  const params = from?.[1] ?? (field === 'mobile' ? { type: 'cell' } : {})
  const kept = Object.entries(params).filter(([name]) => !isBirthday || !PARAMS_OF_DATES.has(name))
  return [plain(property, print(text), Object.fromEntries(kept))]
}
