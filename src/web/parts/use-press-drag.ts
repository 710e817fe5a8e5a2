import { type RefObject, useEffect, useRef } from 'react'

/** A mouse drags from this far on; a finger that goes further before its time scrolls. */
const MOUSE_PX = 4
const FINGER_PX = 10
const LONG_PRESS_MS = 400
/** Near an edge the page scrolls by itself. */
const EDGE_PX = 40
const SCROLL_STEP_PX = 12

/** What a press may become; `T` is what it took hold of. */
export interface PressDrag<T> {
  /** What there is at the place that was pressed; undefined where a press means something else. */
  readonly take: (event: PointerEvent) => T | undefined
  /** The drag begins. */
  readonly start: (taken: T) => void
  readonly follow: (taken: T, event: PointerEvent) => void
  readonly drop: (taken: T) => void
  /** The press ended without a drag. */
  readonly press?: (taken: T, event: PointerEvent) => void
  /** Every press ends with it, also one that was cancelled by Escape or by the browser. */
  readonly end: () => void
}

/**
 * Drags by mouse, pen and finger what an element holds. A finger has to rest for a moment first, or it scrolls. Nothing is
 * rendered by it while something is dragged.
 */
export function usePressDrag<T>(ref: RefObject<HTMLElement | null>, drag: PressDrag<T>): void {
  const latest = useRef(drag)
  useEffect(() => {
    latest.current = drag
  })
  useEffect(() => (ref.current ? listen(ref.current, latest) : undefined), [ref])
}

interface Press<T> {
  readonly taken: T
  readonly pointerId: number
  readonly isTouch: boolean
  readonly x: number
  readonly y: number
  isActive: boolean
}

/** One press after the other in one element. */
interface Presses<T> {
  readonly element: HTMLElement
  readonly latest: RefObject<PressDrag<T>>
  current: Press<T> | undefined
  timer: ReturnType<typeof setTimeout> | undefined
}

function listen<T>(element: HTMLElement, latest: RefObject<PressDrag<T>>): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const presses: Presses<T> = { element, latest, current: undefined, timer: undefined }
  const whileDragging = (event: Event) => presses.current?.isActive && event.preventDefault()
  element.addEventListener('pointerdown', (event) => press(presses, event), { signal })
  element.addEventListener('pointermove', (event) => move(presses, event), { signal })
  element.addEventListener('pointerup', (event) => release(presses, event), { signal })
  element.addEventListener('pointercancel', () => end(presses), { signal })
  document.addEventListener('keydown', (event) => escape(presses, event), { signal, capture: true })
  // While a finger drags, it must not scroll as well; the browser asks only before a scroll begins.
  element.addEventListener('touchmove', whileDragging, { signal, passive: false })
  const refuseMenu = (event: Event) => presses.current?.isTouch && event.preventDefault()
  element.addEventListener('contextmenu', refuseMenu, { signal })
  // Links and pictures would be dragged by the browser.
  element.addEventListener('dragstart', (event) => presses.current && event.preventDefault(), { signal })
  return () => {
    end(presses)
    stop.abort()
  }
}

function end<T>(presses: Presses<T>): void {
  clearTimeout(presses.timer)
  presses.current = undefined
  presses.latest.current.end()
  document.documentElement.classList.remove('is-dragging')
}

function activate<T>({ element, latest, current }: Presses<T>): void {
  if (!current) return
  current.isActive = true
  element.setPointerCapture(current.pointerId)
  document.documentElement.classList.add('is-dragging')
  latest.current.start(current.taken)
}

function press<T>(presses: Presses<T>, event: PointerEvent): void {
  if (event.button !== 0 || !event.isPrimary) return
  end(presses)
  const taken = presses.latest.current.take(event)
  if (taken === undefined) return
  const isTouch = event.pointerType === 'touch'
  const { pointerId, clientX: x, clientY: y } = event
  presses.current = { taken, pointerId, isTouch, x, y, isActive: false }
  if (isTouch) presses.timer = setTimeout(() => activate(presses), LONG_PRESS_MS)
}

function move<T>(presses: Presses<T>, event: PointerEvent): void {
  const { current, latest } = presses
  if (!current || event.pointerId !== current.pointerId) return
  if (!current.isActive) {
    const distance = Math.hypot(event.clientX - current.x, event.clientY - current.y)
    if (distance <= (current.isTouch ? FINGER_PX : MOUSE_PX)) return
    if (current.isTouch) return end(presses)
    activate(presses)
  }
  latest.current.follow(current.taken, event)
}

function release<T>(presses: Presses<T>, event: PointerEvent): void {
  const { current, latest } = presses
  if (!current || event.pointerId !== current.pointerId) return
  end(presses)
  if (current.isActive) {
    swallowClick()
    latest.current.drop(current.taken)
  } else latest.current.press?.(current.taken, event)
}

function escape<T>(presses: Presses<T>, event: KeyboardEvent): void {
  if (event.key !== 'Escape' || !presses.current?.isActive) return
  event.preventDefault()
  event.stopPropagation()
  end(presses)
}

function swallow(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

/** The click that a browser sends after a drag opens nothing. */
function swallowClick(): void {
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }))
}

/** Scrolls an element while something is dragged near its upper or lower edge. */
export function scrollAtEdge(element: Element, y: number): void {
  const isPage = element === document.scrollingElement
  const { top, bottom } = isPage ? { top: 0, bottom: innerHeight } : element.getBoundingClientRect()
  if (y < top + EDGE_PX) element.scrollBy(0, -SCROLL_STEP_PX)
  else if (y > bottom - EDGE_PX) element.scrollBy(0, SCROLL_STEP_PX)
}
