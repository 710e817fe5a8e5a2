import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'
import { calendarAddress } from '../app/addresses'
import { openOver, useOverAddress } from '../app/over-page'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Status } from '../parts/Status'
import { useToday } from '../time/use-now'
import { Agenda } from './Agenda'
import type { CalendarEntry } from './entries'
import { MonthGrid } from './MonthGrid'
import { clearGhost } from './moving/ghost'
import { useKeyMove } from './moving/use-key-move'
import { usePointer } from './moving/use-pointer'
import type { TimeReading } from './names'
import { addressOfDraft } from './new-event'
import type { Period } from './period'
import { type GridProps, TimeGrid } from './TimeGrid'
import { useEntryActions } from './use-entry-actions'
import { usePlace } from './use-place'
import type { useShown } from './use-shown'
import { placeAt, useWalk } from './use-walk'

const messages = defineMessages({ en: { newEvent: 'New event' }, de: { newEvent: 'Neuer Termin' } })

interface CalendarBodyProps {
  readonly period: Period
  /** Whether another period was asked for, which is being drawn. */
  readonly isLate: boolean
  readonly reading: TimeReading
  readonly shown: ReturnType<typeof useShown>
  /** Filled in with what takes the focus to a day once it is shown. */
  readonly focusDay: RefObject<((date: string) => void) | undefined>
  readonly onGo: (date: Temporal.PlainDate) => void
  /** Shows more days of the agenda; undefined where no more can be shown. */
  readonly onMore: (() => void) | undefined
}

/** The part of the calendar that scrolls, with what keys, mouse and finger do in it. */
export function CalendarBody(props: CalendarBodyProps) {
  const { period, isLate, reading, shown, focusDay, onGo, onMore } = props
  const gridRef = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const [said, say] = useState('')
  const { view } = period
  const actions = useEntryActions(reading, gridRef)
  const keyMove = useKeyMove({ gridRef, view, reading, say, onMove: actions.move })
  const walking = useWalking({ period, gridRef, focusDay, onGo })
  const entryAt = (target: EventTarget | null) => entryOf(shown.entries, target)
  usePlace({ scroller, gridRef, period, zone: reading.zone })
  useDragging({ scroller, gridRef, reading, entryAt, onMove: actions.move })
  const [, navigate] = useLocation()
  const onKeyDown = (event: KeyboardEvent) => {
    const entry = entryAt(event.target)
    if (hasModifier(event) || keyMove.onKey(event, entry)) return
    const date = dayToOpen(event, period)
    if (event.key === 'e' && entry) actions.open(entry, false)
    else if (event.key === 'Delete' && entry) actions.remove(entry)
    else if (date !== undefined) navigate(calendarAddress('day', date))
    else return walking.onKeyDown(event)
    event.preventDefault()
  }
  const onClick = ({ target, nativeEvent }: MouseEvent) => {
    const entry = entryAt(target)
    if (entry) actions.open(entry, nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch')
  }
  const { entries, due, isWhole } = shown
  return (
    // What it hears comes from the buttons in it; it is no control itself.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div
      className="calendar-body"
      ref={scroller}
      data-loading={!isWhole || isLate || undefined}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onBlur={keyMove.onBlur}
    >
      <CurrentView
        {...{ period, entries, due, isWhole, reading, gridRef, onMore }}
        onToggle={actions.toggle}
      />
      <Status>{said}</Status>
      {actions.dialogs}
    </div>
  )
}

const CurrentView = memo(function CurrentView({
  onMore,
  ...grid
}: GridProps & Pick<CalendarBodyProps, 'onMore'>) {
  switch (grid.period.view) {
    case 'month':
      return <MonthGrid {...grid} />
    case 'agenda':
      return <Agenda {...grid} onMore={onMore} />
    case 'day':
    case 'week':
      return <TimeGrid {...grid} />
  }
})

interface WalkingOf extends Pick<CalendarBodyProps, 'period' | 'focusDay' | 'onGo'> {
  readonly gridRef: GridProps['gridRef']
}

function useWalking({ period, gridRef, focusDay, onGo }: WalkingOf) {
  const today = useToday()
  const leave = useCallback(
    (from: string, by: number) => onGo(Temporal.PlainDate.from(from).add({ days: by })),
    [onGo],
  )
  const walking = useWalk({ gridRef, entrance: entranceOf(period, today), onLeave: leave })
  useEffect(() => {
    focusDay.current = walking.focusDay
  })
  return walking
}

function useDragging(dragging: Omit<Parameters<typeof usePointer>[0], 'newLabel' | 'onCreate'>): void {
  const m = useMessages(messages)
  usePointer({
    ...dragging,
    newLabel: m.newEvent,
    onCreate: (draft, place) => openOver(addressOfDraft(draft), place),
  })
  const isOpen = useOverAddress() !== undefined
  const { gridRef } = dragging
  useEffect(() => {
    if (!isOpen) clearGhost(gridRef.current)
  }, [isOpen, gridRef])
}

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => ctrlKey || metaKey || altKey

function entryOf(entries: readonly CalendarEntry[], target: EventTarget | null): CalendarEntry | undefined {
  const key = target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset.key : undefined
  return key === undefined ? undefined : entries.find((entry) => entry.key === key)
}

/** Enter on a day of the week or month opens that day. */
function dayToOpen({ key, target }: KeyboardEvent, { view }: Period): Temporal.PlainDate | undefined {
  if (key !== 'Enter' || view === 'day' || !(target instanceof HTMLElement)) return undefined
  const place = placeAt(target)
  return place && place.key === undefined ? Temporal.PlainDate.from(place.date) : undefined
}

/** Where the Tab key enters: today if it is shown, else the date of the address. */
const entranceOf = ({ days, date }: Period, today: Temporal.PlainDate) =>
  (days.find((day) => day.equals(today)) ?? date).toString()
