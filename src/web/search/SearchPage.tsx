import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useShortcuts } from '../app/shortcuts'
import { useMessages } from '../messages/language'
import { PageHeading } from '../parts/PageHeading'
import { rememberSearch } from '../session/last-searches'
import { useSignedIn } from '../session/use-session'
import { isSearchable } from './fold'
import { KINDS, type KindName, searchAddress } from './kinds'
import { LastSearches } from './LastSearches'
import { SearchAnswer } from './SearchAnswer'
import { SearchForm } from './SearchForm'
import { searchMessages } from './search.messages'
import { MOST_RESULTS, useFound } from './use-found'

/** The search of an address, and functions that go to another one. */
function useAddress() {
  const params = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()
  const text = params.get('q')?.trim() ?? ''
  const named = (params.get('types') ?? '').split(',')
  const types = KINDS.map(({ name }) => name).filter((name) => named.includes(name))
  return {
    text,
    types,
    search: (next: string) => next !== text && navigate(searchAddress(next, types), { replace: true }),
    choose: (next: readonly KindName[]) => navigate(searchAddress(text, next), { replace: true }),
  }
}

/** Finds everything of the user by its words (contract: web.search). */
export function SearchPage() {
  const m = useMessages(searchMessages)
  const { user } = useSignedIn()
  const page = useRef<HTMLDivElement>(null)
  const address = useAddress()
  const { text, types } = address
  const answer = useFound({ text, types, limit: MOST_RESULTS })
  const field = () => page.current?.querySelector<HTMLInputElement>('input[type=search]')
  const focusFirst = useFocusFirst(page, answer.isCurrent)
  useShortcuts([{ keys: '/', label: m.title, group: m.title, run: () => field()?.select() }])
  const remember = (search: string) => isSearchable(search) && rememberSearch(user.id, search)
  const submit = (typed: string) => {
    address.search(typed)
    remember(typed)
    focusFirst()
  }
  return (
    <div className="search-page" ref={page}>
      <PageHeading>{m.title}</PageHeading>
      <SearchForm
        text={text}
        types={types}
        onSearch={address.search}
        onSubmit={submit}
        onDown={focusFirst}
        onChoose={address.choose}
      />
      {text === '' && <LastSearches onLeave={() => field()?.focus()} />}
      <SearchAnswer
        {...answer}
        text={text}
        types={types}
        onOpen={() => remember(text)}
        // What has the focus goes away with the answer that it belongs to.
        onNarrow={(kind) => page.current?.querySelector<HTMLElement>(`[data-type=${kind}]`)?.focus()}
        onLeaveUp={() => field()?.focus()}
        onWiden={() => {
          address.choose([])
          field()?.focus()
        }}
      />
    </div>
  )
}

/** Returns a function that moves the focus to the first result, now or once it is there. */
function useFocusFirst(page: { readonly current: HTMLElement | null }, isCurrent: boolean): () => void {
  const [wanted, setWanted] = useState(0)
  const done = useRef(0)
  useEffect(() => {
    if (wanted === done.current || !isCurrent) return
    done.current = wanted
    page.current?.querySelector<HTMLElement>('[data-result]')?.focus()
  }, [page, wanted, isCurrent])
  return () => setWanted((count) => count + 1)
}
