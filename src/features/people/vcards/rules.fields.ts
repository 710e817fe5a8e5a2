import { email, line, lines, paragraphs } from '../../../lib/wire/schema'
import { customProblem } from '../../../lib/wire/schema-kinds'
import { cleanLine, cleanLines, tidyParagraphs } from '../../../lib/wire/tidy'
import { codePoints, cut } from '../../../lib/text'
import { isBirthday } from '../../../lib/time/time'
import type { VCardProperty as Property } from '../../../lib/vcard/properties'
import {
  escapeComponent,
  escapeText,
  printList,
  readComponents,
  readList,
  unescapeText,
} from '../../../lib/icalendar/text'

/** Fields that map to a single property of a card. Names are more complex. */
export const FIELDS = [
  'nickname',
  'email',
  'mobile',
  'phone',
  'address',
  'company',
  'jobTitle',
  'birthday',
  'category',
  'notes',
] as const
export type Field = (typeof FIELDS)[number]

interface Mapping {
  readonly property: string
  /** Returns an empty string when the property has no usable value. */
  readonly read: (property: Property) => string
  readonly print: (text: string) => string
  /** Whether the field can hold the text. */
  readonly fits: (text: string) => boolean
  /** The most characters that the field can hold; a longer text is shown cut. */
  readonly max?: number
}

/** The text, or as much of it as a field of so many characters can show, with `…`. */
export const shown = (text: string, max: number): string =>
  codePoints(text) > max ? `${cut(text, max - 1).trimEnd()}…` : text

const fits = (schema: Parameters<typeof customProblem>[0]) => (text: string) =>
  customProblem(schema, text) === undefined
const text = ([, , , value]: Property) => cleanLine(unescapeText(value))
const list = ([, , , value]: Property) => cleanLine(readList(value))
const short = { fits: fits(line({ max: 200 })), max: 200 }

export const MAPPINGS: Readonly<Record<Field, Mapping>> = {
  nickname: { property: 'nickname', read: list, print: printList, fits: fits(line({ max: 100 })), max: 100 },
  email: { property: 'email', read: text, print: escapeText, fits: fits(email()) },
  mobile: { property: 'tel', read: readPhone, print: escapeText, ...short },
  phone: { property: 'tel', read: readPhone, print: escapeText, ...short },
  address: {
    property: 'adr',
    read: ([, , , value]) => cleanLines(readComponents(value).join(', ')),
    print: (address) => `;;${escapeComponent(address)};;;;`,
    fits: fits(lines({ max: 500 })),
    max: 500,
  },
  company: {
    property: 'org',
    read: ([, , , value]) => cleanLine(readComponents(value)[0] ?? ''),
    print: escapeComponent,
    ...short,
  },
  jobTitle: { property: 'title', read: text, print: escapeText, ...short },
  birthday: {
    property: 'bday',
    read: readBirthday,
    print: (birthday) => birthday.replace(/^--/, '##').replaceAll('-', '').replace('##', '--'),
    fits: isBirthday,
  },
  category: { property: 'categories', read: list, print: printList, fits: fits(line({ max: 50 })), max: 50 },
  notes: {
    property: 'note',
    read: ([, , , value]) => tidyParagraphs(unescapeText(value)),
    print: escapeText,
    fits: fits(paragraphs({ max: 10_000 })),
    max: 10_000,
  },
}

const FIELD_OF = new Map(FIELDS.map((field) => [MAPPINGS[field].property, field]))

/** Returns the field that the property may fill, if any. */
export function fieldOf(property: Property): Field | undefined {
  const [name, { type = [] }] = property
  if (name !== 'tel') return FIELD_OF.get(name)
  return [type].flat().some((entry) => /^(?:cell|mobile)$/i.test(entry)) ? 'mobile' : 'phone'
}

/** Reads a phone number; vCard 4.0 may write it as a `tel:` URI. */
function readPhone(property: Property): string {
  return property[2] === 'uri' ? text(property).replace(/^tel:/i, '') : text(property)
}

/** The year that Apple writes when the year is unknown. */
const NO_YEAR = '1604'
const DATE = /^(\d{4}|--)-?(\d{2})-?(\d{2})(?:[T ].*)?$/

/**
 * Reads a day in any notation of vCard 2.1, 3.0 and 4.0, without its time of day. Returns an empty string unless the day is
 * complete.
 */
function readBirthday(property: Property): string {
  const [, params] = property
  const [, year = '', month = '', day = ''] = DATE.exec(text(property)) ?? []
  if (month === '') return ''
  const isYearless = year === '--' || year === NO_YEAR || year === String(params['x-apple-omit-year'])
  const birthday = `${isYearless ? '-' : year}-${month}-${day}`
  return isBirthday(birthday) ? birthday : ''
}
