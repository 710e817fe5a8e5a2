import { useDeferredValue, useMemo, useState } from 'react'
import { useSearch } from 'wouter'
import type { PersonView } from '../../features/people/people/model'
import { DetailHeading, DetailLayout } from '../app/DetailLayout'
import { Gone } from '../app/Gone'
import { PLACES } from '../app/places'
import { useAddressed } from '../app/use-addressed'
import { useMessages } from '../messages/language'
import { Skeleton } from '../parts/Skeleton'
import { usePeople } from './data'
import { type PeopleFilters, filtered, peopleAddress, readFilters } from './filters'
import { PeopleDialogs } from './PeopleDialogs'
import { PeopleList } from './PeopleList'
import { PersonCard } from './PersonCard'
import { peopleTexts } from './texts'
import { useCelebrated } from './use-celebrated'

const PEOPLE = PLACES[5]

/** Everybody in the address books, and who is opened of them (contract: web.people). */
export function PeoplePage() {
  const texts = useMessages(peopleTexts)
  const search = useSearch()
  const filters = useMemo(() => readFilters(search), [search])
  const { people, loading } = usePeople()
  const { id, key } = useAddressed('person')
  // It stays typed while somebody is open instead of the list.
  const [text, setText] = useState('')
  const typed = useDeferredValue(text)
  const shown = useMemo(() => filtered(people, filters, typed), [people, filters, typed])
  const person = people.find((each) => each.id === id)
  useCelebrated(people, loading)
  if (id !== undefined && !person && loading.is === 'loaded') return <Gone place={PEOPLE} />
  return (
    <>
      <DetailLayout
        label={texts.person}
        listAddress={peopleAddress(filters)}
        detail={id === undefined ? undefined : <Detail key={key} person={person} filters={filters} />}
      >
        <PeopleList {...{ people, shown, loading, filters, text }} opened={id} onType={setText} />
      </DetailLayout>
      <PeopleDialogs person={person} filters={filters} />
    </>
  )
}

interface DetailProps {
  readonly person: PersonView | undefined
  readonly filters: PeopleFilters
}

function Detail({ person, filters }: DetailProps) {
  const texts = useMessages(peopleTexts)
  if (person) return <PersonCard person={person} filters={filters} />
  return (
    <>
      <DetailHeading>{texts.person}</DetailHeading>
      <Skeleton lines={6} />
    </>
  )
}
