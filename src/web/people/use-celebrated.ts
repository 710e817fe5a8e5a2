import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { PersonView } from '../../features/people/people/model'
import { PATTERNS } from '../app/addresses'
import type { Loading } from '../store/loader'
import { readDate } from '../time/days'
import { nextBirthday } from './birthdays'
import { NO_FILTERS, personAddress } from './filters'
import { nameOf } from './names'

/**
 * An address such as `/people?birthday=2026-12-10&of=Ada%27s%20birthday%20(41)`, which is all that the calendar knows of a birthday,
 * leads to the person (contract: web.birthdays).
 */
export function useCelebrated(people: readonly PersonView[], { is }: Loading): void {
  const search = useSearch()
  const [, navigate] = useLocation()
  useEffect(() => {
    const query = new URLSearchParams(search)
    const day = readDate(query.get('birthday') ?? '')
    if (!day) return
    const person = people.find((each) => celebrates(each, day, query.get('of') ?? ''))
    if (person) navigate(personAddress(person.id, NO_FILTERS), { replace: true })
    else if (is === 'loaded') navigate(PATTERNS.people, { replace: true })
  }, [people, is, search, navigate])
}

const celebrates = (person: PersonView, day: Temporal.PlainDate, title: string): boolean =>
  person.birthday !== null &&
  nextBirthday(person.birthday, day).date.equals(day) &&
  title.startsWith(`${nameOf(person)}'s birthday`)
