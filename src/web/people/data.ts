import { useMemo } from 'react'
import type { AddressBookView } from '../../features/people/address-books/model'
import type { PersonView } from '../../features/people/people/model'
import { useLocale } from '../messages/language'
import type { Loading } from '../store/loader'
import { useRecords } from '../store/use-store'
import type { ConnectedUser } from './intents'
import { byName } from './names'

/** Everybody in the address books by name, and how far they are read. */
export function usePeople(): { readonly people: readonly PersonView[]; readonly loading: Loading } {
  const { items, loading } = useRecords('person')
  const locale = useLocale()
  const people = useMemo(() => byName(items, locale), [items, locale])
  return { people, loading }
}

const inOrder = (a: AddressBookView, b: AddressBookView): number =>
  Number(a.rank) - Number(b.rank) || a.position - b.position

/** The address books in their order; empty until they are known. */
export function useBooks(): readonly AddressBookView[] {
  const { items } = useRecords('address_book')
  return useMemo(() => items.toSorted(inOrder), [items])
}

/** All categories that people have, by name. */
export function categoriesOf(people: readonly PersonView[]): readonly string[] {
  const found = people.flatMap(({ category }) => category ?? [])
  return [...new Set(found)].toSorted((a, b) => a.localeCompare(b))
}

export const useConnections = (): readonly ConnectedUser[] => useRecords('connection').items
