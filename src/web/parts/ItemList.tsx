import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isLineKey, useListedKeys } from './line-keys'
import type { ListItem } from './list-item'
import { useLineDrag } from './use-line-drag'
import { useLineFocus } from './use-line-focus'

interface ItemListProps<T extends ListItem> {
  readonly label: string
  readonly items: readonly T[]
  /** What a line holds; its first control is what the arrows go to. It should not change its height often. */
  readonly children: (item: T) => ReactNode
  /** About how high a line is, in px, until it is measured. */
  readonly lineHeight?: number
  /** Puts an item at another place, counted from 0 without the item. Without it nothing can be moved. */
  readonly onMove?: (item: T, to: number) => void
  /** A key that was pressed in a line, and that the list has no use for. */
  readonly onKey?: (item: T, event: KeyboardEvent) => void
  /** Those that `onKey` hears. */
  readonly heard?: readonly ('e' | 'Delete')[]
}

/** Up to so many lines stand in the page together, where the browser's own search finds them and print has them. */
const WHOLE = 150
const OVERSCAN = 12
const WAYS = ['ArrowUp', 'ArrowDown', 'Home', 'End'] as const
const MOVES = ['alt+ArrowUp', 'alt+ArrowDown'] as const
const ACTS = ['e', 'Delete'] as const

const keysOf = <T extends ListItem>({ onMove, onKey, heard = ACTS }: ItemListProps<T>) => [
  ...WAYS,
  ...(onMove ? MOVES : []),
  ...(onKey ? heard : []),
]

/**
 * A list of any length, of which only the lines in sight stand in the page (contract: web.lists). Arrows, Home and End go
 * through its lines, Alt with an arrow moves a line, and so does dragging it. When the focused line goes, the next one has the focus.
 */
export function ItemList<T extends ListItem>(props: ItemListProps<T>) {
  const { label, items, children, lineHeight = 44, onMove } = props
  const list = useRef<HTMLUListElement>(null)
  const focus = useLineFocus(list, items)
  // With another function all lines would be measured anew at each step of scrolling.
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => lineHeight,
    getItemKey: useCallback((index: number) => items[index]?.key ?? index, [items]),
    overscan: OVERSCAN,
    scrollMargin: useTop(list),
    rangeExtractor: (range) => linesOf(range, items.length, focus.index),
  })
  useLineDrag(list, items, onMove)
  useListedKeys(keysOf(props))
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => pressedInList(event, focus, props)
  return (
    <ul
      ref={list}
      role="list"
      aria-label={label}
      className="item-list"
      style={{ blockSize: virtualizer.getTotalSize() }}
      onFocus={focus.note}
      onKeyDown={onKeyDown}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index]
        return (
          item && (
            <li
              key={key}
              ref={virtualizer.measureElement}
              className="item-line"
              data-index={index}
              data-movable={onMove !== undefined || undefined}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ insetBlockStart: start - virtualizer.options.scrollMargin }}
            >
              {children(item)}
            </li>
          )
        )
      })}
    </ul>
  )
}

/** The line that has the focus stays in the page wherever somebody scrolls. */
function linesOf(range: Range, count: number, focused: number | undefined): number[] {
  if (count <= WHOLE) return Array.from({ length: count }, (_, index) => index)
  const inSight = defaultRangeExtractor(range)
  if (focused === undefined || focused >= count || inSight.includes(focused)) return inSight
  return [...inSight, focused].toSorted((a, b) => a - b)
}

/** How far the list is from the top of the page. */
function useTop(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current) setTop(Math.round(list.current.getBoundingClientRect().top + scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return top
}

const STEPS: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/** The place to which a key leads from a line, or leads the line itself. */
function stepFrom(index: number, last: number, { key, ...held }: Pressed): number | undefined {
  if (held.ctrlKey || held.metaKey || held.shiftKey) return undefined
  if (held.altKey && !key.startsWith('Arrow')) return undefined
  return STEPS[key]?.(index, last)
}
type Pressed = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

function pressedInList<T extends ListItem>(
  event: KeyboardEvent<HTMLUListElement>,
  focus: ReturnType<typeof useLineFocus>,
  { items, onMove, onKey }: ItemListProps<T>,
): void {
  const index = lineAt(event)
  const item = items[index]
  if (!item) return
  const to = stepFrom(index, items.length - 1, event)
  if (to === undefined) return isLineKey(event) ? onKey?.(item, event) : undefined
  event.preventDefault()
  if (!event.altKey) return focus.go(to)
  if (to === index || !onMove) return
  focus.follow(item.key)
  onMove(item, to)
}

/** The line in which a key was pressed; -1 in a field, and in a menu that stands elsewhere in the page. */
function lineAt({ target, currentTarget, defaultPrevented }: KeyboardEvent<HTMLUListElement>): number {
  if (defaultPrevented || !(target instanceof HTMLElement) || !currentTarget.contains(target)) return -1
  if (target.matches('input:not([type=checkbox]), textarea, select')) return -1
  return Number(target.closest<HTMLElement>('li[data-index]')?.dataset['index'] ?? -1)
}
