import { useMemo } from 'react'
import { useLocation } from 'wouter'
import type { PersonView } from '../../features/people/people/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Field } from '../parts/Field'
import { Icon } from '../parts/Icon'
import { Select } from '../parts/Select'
import { categoriesOf, useBooks } from './data'
import { type PeopleFilters, peopleAddress } from './filters'
import { peopleTexts } from './texts'

const messages = defineMessages({
  en: {
    filter: 'Filter people',
    allBooks: 'All address books',
    allCategories: 'All categories',
    favourites: 'Favourites',
  },
  de: {
    filter: 'Personen filtern',
    allBooks: 'Alle Adressbücher',
    allCategories: 'Alle Kategorien',
    favourites: 'Favoriten',
  },
})

interface PeopleToolsProps {
  readonly people: readonly PersonView[]
  readonly filters: PeopleFilters
  readonly text: string
  readonly onType: (text: string) => void
}

/** What leaves people out of the list: words that are typed, a category, an address book, favourites. */
export function PeopleTools({ people, filters, text, onType }: PeopleToolsProps) {
  const m = useMessages(messages)
  const [, navigate] = useLocation()
  const choose = (changes: Partial<PeopleFilters>) =>
    navigate(peopleAddress({ ...filters, ...changes }), { replace: true })
  const hasFavourites = filters.favourites || people.some(({ is_favourite: isFavourite }) => isFavourite)
  return (
    <search className="people-tools">
      <Field
        label={m.filter}
        type="search"
        autoComplete="off"
        value={text}
        onChange={({ target }) => onType(target.value)}
      />
      <CategoryChoice people={people} filters={filters} choose={choose} />
      <BookChoice filters={filters} choose={choose} />
      {hasFavourites && (
        <Button aria-pressed={filters.favourites} onClick={() => choose({ favourites: !filters.favourites })}>
          <Icon name="star" />
          {m.favourites}
        </Button>
      )}
    </search>
  )
}

interface ChoiceProps {
  readonly filters: PeopleFilters
  readonly choose: (changes: Partial<PeopleFilters>) => void
}

const ALL = ''

function CategoryChoice({
  people,
  filters: { category },
  choose,
}: ChoiceProps & Pick<PeopleToolsProps, 'people'>) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const categories = useMemo(() => categoriesOf(people), [people])
  if (categories.length === 0 && category === undefined) return null
  const offered = new Set([...categories, ...(category === undefined ? [] : [category])])
  return (
    <Select
      label={texts.category}
      options={[
        { value: ALL, label: m.allCategories },
        ...[...offered].map((each) => ({ value: each, label: each })),
      ]}
      value={category ?? ALL}
      onChange={(value) => choose({ category: value === ALL ? undefined : value })}
    />
  )
}

function BookChoice({ filters: { book }, choose }: ChoiceProps) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const books = useBooks()
  if (books.length < 2 && book === undefined) return null
  return (
    <Select
      label={texts.book}
      options={[
        { value: ALL, label: m.allBooks },
        ...books.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={book === undefined ? ALL : String(book)}
      onChange={(value) => choose({ book: value === ALL ? undefined : Number(value) })}
    />
  )
}
