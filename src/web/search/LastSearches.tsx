import { useState } from 'react'
import { Link } from 'wouter'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { EmptyState } from '../parts/EmptyState'
import { Icon } from '../parts/Icon'
import { forgetSearches, lastSearches } from '../session/last-searches'
import { useSignedIn } from '../session/use-session'
import { searchAddress } from './kinds'
import { searchMessages } from './search.messages'

/** What was searched last on this device, or what a search can do. `onLeave` takes the focus of what goes away. */
export function LastSearches({ onLeave }: { readonly onLeave: () => void }) {
  const m = useMessages(searchMessages)
  const { user } = useSignedIn()
  const [searches, setSearches] = useState(() => lastSearches(user.id))
  const forget = () => {
    forgetSearches()
    setSearches([])
    onLeave()
  }
  if (searches.length === 0)
    return (
      <EmptyState icon="search" title={m.start}>
        <p>{m.startHint}</p>
      </EmptyState>
    )
  return (
    <section className="results" aria-labelledby="last-searches">
      <h2 id="last-searches">{m.last}</h2>
      <ul aria-label={m.last}>
        {searches.map((search) => (
          <li key={search}>
            <Link href={searchAddress(search)} className="result" onClick={onLeave}>
              <Icon name="clock" />
              <span className="result-text">{search}</span>
            </Link>
          </li>
        ))}
      </ul>
      <Button kind="quiet" onClick={forget}>
        {m.forget}
      </Button>
    </section>
  )
}
