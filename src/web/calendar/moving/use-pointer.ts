import type { RefObject } from 'react'
import { scrollAtEdge, usePressDrag } from '../../parts/use-press-drag'
import { type CalendarEntry, mayChange } from '../entries'
import { type TimeReading, timesOf } from '../names'
import { type Draft, draftOf, endingAt, isSame, moved } from './draft'
import { clearGhost, drawGhost, ghostIn } from './ghost'
import { drawnDraft, pointAt, type Pointed, pressedDraft, quarter } from './pointing'

interface Pointing {
  /** The element that scrolls, with the grid in it. */
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly reading: TimeReading
  /** The entry that an element shows. */
  readonly entryAt: (target: EventTarget | null) => CalendarEntry | undefined
  readonly newLabel: string
  readonly onMove: (entry: CalendarEntry, draft: Draft) => void
  /** `place` shows where the new event would be, until somebody else clears it. */
  readonly onCreate: (draft: Draft, place: Element | null) => void
}

interface Gesture {
  readonly from: Pointed
  readonly isAboveHours: boolean
  readonly isResize: boolean
  readonly entry: CalendarEntry | undefined
  draft: Draft
}

/** Creates, moves and resizes by mouse, pen and finger (contract: web.calendar-moving). */
export function usePointer(pointing: Pointing): void {
  const { scroller, gridRef } = pointing
  usePressDrag<Gesture>(scroller, {
    take: (event) => begun(event, pointing),
    start: (gesture) => draw(gridRef.current, gesture, pointing),
    follow: (gesture, event) => {
      if (scroller.current) scrollAtEdge(scroller.current, event.clientY)
      follow(event, gesture, pointing)
    },
    drop: (gesture) => finish(gesture, pointing),
    press: (gesture, { pointerType }) =>
      !gesture.entry && pointerType !== 'touch' && create(gesture, pointing),
    end: () => clearGhost(gridRef.current),
  })
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
    from,
    isAboveHours,
    isResize: target.closest('[data-handle]') !== null,
    entry,
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

function finish(gesture: Gesture, pointing: Pointing): void {
  const { entry, draft } = gesture
  if (!entry) create(gesture, pointing)
  else if (!isSame(draft, draftOf(entry))) pointing.onMove(entry, draft)
}

function create(gesture: Gesture, pointing: Pointing): void {
  const grid = pointing.gridRef.current
  draw(grid, gesture, pointing)
  pointing.onCreate(gesture.draft, grid && ghostIn(grid))
}
