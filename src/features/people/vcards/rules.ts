import { cleanLine } from '../../../lib/wire/tidy'
import { displayName } from '../../../lib/person-name'
import { readList, splitValue, unescapeText } from '../../../lib/icalendar/text'
import type { VCardProperty as Property } from '../../../lib/vcard/properties'
import { type Field, fieldOf, MAPPINGS, shown } from './rules.fields'

/** The fields of a person that a card sets. */
export type CardFields = Readonly<Record<Field | 'firstName' | 'lastName', string | null>>

/** Marks a favourite, for imports of own exports. */
export const FAVOURITE = 'x-organiser-favourite'

const MAX_NAME_LENGTH = 100
/** Even with escapes, no field holds a longer value, so the rest is not read. */
const MAX_VALUE_LENGTH = 50_000

/** The fields of a card, and the property that each came from: the first that can fill it. */
export interface Interpretation {
  readonly fields: CardFields
  readonly sources: ReadonlyMap<Property, Field>
  /** The properties that the names came from. */
  readonly n: Property | undefined
  readonly fn: Property | undefined
  /** Whether N has the names. */
  readonly isNamedByN: boolean
}

interface Options {
  /**
   * Reads as imports once did, whose rows are compared with what it says: a longer text than a field can hold is in none, and an
   * organisation without a name is a nickname.
   */
  readonly isFormer: boolean
}

export function interpret(
  properties: readonly Property[],
  { isFormer }: Options = { isFormer: false },
): Interpretation {
  const sources = new Map<Property, Field>()
  const found = new Map<Field, string | null>()
  for (const property of properties) {
    const field = fieldOf(property)
    if (field === undefined || found.has(field)) continue
    const text = valueFor(field, property, isFormer)
    // A card has only one birthday, so an unreadable one is replaced when the person gets a birthday.
    if (text === '' && field !== 'birthday') continue
    found.set(field, text || null)
    sources.set(property, field)
  }
  const n = properties.find(([name]) => name === 'n')
  const fn = properties.find(([name]) => name === 'fn')
  const get = (field: Field) => found.get(field) ?? null
  const names = namesOf(get('nickname'), n, fn)
  const fields = {
    firstName: nameShown(names.firstName),
    lastName: nameShown(names.lastName),
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
  const { isNamedByN } = names
  return {
    fields: isFormer ? withNickname(fields, properties) : withName(fields, properties),
    sources,
    n,
    fn,
    isNamedByN,
  }
}

/** The text that the property gives the field; empty when it has none that the field can show. */
function valueFor(field: Field, property: Property, isFormer: boolean): string {
  const [name, params, type, value] = property
  if (isFormer && value.length > MAX_VALUE_LENGTH) return ''
  const { read, fits, max } = MAPPINGS[field]
  const text = read([name, params, type, value.slice(0, MAX_VALUE_LENGTH)])
  const fitting = isFormer || max === undefined ? text : shown(text, max)
  return fitting !== '' && fits(fitting) ? fitting : ''
}

/** First and last name from N, or else the first name from FN. */
function namesOf(nickname: string | null, n: Property | undefined, fn: Property | undefined) {
  const [last = '', first = ''] = splitValue(readable(n), ';').map((part) => readList(part, ' '))
  const names = { firstName: orNull(first), lastName: orNull(last) }
  if (displayName({ ...names, nickname: null }) !== '') return { ...names, isNamedByN: true }
  const title = orNull(unescapeText(readable(fn)))
  return { firstName: title === nickname ? null : title, lastName: null, isNamedByN: false }
}

const readable = (property: Property | undefined) => property?.[3].slice(0, MAX_VALUE_LENGTH) ?? ''

const orNull = (text: string): string | null => cleanLine(text) || null

const nameShown = (name: string | null) => name && shown(name, MAX_NAME_LENGTH)

/** What a card without any name is called when nothing else is in it. */
const UNNAMED = 'Unnamed'

/** Of a card without a name, the organisation, an address or a number is the first name. */
function withName(fields: CardFields, properties: readonly Property[]): CardFields {
  if (displayName(fields) !== '') return fields
  const { email, mobile, phone } = fields
  const address = properties.find(
    ([name, , , value]) => name === 'email' && orNull(unescapeText(value)) !== null,
  )
  const other = email ?? orNull(unescapeText(readable(address))) ?? mobile ?? phone ?? UNNAMED
  return { ...fields, firstName: shown(organisationOf(properties) ?? other, MAX_NAME_LENGTH) }
}

function withNickname(fields: CardFields, properties: readonly Property[]): CardFields {
  if (displayName(fields) !== '') return fields
  return { ...fields, nickname: nameShown(organisationOf(properties)) }
}

const organisationOf = (properties: readonly Property[]): string | null =>
  properties
    .filter(([name]) => name === MAPPINGS.company.property)
    .map(([name, params, type, value]) =>
      MAPPINGS.company.read([name, params, type, value.slice(0, MAX_VALUE_LENGTH)]),
    )
    .find((text) => text !== '') ?? null

/** The text of the first property with the name; empty without one. */
export const valueOf = (properties: readonly Property[], wanted: string): string =>
  unescapeText(properties.find(([name]) => name === wanted)?.[3] ?? '').trim()
