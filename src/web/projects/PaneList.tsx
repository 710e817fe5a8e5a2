import { type ReactNode, useRef } from 'react'
import type { ListItem } from '../parts/list-item'
import { useLineFocus } from '../parts/use-line-focus'

interface PaneListProps<T extends ListItem> {
  /** The id of its heading. */
  readonly labelledBy: string
  readonly items: readonly T[]
  readonly children: (item: T) => ReactNode
}

/** A short list within a page. When the line in focus goes, the next one has the focus. */
export function PaneList<T extends ListItem>({ labelledBy, items, children }: PaneListProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  const { note } = useLineFocus(list, items)
  return (
    <ul ref={list} aria-labelledby={labelledBy} onFocus={note}>
      {items.map((item, index) => (
        <li key={item.key} data-index={index}>
          {children(item)}
        </li>
      ))}
    </ul>
  )
}
