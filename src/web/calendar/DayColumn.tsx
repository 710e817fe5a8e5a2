import { memo, useMemo } from 'react'
import { cssVariables } from '../styles/variables'
import type { DaySpan } from '../time/days'
import { clockTime, fullDate } from '../time/format'
import { DayBar } from './DayBar'
import type { DayItem } from './day-items'
import type { DueItem } from './data'
import { type CalendarEntry, mayChange } from './entries'
import { Drawn } from './Drawn'
import { EventBlock } from './EventBlock'
import type { Bar } from './layout/bars'
import { placeInColumns } from './layout/columns'
import { hourRows } from './layout/hours'
import { MoreButton } from './MoreButton'
import type { TimeReading } from './names'
import { NowLine } from './NowLine'

export interface DayColumnProps {
  readonly span: DaySpan
  /** From 1, for the grid's columns. */
  readonly index: number
  readonly rowCount: number
  readonly timed: readonly CalendarEntry[]
  readonly bars: readonly Bar<DayItem>[]
  readonly hidden: number
  readonly reading: TimeReading
  readonly isToday: boolean
  /** The number of the day that is today. */
  readonly today: number
  /** What ended before is past. */
  readonly pastMs: number
  /** Whether the hours at the edge are those of another day, so that this one needs its own. */
  readonly hasOwnHours: boolean
  readonly onToggle: (due: DueItem) => void
}

/** One day of the week's or day's grid: a cell with what stands above the hours, and the hours. */
export const DayColumn = memo(function DayColumn(props: DayColumnProps) {
  const { span, index, rowCount, bars, hidden, reading, isToday, today, hasOwnHours } = props
  const date = span.date.toString()
  return (
    <div
      role="gridcell"
      className="day-column"
      aria-label={fullDate(span.date, reading.locale)}
      aria-rowspan={rowCount}
      aria-current={isToday ? 'date' : undefined}
      tabIndex={-1}
      data-date={date}
      style={cssVariables({ '--index': index })}
    >
      <div className="day-above">
        {bars.map((bar) => (
          <DayBar
            key={bar.item.is === 'due' ? bar.item.due.key : bar.item.entry.key}
            bar={bar}
            reading={reading}
            isPast={bar.item.lastDay < today}
            isRest={false}
            onToggle={props.onToggle}
          />
        ))}
        {hidden > 0 && <MoreButton date={span.date} count={hidden} />}
      </div>
      <div className="day-hours" data-hours style={cssVariables({ '--minutes': span.minutes })}>
        {hasOwnHours && <OwnHours span={span} reading={reading} />}
        <TimedEvents {...props} />
        {isToday && <NowLine span={span} />}
      </div>
    </div>
  )
})

function TimedEvents({ span, index, timed, reading, pastMs }: DayColumnProps) {
  const places = useMemo(() => placeInColumns(timed, span), [timed, span])
  return places.map((place) => (
    <EventBlock
      key={place.item.key}
      place={place}
      reading={reading}
      isPast={place.item.endMs <= pastMs}
      isRest={place.item.startMs < span.startMs && index > 1}
      mayResize={mayChange(place.item.event) && place.item.endMs <= span.endMs}
    />
  ))
}

/** The hours of a day whose clocks change, where those at the edge of the week would be wrong. */
function OwnHours({ span, reading }: { readonly span: DaySpan; readonly reading: TimeReading }) {
  return hourRows(span).map(({ startMs, top }) => (
    <span key={top} className="own-hour" style={cssVariables({ '--top': top })}>
      <Drawn
        text={clockTime(Temporal.Instant.fromEpochMilliseconds(startMs), reading.zone, reading.locale)}
      />
    </span>
  ))
}
