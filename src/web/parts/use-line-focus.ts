import { type FocusEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { ListItem } from './list-item'

const CONTROLS = ':is(a[href], button, input, select, textarea):not(:disabled)'

const controlsIn = (line: Element | null | undefined) => [
  ...(line?.querySelectorAll<HTMLElement>(CONTROLS) ?? []),
]

/** Gives a line the focus: one of its controls, or itself where it has none. */
export function focusLine(line: Element, control = 0): void {
  const controls = controlsIn(line)
  const target = controls[control] ?? controls[0] ?? line
  if (!(target instanceof HTMLElement)) return
  if (target === line) line.setAttribute('tabindex', '-1')
  target.focus()
}

/** Where the focus is in a list: in which line, and on which of its controls. */
interface Spot {
  readonly key: string
  readonly index: number
  readonly control: number
}

/** Keeps the focus in a list whose lines come, go and change places. */
export function useLineFocus(list: RefObject<HTMLElement | null>, items: readonly ListItem[]) {
  const place = useRef<Spot>(undefined)
  /** A line that shall have the focus as soon as it stands in the page. */
  const wanted = useRef<string>(undefined)
  const [index, setIndex] = useState<number>()

  const note = useCallback(
    ({ target }: FocusEvent) => {
      const line = list.current?.contains(target) ? target.closest<HTMLElement>('li[data-index]') : null
      const at = Number(line?.dataset['index'] ?? Number.NaN)
      const item = items[at]
      if (!line || !item) return
      place.current = { key: item.key, index: at, control: controlsIn(line).indexOf(target as HTMLElement) }
      setIndex(at)
    },
    [list, items],
  )

  const go = (to: number) => {
    wanted.current = items[to]?.key
    setIndex(to)
    if (to === index) focusWanted()
  }

  const focusWanted = () => {
    const at = items.findIndex(({ key }) => key === wanted.current)
    const line = list.current?.querySelector(`li[data-index="${at}"]`)
    if (!line) return
    wanted.current = undefined
    focusLine(line, place.current?.control)
  }

  useLayoutEffect(() => {
    if (wanted.current !== undefined) focusWanted()
  })

  useLayoutEffect(() => {
    const lost = place.current
    if (!lost || items.some(({ key }) => key === lost.key)) return
    // A menu that was open over the line gives the focus back to a button that is gone.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const next = Math.min(lost.index, items.length - 1)
      if (next < 0) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
      else go(next)
    })
    return () => cancelAnimationFrame(frame)
  })

  return {
    /** The line that had the focus last. */
    index,
    /** For the list's `onFocus`. */
    note,
    go,
    /** The line of an item takes the focus along when it moves. */
    follow: (key: string) => {
      wanted.current = key
    },
  }
}
