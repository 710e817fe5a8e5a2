import type { PersonView } from '../../features/people/people/model'

type CalledBy = Pick<PersonView, 'first_name' | 'last_name' | 'nickname'>

/** What a person is called: first and last name, or else the nickname. */
export const nameOf = ({ first_name: first, last_name: last, nickname }: CalledBy): string =>
  [first, last].filter(Boolean).join(' ') || (nickname ?? '')

/** The letters in a person's circle: the first ones of the first and the last word of the name. */
export function lettersOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => firstOf(word ?? ''))
  return letters.join('').toUpperCase()
}

const firstOf = (text: string): string => text[Symbol.iterator]().next().value ?? ''

/** The heading under which a name stands: its first letter without accents; everything that begins with none stands together. */
function initialOf(name: string): string {
  const plain = firstOf(name.normalize('NFD')).toUpperCase()
  return /^\p{L}/u.test(plain) ? plain : '#'
}

const collators = new Map<string, Intl.Collator>()

function collatorOf(locale: string): Intl.Collator {
  let known = collators.get(locale)
  if (!known) collators.set(locale, (known = new Intl.Collator(locale, { sensitivity: 'base' })))
  return known
}

/** People by name as the language sorts them; of the same name by their ids. */
export function byName(people: readonly PersonView[], locale: string): readonly PersonView[] {
  const { compare } = collatorOf(locale)
  return people
    .map((person) => ({ person, name: nameOf(person) }))
    .toSorted((a, b) => compare(a.name, b.name) || a.person.id - b.person.id)
    .map(({ person }) => person)
}

export interface InitialGroup {
  readonly initial: string
  readonly people: readonly PersonView[]
}

/** People in the order of their names, by initial. Letters that the language sorts as one stand under the first of them. */
export function byInitial(people: readonly PersonView[], locale: string): readonly InitialGroup[] {
  const { compare } = collatorOf(locale)
  const groups: Array<{ readonly initial: string; readonly people: PersonView[] }> = []
  for (const person of people) {
    const initial = initialOf(nameOf(person))
    const last = groups.at(-1)
    if (last && compare(last.initial, initial) === 0) last.people.push(person)
    else groups.push({ initial, people: [person] })
  }
  return groups
}
