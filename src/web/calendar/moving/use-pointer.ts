import { type RefObject, useEffect, useRef } from 'react'
import { type CalendarEntry, mayChange } from '../entries'
import { type TimeReading, timesOf } from '../names'
import { type Draft, draftOf, endingAt, isSame, moved } from './draft'
import { clearGhost, drawGhost } from './ghost'
import { drawnDraft, pointAt, type Pointed, pressedDraft, quarter } from './pointing'

/** A mouse drags from this far on; a finger that goes further before its time scrolls. */
const MOUSE_PX = 4
const FINGER_PX = 10
const LONG_PRESS_MS = 400
/** Near an edge the page scrolls by itself. */
const EDGE_PX = 40
const SCROLL_STEP_PX = 12

interface Pointing {
  /** The element that scrolls, with the grid in it. */
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly reading: TimeReading
  /** The entry that an element shows. */
  readonly entryAt: (target: EventTarget | null) => CalendarEntry | undefined
  readonly newLabel: string
  readonly onMove: (entry: CalendarEntry, draft: Draft) => void
  readonly onCreate: (draft: Draft) => void
}

interface Gesture {
  readonly pointerId: number
  readonly isTouch: boolean
  readonly x: number
  readonly y: number
  readonly from: Pointed
  readonly isAboveHours: boolean
  readonly isResize: boolean
  readonly entry: CalendarEntry | undefined
  isActive: boolean
  draft: Draft
}

/**
 * Creates, moves and resizes by mouse, pen and finger. A finger has to rest for a moment first, or it scrolls. Nothing is
 * rendered while something is dragged (contract: web.calendar-moving).
 */
export function usePointer(pointing: Pointing): void {
  const latest = useRef(pointing)
  useEffect(() => {
    latest.current = pointing
  })
  useEffect(() => {
    const element = pointing.scroller.current
    return element ? listen(element, latest) : undefined
  }, [pointing.scroller])
}

/** One press after the other in one element. */
interface Presses {
  readonly element: HTMLDivElement
  readonly latest: RefObject<Pointing>
  gesture: Gesture | undefined
  timer: ReturnType<typeof setTimeout> | undefined
}

function listen(element: HTMLDivElement, latest: RefObject<Pointing>): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const presses: Presses = { element, latest, gesture: undefined, timer: undefined }
  const cancel = () => end(presses)
  const whileDragging = (event: Event) => presses.gesture?.isActive && event.preventDefault()
  element.addEventListener('pointerdown', (event) => press(presses, event), { signal })
  element.addEventListener('pointermove', (event) => move(presses, event), { signal })
  element.addEventListener('pointerup', (event) => release(presses, event), { signal })
  element.addEventListener('pointercancel', cancel, { signal })
  document.addEventListener('keydown', (event) => escape(presses, event), { signal, capture: true })
  // While a finger drags, it must not scroll as well; the browser asks only before a scroll begins.
  element.addEventListener('touchmove', whileDragging, { signal, passive: false })
  const refuseMenu = (event: Event) => presses.gesture?.isTouch && event.preventDefault()
  element.addEventListener('contextmenu', refuseMenu, { signal })
  return () => {
    cancel()
    stop.abort()
  }
}

function end(presses: Presses): void {
  clearTimeout(presses.timer)
  presses.gesture = undefined
  clearGhost(presses.latest.current.gridRef.current)
  document.documentElement.classList.remove('is-dragging')
}

function activate({ element, latest, gesture }: Presses): void {
  if (!gesture) return
  gesture.isActive = true
  element.setPointerCapture(gesture.pointerId)
  document.documentElement.classList.add('is-dragging')
  draw(latest.current.gridRef.current, gesture, latest.current)
}

function press(presses: Presses, event: PointerEvent): void {
  if (event.button !== 0 || !event.isPrimary) return
  end(presses)
  presses.gesture = begun(event, presses.latest.current)
  if (presses.gesture?.isTouch) presses.timer = setTimeout(() => activate(presses), LONG_PRESS_MS)
}

function move(presses: Presses, event: PointerEvent): void {
  const { gesture, element, latest } = presses
  if (!gesture || event.pointerId !== gesture.pointerId) return
  if (!gesture.isActive) {
    const distance = Math.hypot(event.clientX - gesture.x, event.clientY - gesture.y)
    if (distance <= (gesture.isTouch ? FINGER_PX : MOUSE_PX)) return
    if (gesture.isTouch) return end(presses)
    activate(presses)
  }
  scrollAtEdge(element, event.clientY)
  follow(event, gesture, latest.current)
}

function release(presses: Presses, event: PointerEvent): void {
  const { gesture, latest } = presses
  if (!gesture || event.pointerId !== gesture.pointerId) return
  end(presses)
  if (gesture.isActive) {
    swallowClick()
    finish(gesture, latest.current)
  } else if (!gesture.entry && !gesture.isTouch) latest.current.onCreate(gesture.draft)
}

function escape(presses: Presses, event: KeyboardEvent): void {
  if (event.key !== 'Escape' || !presses.gesture?.isActive) return
  event.preventDefault()
  event.stopPropagation()
  end(presses)
}

/** What may begin at the place that was pressed; undefined where a press means something else. */
function begun(event: PointerEvent, { reading, entryAt, gridRef }: Pointing): Gesture | undefined {
  const grid = gridRef.current
  const { target, clientX: x, clientY: y } = event
  if (!grid || !(target instanceof Element) || !grid.contains(target) || grid.role !== 'grid')
    return undefined
  const entry = entryAt(target)
  if (
    entry
      ? !mayChange(entry.event)
      : target.closest('button, a, label, input, [role=columnheader], [role=rowheader]')
  )
    return undefined
  const from = pointAt(grid, x, y, reading.zone)
  if (!from) return undefined
  const isAboveHours = target.closest('.day-above') !== null || isOver(grid, y)
  return {
    pointerId: event.pointerId,
    isTouch: event.pointerType === 'touch',
    x,
    y,
    from,
    isAboveHours,
    isResize: target.closest('[data-handle]') !== null,
    entry,
    isActive: false,
    draft: entry ? draftOf(entry) : pressedDraft(from, isAboveHours),
  }
}

/** Whether a point is in the row above the hours, which lets presses through where it is empty. */
function isOver(grid: HTMLElement, y: number): boolean {
  const ground = grid.querySelector('.above-ground')?.getBoundingClientRect()
  return ground !== undefined && y < ground.bottom
}

function follow(event: PointerEvent, gesture: Gesture, pointing: Pointing): void {
  const grid = pointing.gridRef.current
  const to = grid && pointAt(grid, event.clientX, event.clientY, pointing.reading.zone)
  if (!to) return
  const draft = draftAt(gesture, to, pointing.reading.zone)
  if (isSame(draft, gesture.draft)) return
  gesture.draft = draft
  draw(grid, gesture, pointing)
}

function draftAt({ entry, from, isAboveHours, isResize }: Gesture, to: Pointed, zone: string): Draft {
  if (!entry) return drawnDraft(from, to, isAboveHours)
  const before = draftOf(entry)
  if (before.is === 'days' || isAboveHours || from.atMs === undefined || to.atMs === undefined)
    return moved(before, { days: to.day - from.day }, zone)
  if (isResize) return endingAt(before, quarter(to.atMs))
  const startMs = quarter(before.startMs + to.atMs - from.atMs)
  return { is: 'timed', startMs, endMs: startMs + before.endMs - before.startMs }
}

function draw(grid: HTMLElement | null, { draft, entry }: Gesture, { reading, newLabel }: Pointing): void {
  if (!grid) return
  const title = entry?.event.title ?? newLabel
  const label = draft.is === 'timed' ? `${title} ${timesOf(draft, reading)}` : title
  drawGhost(grid, draft, { zone: reading.zone, label, colour: entry?.event.calendar_color })
}

function finish({ entry, draft }: Gesture, { onMove, onCreate }: Pointing): void {
  if (!entry) onCreate(draft)
  else if (!isSame(draft, draftOf(entry))) onMove(entry, draft)
}

function scrollAtEdge(element: HTMLElement, y: number): void {
  const { top, bottom } = element.getBoundingClientRect()
  if (y < top + EDGE_PX) element.scrollBy(0, -SCROLL_STEP_PX)
  else if (y > bottom - EDGE_PX) element.scrollBy(0, SCROLL_STEP_PX)
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
