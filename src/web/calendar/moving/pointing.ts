import { daySpan, readDate } from '../../time/days'
import { dayNumber } from '../entries'
import { type Draft, QUARTER_MINUTES } from './draft'

const MINUTE_MS = 60_000

/** What the pointer is over. */
export interface Pointed {
  readonly day: number
  /** Over the hours of a day: the moment, not rounded. */
  readonly atMs?: number
}

/** The day of the grid that is nearest to a point, and the time of day there. */
export function pointAt(grid: HTMLElement, x: number, y: number, zone: string): Pointed | undefined {
  const cell = nearest(grid, x, y)
  const date = readDate(cell?.dataset.date ?? '')
  if (!cell || !date) return undefined
  const hours = cell.querySelector<HTMLElement>('[data-hours]')
  if (!hours) return { day: dayNumber(date) }
  const span = daySpan(date, zone)
  const { top, height } = hours.getBoundingClientRect()
  const minute = Math.min(Math.max(((y - top) / height) * span.minutes, 0), span.minutes)
  return { day: dayNumber(date), atMs: span.startMs + minute * MINUTE_MS }
}

function nearest(grid: HTMLElement, x: number, y: number): HTMLElement | undefined {
  let best: { readonly cell: HTMLElement; readonly distance: number } | undefined
  for (const cell of grid.querySelectorAll<HTMLElement>('[data-date]')) {
    const { left, right, top, bottom } = cell.getBoundingClientRect()
    const distance = Math.max(left - x, 0, x - right) + Math.max(top - y, 0, y - bottom)
    if (!best || distance < best.distance) best = { cell, distance }
    if (distance === 0) break
  }
  return best?.cell
}

const QUARTER_MS = QUARTER_MINUTES * MINUTE_MS
/** Quarters of an hour are those of the clock: every zone is a whole number of them away from UTC. */
export const quarter = (ms: number, round: (value: number) => number = Math.round): number =>
  round(ms / QUARTER_MS) * QUARTER_MS

const HALF_HOUR_MS = 30 * MINUTE_MS

/** What a press without a movement would make: an hour, or a day. */
export const pressedDraft = ({ day, atMs }: Pointed, isAboveHours: boolean): Draft =>
  atMs === undefined || isAboveHours
    ? { is: 'days', firstDay: day, lastDay: day }
    : { is: 'timed', startMs: quarter(atMs, Math.floor), endMs: quarter(atMs, Math.floor) + 2 * HALF_HOUR_MS }

/** What a movement from one point to another makes. */
export function drawnDraft(from: Pointed, to: Pointed, isAboveHours: boolean): Draft {
  if (from.atMs === undefined || to.atMs === undefined || isAboveHours)
    return { is: 'days', firstDay: Math.min(from.day, to.day), lastDay: Math.max(from.day, to.day) }
  const [first, last] = [Math.min(from.atMs, to.atMs), Math.max(from.atMs, to.atMs)]
  const startMs = quarter(first, Math.floor)
  return { is: 'timed', startMs, endMs: Math.max(quarter(last, Math.ceil), startMs + QUARTER_MS) }
}
