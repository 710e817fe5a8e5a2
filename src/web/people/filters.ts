import type { PersonView } from '../../features/people/people/model'
import { PATTERNS } from '../app/addresses'
import { queryOf } from '../api/call'
import { nameOf } from './names'

/** Which people the list shows, as its address says. */
export interface PeopleFilters {
  readonly category: string | undefined
  /** The id of an address book. */
  readonly book: number | undefined
  readonly favourites: boolean
}

export const NO_FILTERS: PeopleFilters = { category: undefined, book: undefined, favourites: false }

export const isFiltering = ({ category, book, favourites }: PeopleFilters): boolean =>
  category !== undefined || book !== undefined || favourites

export function readFilters(search: string): PeopleFilters {
  const query = new URLSearchParams(search)
  const book = Number(query.get('book') ?? Number.NaN)
  return {
    category: query.get('category') ?? undefined,
    book: Number.isSafeInteger(book) ? book : undefined,
    favourites: query.get('favourites') === 'true',
  }
}

const queryOfFilters = (
  { category, book, favourites }: PeopleFilters,
  more: Readonly<Record<string, string>>,
) => queryOf({ category, book, favourites: favourites ? 'true' : undefined, ...more })

/** The list, or a person beside it, with the filters kept. */
export const peopleAddress = (filters: PeopleFilters, more: Readonly<Record<string, string>> = {}): string =>
  `${PATTERNS.people}${queryOfFilters(filters, more)}`

export const personAddress = (
  id: number,
  filters: PeopleFilters,
  more: Readonly<Record<string, string>> = {},
): string => `${PATTERNS.people}/${id}${queryOfFilters(filters, more)}`

/** Without accents and case. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const digits = (text: string): string => text.replaceAll(/\D/g, '')

const SEARCHED = ['first_name', 'last_name', 'nickname', 'email', 'company', 'job_title', 'category'] as const

/** What is looked through, kept for each person, as a list is filtered at every letter. */
const kept = new WeakMap<PersonView, { readonly words: string; readonly numbers: string }>()

function searchedIn(person: PersonView) {
  const known = kept.get(person)
  if (known) return known
  const { phone, mobile } = person
  const made = {
    words: plain([nameOf(person), ...SEARCHED.map((field) => person[field])].join('\n')),
    numbers: [phone, mobile].map((number) => digits(number ?? '')).join('\n'),
  }
  kept.set(person, made)
  return made
}

/** The people whom the filters and a typed text leave; every word of the text must be there, and a number in the phone numbers. */
export function filtered(
  people: readonly PersonView[],
  { category, book, favourites }: PeopleFilters,
  text: string,
): readonly PersonView[] {
  const words = plain(text.trim()).split(/\s+/)
  const number = /^[\d\s+()/.-]{3,}$/.test(text.trim()) ? digits(text) : ''
  const matches = (person: PersonView) => {
    const searched = searchedIn(person)
    return (
      words.every((word) => searched.words.includes(word)) ||
      (number !== '' && searched.numbers.includes(number))
    )
  }
  return people.filter(
    (person) =>
      (category === undefined || person.category === category) &&
      (book === undefined || person.book_id === book) &&
      (!favourites || person.is_favourite) &&
      matches(person),
  )
}
