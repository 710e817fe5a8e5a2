import { type ReactNode, useEffect, useRef } from 'react'
import type { Refusal } from '../api/refusal'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from './Button'
import { ItemList } from './ItemList'
import type { ListItem } from './list-item'
import { ProblemNote } from './ProblemNote'
import { Skeleton } from './Skeleton'
import { focusLine } from './use-line-focus'

const messages = defineMessages({ en: { more: 'Load more' }, de: { more: 'Mehr laden' } })

interface PagedListProps<T extends ListItem> {
  readonly label: string
  /** Undefined before the first page is there. */
  readonly lines: readonly T[] | undefined
  /** About how high a line is, in px. */
  readonly lineHeight?: number
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

/** A list that is read page by page: on its way, empty, refused, or with more to come, whose first line then has the focus. */
export function PagedList<T extends ListItem>(props: PagedListProps<T>) {
  const { label, lines, lineHeight = 60, pages, empty, children } = props
  const { refusal, hasMore, isBusy } = pages
  const { list, more } = useFocusOnMore(pages, lines?.length ?? 0)
  if (!lines)
    return refusal ? (
      <ProblemNote refusal={refusal} onTryAgain={more} isTrying={isBusy} />
    ) : (
      <Skeleton lines={6} />
    )
  const isEmpty = lines.length === 0
  return (
    <div ref={list} className="paged">
      {!isEmpty && (
        <ItemList label={label} items={lines} lineHeight={lineHeight}>
          {children}
        </ItemList>
      )}
      {isEmpty && !hasMore && empty}
      <Rest pages={{ ...pages, more }} />
    </div>
  )
}

/** What comes after the lines that are there: more of them, or why not. */
function Rest({ pages: { refusal, hasMore, isBusy, more } }: Pick<PagedListProps<ListItem>, 'pages'>) {
  const m = useMessages(messages)
  if (refusal) return <ProblemNote refusal={refusal} onTryAgain={more} isTrying={isBusy} />
  if (!hasMore) return null
  return (
    <Button onClick={more} isBusy={isBusy}>
      {m.more}
    </Button>
  )
}

/** The button may be gone with the last page: what it brought has the focus then. */
function useFocusOnMore({ more, isBusy, refusal }: PagedListProps<ListItem>['pages'], count: number) {
  const list = useRef<HTMLDivElement>(null)
  const countBefore = useRef<number>(undefined)
  useEffect(() => {
    if (isBusy || countBefore.current === undefined) return
    const line = list.current?.querySelector(`li[data-index="${countBefore.current}"]`)
    countBefore.current = undefined
    if (line && !refusal) focusLine(line)
  }, [isBusy, refusal, count])
  return {
    list,
    more: () => {
      countBefore.current = count
      more()
    },
  }
}
