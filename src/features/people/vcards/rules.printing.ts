import { displayName } from '../../../lib/person-name'
import { printProperty, type VCardProperty as Property } from '../../../lib/vcard/properties'
import { escapeComponent, escapeText, splitValue } from '../../../lib/icalendar/text'
import { type CardFields, FAVOURITE, interpret } from './rules'
import { type Field, FIELDS, MAPPINGS } from './rules.fields'

/** Cards of people of whom no text is kept: made here, or by imports that kept properties only. */

/** A person without a text. */
export interface Printed extends CardFields {
  readonly uid: string
  readonly isFavourite: boolean
  readonly kept: readonly Property[]
}

/**
 * Returns the properties of a person's card. Properties of the imported card stay as they were if their field still has the same
 * value. Properties that the card did not have are added.
 */
function toProperties(person: Printed): Property[] {
  const { sources, n, fn, fields } = interpret(person.kept, { isFormer: true })
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

/** The card of version 4.0, with folded lines that end with CRLF. */
export const printCard = (person: Printed): string =>
  ['BEGIN:VCARD\r\nVERSION:4.0\r\n', ...toProperties(person).map(printProperty), 'END:VCARD\r\n'].join('')
