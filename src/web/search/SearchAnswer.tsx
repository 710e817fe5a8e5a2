import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { EmptyState } from '../parts/EmptyState'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { Status } from '../parts/Status'
import { isSearchable } from './fold'
import { Results, type ResultsProps } from './Results'
import { searchMessages } from './search.messages'
import { MOST_RESULTS, type useFound } from './use-found'

interface SearchAnswerProps extends ReturnType<typeof useFound>, Omit<ResultsProps, 'results' | 'searched'> {
  /** What is searched now; the answer may still be that of the search before. */
  readonly text: string
  /** Searches all types. */
  readonly onWiden: () => void
}

/** What the service found, or how it stands with the search. */
export function SearchAnswer(props: SearchAnswerProps) {
  const { found, refusal, again, text, onWiden, ...rest } = props
  const m = useMessages(searchMessages)
  const isNothing = !refusal && hasNothing(props)
  return (
    <>
      <Status isVisible={!isNothing}>{statusOf(m, props)}</Status>
      {refusal && <ProblemNote refusal={refusal} onTryAgain={again} />}
      {!refusal && !found && isSearchable(text) && <Skeleton lines={6} />}
      {found && <Results {...rest} results={found.results} searched={found.q} />}
      {isNothing && <Nothing text={text} onWiden={rest.types.length > 0 ? onWiden : undefined} />}
    </>
  )
}

const hasNothing = ({ isCurrent, found }: SearchAnswerProps) => isCurrent && found?.results.length === 0

function Nothing({ text, onWiden }: { readonly text: string; readonly onWiden: (() => void) | undefined }) {
  const m = useMessages(searchMessages)
  return (
    <EmptyState icon="search" title={m.nothing(text)}>
      <p>{m.nothingHint}</p>
      {onWiden && <Button onClick={onWiden}>{m.everything}</Button>}
    </EmptyState>
  )
}

function statusOf(
  m: (typeof searchMessages)['de'],
  { text, isCurrent, found, refusal }: SearchAnswerProps,
): string | undefined {
  if (text === '' || refusal) return undefined
  if (!isSearchable(text)) return m.tooShort
  if (!isCurrent || !found) return m.searching
  const count = found.results.length
  if (count === 0) return m.nothing(text)
  return count === MOST_RESULTS ? m.most(count) : m.found(count)
}
