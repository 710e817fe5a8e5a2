import { type RefObject, useRef } from 'react'
import type { ListItem } from './list-item'
import { scrollAtEdge, usePressDrag } from './use-press-drag'

interface Taken<T> {
  readonly item: T
  readonly index: number
  readonly line: HTMLElement
  readonly fromY: number
  /** The gap above the line of this index. */
  gap: number
}

/** Moves lines by dragging them; a line shows where the dragged one would stand (contract: web.lists). */
export function useLineDrag<T extends ListItem>(
  list: RefObject<HTMLUListElement | null>,
  items: readonly T[],
  onMove: ((item: T, to: number) => void) | undefined,
): void {
  const dragged = useRef<Taken<T>>(undefined)
  usePressDrag<Taken<T>>(list, {
    take: (event) => (onMove ? taken(event, items) : undefined),
    start: (drag) => {
      dragged.current = drag
      drag.line.dataset['dragged'] = ''
    },
    follow: (drag, { clientY, pageY }) => {
      if (document.scrollingElement) scrollAtEdge(document.scrollingElement, clientY)
      drag.line.style.translate = `0 ${pageY - drag.fromY}px`
      drag.gap = gapAt(list.current, drag, clientY)
    },
    drop: ({ item: { key }, index, gap }) => {
      const to = gap > index ? gap - 1 : gap
      const item = items.find((each) => each.key === key)
      if (item && to !== index) onMove?.(item, to)
    },
    end: () => {
      const line = dragged.current?.line
      if (line) {
        delete line.dataset['dragged']
        line.style.translate = ''
      }
      markGap(list.current, undefined)
      dragged.current = undefined
    },
  })
}

function taken<T>({ target, pageY }: PointerEvent, items: readonly T[]): Taken<T> | undefined {
  if (!(target instanceof Element) || target.closest('button, input, select, textarea')) return undefined
  const line = target.closest<HTMLElement>('li[data-index]')
  const index = Number(line?.dataset['index'] ?? Number.NaN)
  const item = items[index]
  return line && item ? { item, index, line, fromY: pageY, gap: index } : undefined
}

/** The gap between lines that is nearest to a point, which it marks. */
function gapAt<T>(list: HTMLElement | null, { line: own, index: from }: Taken<T>, y: number): number {
  const lines = [...(list?.querySelectorAll<HTMLElement>('li[data-index]') ?? [])].filter(
    (line) => line !== own,
  )
  const below = lines.find((line) => {
    const { top, height } = line.getBoundingClientRect()
    return y < top + height / 2
  })
  const index = Number((below ?? lines.at(-1))?.dataset['index'] ?? from)
  const gap = below ? index : index + 1
  markGap(list, below ?? lines.at(-1), below === undefined)
  return gap
}

function markGap(list: HTMLElement | null, line: HTMLElement | undefined, isAfter = false): void {
  for (const marked of list?.querySelectorAll<HTMLElement>('[data-gap]') ?? []) delete marked.dataset['gap']
  if (line) line.dataset['gap'] = isAfter ? 'after' : 'before'
}
