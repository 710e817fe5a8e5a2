import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import type { View } from '../../app/addresses'
import { useMessages } from '../../messages/language'
import { defineMessages } from '../../messages/messages'
import { type CalendarEntry, mayChange } from '../entries'
import { type TimeReading, whenOf } from '../names'
import { type Draft, drafted, draftOf, isSame, moved, QUARTER_MINUTES, type Shift, stretched } from './draft'
import { clearGhost, drawGhost } from './ghost'

const messages = defineMessages({
  en: {
    begun: (title: string) =>
      `Moving ${title}. Arrows move it, Shift and arrows move its end. Enter keeps it there, Escape leaves it as it was.`,
    cancelled: (title: string) => `${title} stays where it was.`,
    readOnly: (title: string) => `${title} cannot be moved.`,
  },
  de: {
    begun: (title: string) =>
      `${title} wird verschoben. Pfeiltasten verschieben den Termin, mit Umschalttaste sein Ende. Eingabetaste übernimmt, Escape bricht ab.`,
    cancelled: (title: string) => `${title} bleibt, wo es war.`,
    readOnly: (title: string) => `${title} lässt sich nicht verschieben.`,
  },
})

interface KeyMoving {
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly view: View
  readonly reading: TimeReading
  /** Says something to those who do not see the ghost. */
  readonly say: (text: string) => void
  readonly onMove: (entry: CalendarEntry, draft: Draft) => void
}

/** Moves the focused event by keys: `v` begins, arrows move, Enter keeps, Escape cancels (contract: web.calendar-moving). */
export function useKeyMove({ gridRef, view, reading, say, onMove }: KeyMoving) {
  const m = useMessages(messages)
  const moving = useRef<{ readonly entry: CalendarEntry; readonly draft: Draft }>(undefined)
  const end = () => {
    moving.current = undefined
    clearGhost(gridRef.current)
  }
  useEffect(() => () => (moving.current = undefined), [])

  const begin = (entry: CalendarEntry) => {
    if (!mayChange(entry.event)) return say(m.readOnly(entry.event.title))
    show(entry, draftOf(entry))
    say(m.begun(entry.event.title))
  }
  const show = (entry: CalendarEntry, draft: Draft) => {
    moving.current = { entry, draft }
    const label = whenOf(drafted(entry, draft, reading.zone), reading)
    if (gridRef.current)
      drawGhost(gridRef.current, draft, {
        zone: reading.zone,
        label: entry.event.title,
        colour: entry.event.calendar_color,
      })
    return label
  }
  /** @returns whether the key belongs to the moving. */
  const onKey = (event: KeyboardEvent, entry: CalendarEntry | undefined): boolean => {
    const current = moving.current
    if (!current) {
      if (event.key !== 'v' || !entry) return false
      begin(entry)
    } else if (event.key === 'Escape') {
      end()
      say(m.cancelled(current.entry.event.title))
    } else if (event.key === 'Enter') {
      end()
      if (!isSame(current.draft, draftOf(current.entry))) onMove(current.entry, current.draft)
    } else {
      const isRtl = gridRef.current !== null && getComputedStyle(gridRef.current).direction === 'rtl'
      const shift = shiftOf(event.key, { view, isRtl, isDays: current.draft.is === 'days' })
      const change = event.shiftKey ? stretched : moved
      if (shift) say(show(current.entry, change(current.draft, shift, reading.zone)))
    }
    event.preventDefault()
    return true
  }
  const onBlur = () => {
    if (moving.current) end()
  }
  return { onKey, onBlur }
}

interface Keys {
  readonly view: View
  readonly isRtl: boolean
  readonly isDays: boolean
}

/** A quarter of an hour or a day; in a month, a day or a week. */
function shiftOf(key: string, { view, isRtl, isDays }: Keys): Shift | undefined {
  const [back, on] = isRtl ? [1, -1] : [-1, 1]
  if (key === 'ArrowLeft') return { days: back }
  if (key === 'ArrowRight') return { days: on }
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  const by = key === 'ArrowUp' ? -1 : 1
  if (view === 'month') return { days: 7 * by }
  return isDays ? undefined : { minutes: QUARTER_MINUTES * by }
}
