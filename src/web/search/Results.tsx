import { useId, type KeyboardEvent } from 'react'
import { Link } from 'wouter'
import { useMessages } from '../messages/language'
import { KINDS, kindNames, type KindName, searchAddress, type SearchResult } from './kinds'
import { ResultLink } from './ResultLink'
import { searchMessages } from './search.messages'

/** So many of each type show until one type is chosen. */
const SHOWN_OF_EACH = 6
/** So many events are asked when they are. */
const DATED = 24

export interface ResultsProps {
  readonly results: readonly SearchResult[]
  readonly searched: string
  readonly types: readonly KindName[]
  /** Called before a result is opened. */
  readonly onOpen: () => void
  /** Called before all results of one type are shown. */
  readonly onNarrow: (kind: KindName) => void
  /** Up from the first result. */
  readonly onLeaveUp: () => void
}

/** What was found, by type. The arrows go from result to result. */
export function Results({ results, searched, types, onOpen, onNarrow, onLeaveUp }: ResultsProps) {
  const m = useMessages(searchMessages)
  const names = useMessages(kindNames)
  const id = useId()
  const groups = KINDS.map((kind) => ({
    kind,
    own: results.filter(({ type }) => type === kind.type),
  })).filter(({ own }) => own.length > 0)
  const most = groups.length === 1 ? results.length : SHOWN_OF_EACH
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the links in it are what takes the keys
    <div className="results" onKeyDown={(event) => walk(event, onLeaveUp)}>
      {groups.map(({ kind, own }) => (
        <section key={kind.type} aria-labelledby={`${id}-${kind.type}`}>
          <h2 id={`${id}-${kind.type}`}>
            {names[kind.name]} <span className="result-count">{own.length}</span>
          </h2>
          <ul aria-label={names[kind.name]}>
            {own.slice(0, most).map((result, place) => (
              <li key={result.id}>
                <ResultLink
                  result={result}
                  searched={searched}
                  icon={kind.icon}
                  isDated={place < DATED}
                  onOpen={onOpen}
                />
              </li>
            ))}
          </ul>
          {own.length > most && !types.includes(kind.name) && (
            <Link
              href={searchAddress(searched, [kind.name])}
              className="result-all"
              data-result
              onClick={() => onNarrow(kind.name)}
            >
              {m.all(own.length, names[kind.name])}
            </Link>
          )}
        </section>
      ))}
    </div>
  )
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, last) => last,
}

function walk(event: KeyboardEvent<HTMLElement>, onLeaveUp: () => void): void {
  const step = STEPS[event.key]
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-result]')]
  const next = step(links.indexOf(event.target as HTMLElement), links.length - 1)
  event.preventDefault()
  if (next < 0) onLeaveUp()
  else links[next]?.focus()
}
