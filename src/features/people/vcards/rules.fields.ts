import {
  cleanLine,
  cleanLines,
  customProblem,
  email,
  line,
  lines,
  paragraphs,
  tidyParagraphs,
} from '../../../lib/wire/schema'
import { isBirthday } from '../../../lib/time/time'
import {
  escapeComponent,
  escapeText,
  printList,
  readComponents,
  readList,
  unescapeText,
} from '../../../lib/icalendar/text'

/** A property of a card, as the port `VCards` has it. */
export type Property = readonly [
  name: string,
  params: Readonly<Record<string, string | readonly string[]>>,
  type: string,
  value: string,
]

/** Fields that one property of a card holds alone; names are more involved. */
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
  /** The property's name. */
  readonly property: string
  /** Empty where the property says nothing. */
  readonly read: (property: Property) => string
  readonly print: (text: string) => string
  /** Whether the field can hold the text. */
  readonly fits: (text: string) => boolean
}

const fits = (schema: Parameters<typeof customProblem>[0]) => (text: string) =>
  customProblem(schema, text) === undefined
const text = ([, , , value]: Property) => cleanLine(unescapeText(value))
const list = ([, , , value]: Property) => cleanLine(readList(value))
const short = fits(line({ max: 200 }))

export const MAPPINGS: Readonly<Record<Field, Mapping>> = {
  nickname: { property: 'nickname', read: list, print: printList, fits: fits(line({ max: 100 })) },
  email: { property: 'email', read: text, print: escapeText, fits: fits(email()) },
  mobile: { property: 'tel', read: readPhone, print: escapeText, fits: short },
  phone: { property: 'tel', read: readPhone, print: escapeText, fits: short },
  address: {
    property: 'adr',
    read: ([, , , value]) => cleanLines(readComponents(value).join(', ')),
    print: (address) => `;;${escapeComponent(address)};;;;`,
    fits: fits(lines({ max: 500 })),
  },
  company: {
    property: 'org',
    read: ([, , , value]) => cleanLine(readComponents(value)[0] ?? ''),
    print: escapeComponent,
    fits: short,
  },
  jobTitle: { property: 'title', read: text, print: escapeText, fits: short },
  birthday: {
    property: 'bday',
    read: readBirthday,
    print: (birthday) => birthday.replace(/^--/, '##').replaceAll('-', '').replace('##', '--'),
    fits: isBirthday,
  },
  category: { property: 'categories', read: list, print: printList, fits: fits(line({ max: 50 })) },
  notes: {
    property: 'note',
    read: ([, , , value]) => tidyParagraphs(unescapeText(value)),
    print: escapeText,
    fits: fits(paragraphs({ max: 10_000 })),
  },
}

const FIELD_OF = new Map(FIELDS.map((field) => [MAPPINGS[field].property, field]))

/** Which field the property may fill, if any does. */
export function fieldOf(property: Property): Field | undefined {
  const [name, { type = [] }] = property
  if (name !== 'tel') return FIELD_OF.get(name)
  return [type].flat().some((entry) => /^(?:cell|mobile)$/i.test(entry)) ? 'mobile' : 'phone'
}

/** A number, also where 4.0 writes it as a `tel:` address. */
function readPhone(property: Property): string {
  return property[2] === 'uri' ? text(property).replace(/^tel:/i, '') : text(property)
}

/** The year that Apple writes where it knows none. */
const NO_YEAR = '1604'
const DATE = /^(\d{4}|--)-?(\d{2})-?(\d{2})(?:[T ].*)?$/

/** A day in any of the ways of 2.1, 3.0 and 4.0, its time of day left out; empty where there is no whole day. */
function readBirthday(property: Property): string {
  const [, params] = property
  const [, year = '', month = '', day = ''] = DATE.exec(text(property)) ?? []
  if (month === '') return ''
  const isYearless = year === '--' || year === NO_YEAR || year === params['x-apple-omit-year']
  const birthday = `${isYearless ? '-' : year}-${month}-${day}`
  return isBirthday(birthday) ? birthday : ''
}
