import { memo } from 'react'
import { cssVariables } from '../styles/variables'
import { Drawn } from './Drawn'
import type { DayItem } from './day-items'
import type { DueItem } from './data'
import type { CalendarEntry } from './entries'
import type { Bar } from './layout/bars'
import { nameOf, type TimeReading, standingOf, timesOf } from './names'

interface DayBarProps {
  readonly bar: Bar<DayItem>
  readonly reading: TimeReading
  readonly isPast: boolean
  /** Whether an earlier row already shows its button: then this is only its rest, for the eye and the mouse. */
  readonly isRest: boolean
  readonly onToggle: (due: DueItem) => void
}

/**
 * What covers one or several days in a row of days: above the hours, or in a month. Its texts are hidden from screen readers, which hear its name
 * instead, and would else hear them again as the text of the day's cell.
 */
export const DayBar = memo(function DayBar({ bar, reading, isPast, isRest, onToggle }: DayBarProps) {
  const { item } = bar
  return item.is === 'due' ? (
    <DueBar due={item.due} row={bar.row} onToggle={onToggle} />
  ) : (
    <EventBar bar={bar} entry={item.entry} reading={reading} isPast={isPast} isRest={isRest} />
  )
})

/** What stands above the hours comes before them when one walks down a day. */
const ABOVE = 1000

function DueBar(props: {
  readonly due: DueItem
  readonly row: number
  readonly onToggle: (due: DueItem) => void
}) {
  const { due, row, onToggle } = props
  return (
    <label
      className="day-bar due"
      style={cssVariables({ '--row': row, '--width': 1 })}
      data-done={due.isDone || undefined}
    >
      <input
        type="checkbox"
        aria-label={due.title}
        checked={due.isDone}
        tabIndex={-1}
        data-key={due.key}
        data-at={row - ABOVE}
        onChange={() => onToggle(due)}
      />
      <Drawn text={due.title} isFound />
    </label>
  )
}

function EventBar(props: Omit<DayBarProps, 'onToggle'> & { readonly entry: CalendarEntry }) {
  const { bar, entry, reading, isPast, isRest } = props
  const { event, isBar, startMs } = entry
  const cut = [bar.beginsBefore && 'start', bar.endsAfter && 'end'].filter(Boolean).join(' ')
  const shared = {
    className: isBar ? 'event day-bar event-bar' : 'event day-bar event-line',
    'data-key': entry.key,
    'data-standing': standingOf(event),
    'data-past': isPast || undefined,
    'data-cut': cut || undefined,
    style: cssVariables({
      '--row': bar.row,
      '--width': bar.width,
      '--colour': event.calendar_color ?? undefined,
    }),
  }
  const content = (
    <>
      {!event.all_day && !isRest && (
        <Drawn className="event-times" text={timesOf({ startMs, endMs: startMs }, reading)} />
      )}
      <Drawn className="event-title" text={event.title} isFound />
    </>
  )
  if (isRest)
    return (
      <div {...shared} aria-hidden="true">
        {content}
      </div>
    )
  return (
    <button
      type="button"
      {...shared}
      data-at={bar.row - ABOVE}
      tabIndex={-1}
      aria-label={nameOf(entry, reading)}
    >
      {content}
    </button>
  )
}
