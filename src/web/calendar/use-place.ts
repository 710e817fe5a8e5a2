import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { calendarAddress } from '../app/addresses'
import { now } from '../time/now'
import type { Period } from './period'
import { placeAt } from './use-walk'

/** Where one was on a page of the calendar. */
interface KeptPlace {
  readonly scroll: number
  readonly date?: string | undefined
  readonly key?: string | undefined
}

/** By entry of the history. It is lost with the page, as what was shown is. */
const places = new Map<string, KeptPlace>()

/** Undefined in browsers without the Navigation API. */
export const entryKey = (): string | undefined => globalThis.navigation?.currentEntry?.key

const keptPlace = () => places.get(entryKey() ?? '')

function keep(place: KeptPlace): void {
  const key = entryKey()
  if (key !== undefined) places.set(key, { ...places.get(key), ...place })
}

/** A day begins to show at this hour, unless it is today: then an hour before now. */
const FIRST_HOUR = 7

interface PlaceOf {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly period: Period
  readonly zone: string
}

/**
 * Keeps where one scrolled to and what was focused with the entry of the history, so that Back and Forward find it again
 * (contract: web.calendar-history).
 */
export function usePlace({ scroller, gridRef, period, zone }: PlaceOf): void {
  const { view, date, days } = period
  const address = calendarAddress(view, date)
  const shownView = useRef<string>(undefined)
  useLayoutEffect(() => {
    const element = scroller.current
    const kept = keptPlace()
    if (!element) return
    if (kept) {
      element.scrollTop = kept.scroll
      restoreFocus(gridRef.current, kept)
    } else if (shownView.current !== view || view === 'agenda') {
      element.scrollTop = morning(gridRef.current, days, zone)
    }
    shownView.current = view
    // Only another address moves the page.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [address])
  useEffect(() => {
    const element = scroller.current
    return element ? keepPlace(element) : undefined
  }, [scroller, address])
}

function keepPlace(element: HTMLElement): () => void {
  const noteScroll = () => keep({ scroll: element.scrollTop })
  const noteFocus = ({ target }: FocusEvent) => {
    const at = target instanceof HTMLElement ? placeAt(target) : undefined
    if (at) keep({ scroll: element.scrollTop, ...at })
  }
  element.addEventListener('scroll', noteScroll, { passive: true })
  element.addEventListener('focusin', noteFocus)
  return () => {
    element.removeEventListener('scroll', noteScroll)
    element.removeEventListener('focusin', noteFocus)
  }
}

function restoreFocus(grid: HTMLDivElement | null, { date, key }: KeptPlace): void {
  if (!grid || date === undefined) return
  const cell = grid.querySelector<HTMLElement>(`[data-date="${CSS.escape(date)}"]`)
  const item =
    key === undefined ? null : cell?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"][data-at]`)
  const target = item ?? cell
  target?.focus({ preventScroll: true })
}

/** How far down the hour lies at which the day is looked at first. */
function morning(grid: HTMLDivElement | null, days: readonly Temporal.PlainDate[], zone: string): number {
  const hours = grid?.querySelector<HTMLElement>('[data-hours]')
  if (!hours) return 0
  const at = now().toZonedDateTimeISO(zone)
  const isShown = days.some((day) => day.equals(at.toPlainDate()))
  const hour = isShown ? Math.max(at.hour - 1, 0) : FIRST_HOUR
  return (hours.offsetHeight * hour) / 24
}
