import type { ReactNode } from 'react'
import type { Refusal } from '../api/refusal'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { ItemList } from '../parts/ItemList'
import type { ListItem } from '../parts/list-item'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'

const messages = defineMessages({ en: { more: 'Load more' }, de: { more: 'Mehr laden' } })

interface PagedListProps<T extends ListItem> {
  readonly label: string
  /** Undefined before the first page is there. */
  readonly lines: readonly T[] | undefined
  readonly pages: {
    readonly refusal?: Refusal
    readonly hasMore: boolean
    readonly isBusy: boolean
    readonly more: () => void
  }
  /** Shows where there is nothing. */
  readonly empty: ReactNode
  readonly children: (line: T) => ReactNode
}

/** A list that is read page by page: on its way, empty, refused, or with more to come. */
export function PagedList<T extends ListItem>({ label, lines, pages, empty, children }: PagedListProps<T>) {
  const m = useMessages(messages)
  const { refusal, hasMore, isBusy, more } = pages
  if (!lines)
    return refusal ? (
      <ProblemNote refusal={refusal} onTryAgain={more} isTrying={isBusy} />
    ) : (
      <Skeleton lines={6} />
    )
  const isEmpty = lines.length === 0
  return (
    <>
      {!isEmpty && (
        <ItemList label={label} items={lines} lineHeight={60}>
          {children}
        </ItemList>
      )}
      {refusal && <ProblemNote refusal={refusal} onTryAgain={more} isTrying={isBusy} />}
      {isEmpty && !hasMore && empty}
      {hasMore && !refusal && (
        <Button onClick={more} isBusy={isBusy}>
          {m.more}
        </Button>
      )}
    </>
  )
}
