import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { walk, WALK_KEYS, type Walkable, type WalkKey, type WalkPlace } from './layout/walk'

interface Walking {
  readonly gridRef: RefObject<HTMLDivElement | null>
  /** The day at which the Tab key enters. */
  readonly entrance: string
  /** Where an arrow leaves what is shown, by so many days from a date. */
  readonly onLeave: (from: string, byDays: number) => void
}

/**
 * One stop for the Tab key in the whole grid, and arrows from there. What is shown is read from the page, so that the keys go
 * through what the eye sees. Moving the focus renders nothing (contract: web.calendar-keys).
 */
export function useWalk({ gridRef, entrance, onLeave }: Walking) {
  const last = useRef<WalkPlace>(undefined)
  const pending = useRef<string>(undefined)

  // After every rendering, as any may have taken away what had the focus.
  useLayoutEffect(() => {
    const grid = gridRef.current
    if (!grid) return
    const arrived = pending.current === undefined ? null : cellOf(grid, pending.current)
    if (arrived) pending.current = undefined
    const target =
      arrived ?? (document.activeElement === document.body ? lostIn(grid, last.current, entrance) : null)
    if (target) focusOn(grid, stopIn(target))
    holdStop(grid, entrance)
  })

  useLayoutEffect(() => (gridRef.current ? noteFocus(gridRef.current, last) : undefined))

  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      const grid = gridRef.current
      const from = event.target instanceof HTMLElement ? placeAt(event.target) : undefined
      const key = WALK_KEYS.find((known) => known === event.key)
      if (!grid || !from || !key || hasModifier(event)) return
      event.preventDefault()
      step(grid, from, key, (by) => {
        pending.current = Temporal.PlainDate.from(from.date).add({ days: by }).toString()
        onLeave(from.date, by)
      })
    },
    [gridRef, onLeave],
  )
  /** Takes the focus to a day as soon as it is shown. */
  const focusDay = useCallback((date: string) => {
    pending.current = date
  }, [])
  return { onKeyDown, focusDay }
}

/** Remembers where the focus is in the grid, also when what had it is taken away. */
function noteFocus(grid: HTMLElement, last: RefObject<WalkPlace | undefined>): () => void {
  const enter = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    last.current = placeAt(target)
    if (last.current) setStop(grid, target)
  }
  const leave = ({ target }: FocusEvent) => {
    // What was taken away is gone by then; what somebody left is still there.
    queueMicrotask(() => {
      const isThere = target instanceof Element && target.isConnected
      if (isThere && !grid.contains(document.activeElement) && document.hasFocus()) last.current = undefined
    })
  }
  // A dialog that closes in the same rendering has given the focus back before anybody listens.
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && grid.contains(activeElement))
    last.current = placeAt(activeElement)
  grid.addEventListener('focusin', enter)
  grid.addEventListener('focusout', leave)
  return () => {
    grid.removeEventListener('focusin', enter)
    grid.removeEventListener('focusout', leave)
  }
}

/** Where the focus goes when what had it is gone: to the same event in its new place, to its day, or to any day. */
function lostIn(grid: HTMLElement, last: WalkPlace | undefined, entrance: string): HTMLElement | null {
  if (!last) return null
  return (
    sameIn(grid, last) ??
    cellOf(grid, last.date) ??
    cellOf(grid, entrance) ??
    grid.querySelector<HTMLElement>('[data-date]')
  )
}

/** An event that repeats from now on has other keys, which begin with its id as its own did; then the one of that day is meant. */
function sameIn(grid: HTMLElement, { date, key }: WalkPlace): HTMLElement | null {
  if (key === undefined) return null
  const id = /^-?\d+ /.exec(key)?.[0] ?? key
  return (
    grid.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"][data-at]`) ??
    cellOf(grid, date)?.querySelector<HTMLElement>(`[data-key^="${CSS.escape(id)}"][data-at]`) ??
    null
  )
}

const hasModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) =>
  altKey || ctrlKey || metaKey || shiftKey

function step(grid: HTMLElement, from: WalkPlace, key: WalkKey, leave: (by: number) => void): void {
  if (grid.role !== 'grid') return stepInList(grid, key)
  const next = walk(walkableOf(grid), from, key, getComputedStyle(grid).direction === 'rtl')
  if (!next) return
  if ('leaveBy' in next) return leave(next.leaveBy)
  const target = placeIn(grid, next.to)
  if (target) focusOn(grid, target)
}

/** The agenda is a list: up and down through all of it, over the ends of days. */
function stepInList(list: HTMLElement, key: WalkKey): void {
  const items = [...list.querySelectorAll<HTMLElement>('[data-at]')]
  const at = items.findIndex((item) => item === document.activeElement)
  const next = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: items.length - 1,
    ArrowLeft: at,
    ArrowRight: at,
  }[key]
  const target = items[next]
  if (target) focusOn(list, target)
}

/** The day and the item of an element; undefined for what is no place in the grid. */
export function placeAt(element: HTMLElement): WalkPlace | undefined {
  const date = element.closest<HTMLElement>('[data-date]')?.dataset.date
  if (date === undefined) return undefined
  const isItem = element.dataset.at !== undefined
  if (!isItem && element.dataset.date === undefined) return undefined
  return { date, key: isItem ? element.dataset.key : undefined }
}

const itemsIn = (cell: Element) =>
  [...cell.querySelectorAll<HTMLElement>('[data-at]')]
    .map((element) => ({ element, key: element.dataset.key ?? '', at: Number(element.dataset.at) }))
    .toSorted((a, b) => a.at - b.at)

const cellsIn = (root: Element) =>
  root.matches('[data-date]') ? [root as HTMLElement] : [...root.querySelectorAll<HTMLElement>('[data-date]')]

const walkableOf = (grid: HTMLElement): Walkable => ({
  rows: [...grid.querySelectorAll('[data-walk]')].map((row) =>
    cellsIn(row).map((cell) => ({ date: cell.dataset.date ?? '', items: itemsIn(cell) })),
  ),
})

const cellOf = (grid: HTMLElement, date: string) =>
  grid.querySelector<HTMLElement>(`[data-date="${CSS.escape(date)}"]`)

function placeIn(grid: HTMLElement, { date, key }: WalkPlace): HTMLElement | null {
  const cell = cellOf(grid, date)
  if (!cell || key === undefined) return cell && stopIn(cell)
  return itemsIn(cell).find((item) => item.key === key)?.element ?? null
}

/** A day of the agenda is no place for the focus itself: its first event is. */
const stopIn = (cell: HTMLElement): HTMLElement =>
  cell.tabIndex === -1 && cell.getAttribute('role') === null ? (itemsIn(cell)[0]?.element ?? cell) : cell

const STOP = ':is([data-date], [data-at])[tabindex="0"]'

/** The grid always has one stop for the Tab key. */
function holdStop(grid: HTMLElement, entrance: string): void {
  if (grid.querySelector(STOP)) return
  const first = cellOf(grid, entrance) ?? grid.querySelector<HTMLElement>('[data-date]')
  if (first) setStop(grid, stopIn(first))
}

function setStop(grid: HTMLElement, element: HTMLElement): void {
  for (const before of grid.querySelectorAll<HTMLElement>(STOP)) before.tabIndex = -1
  element.tabIndex = 0
}

function focusOn(grid: HTMLElement, element: HTMLElement): void {
  setStop(grid, element)
  // A day's cell is taller than what is seen of it; going there must not scroll to its top.
  element.focus({ preventScroll: element.dataset.at === undefined })
  if (element.dataset.at !== undefined) element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
