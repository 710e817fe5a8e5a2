import { type RefObject, useMemo } from 'react'
import { Link } from 'wouter'
import { calendarAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { cssVariables } from '../styles/variables'
import { type DaySpan, daySpan, weekNumber } from '../time/days'
import { clockTime, weekdayName } from '../time/format'
import { zonePlace } from '../time/zones'
import { useMinute, useToday } from '../time/use-now'
import { itemsAboveHours } from './day-items'
import type { DueItem } from './data'
import { DayColumn } from './DayColumn'
import { dayNumber, type CalendarEntry } from './entries'
import { placeBars } from './layout/bars'
import { keeper } from './keeper'
import { hourRows } from './layout/hours'
import type { TimeReading } from './names'
import { useCalendarOptions } from './options'
import type { Period } from './period'

const messages = defineMessages({
  en: {
    week: 'Week',
    day: 'Day',
    weekNumber: (number: number) => `Week ${number}`,
    ghost: 'Drag or press C to add',
    ghostByFinger: 'Hold and drag, or tap + to add',
  },
  de: {
    week: 'Woche',
    day: 'Tag',
    weekNumber: (number: number) => `KW ${number}`,
    ghost: 'Ziehen oder C drücken',
    ghostByFinger: 'Halten und ziehen, oder auf + tippen',
  },
})

/** More bars than this would push the hours of a week out of sight. */
const MOST_BARS = 5

export interface GridProps {
  readonly period: Period
  readonly entries: readonly CalendarEntry[]
  readonly due: readonly DueItem[]
  readonly reading: TimeReading
  /** Whether it is known that nothing else happens. */
  readonly isWhole: boolean
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly onToggle: (due: DueItem) => void
}

/** The views "Week" and "Day": days side by side, hours from top to bottom. */
export function TimeGrid({ period, entries, due, reading, isWhole, gridRef, onToggle }: GridProps) {
  const m = useMessages(messages)
  const { secondZone } = useCalendarOptions()
  const { zone } = reading
  const spans = useMemo(() => period.days.map((date) => daySpan(date, zone)), [period.days, zone])
  const days = useDays(period, spans, entries, due)
  // The hours at the edge are those of an ordinary day of the week, if it has one.
  const edge = spans.find(({ minutes }) => minutes === ORDINARY_MINUTES) ?? spans[0]
  if (!edge) return null
  const rows = hourRows(edge)
  const columns = (
    <Columns
      spans={spans}
      days={days}
      edge={edge}
      rowCount={rows.length}
      reading={reading}
      onToggle={onToggle}
    />
  )
  return (
    <div
      role="grid"
      ref={gridRef}
      className="time-grid"
      aria-label={period.view === 'day' ? m.day : m.week}
      data-view={period.view}
      data-zones={secondZone === undefined ? 1 : 2}
      style={cssVariables({ '--days': spans.length, '--bars': days.rows, '--last-row': days.rows - 1 })}
    >
      {period.view === 'week' && <Heads period={period} reading={reading} />}
      <div className="above-ground" aria-hidden="true" />
      {rows.map((row, index) => (
        <div key={row.top} role="row" className="hour-row" data-walk={index === 0 || undefined}>
          <div role="rowheader" className="hour-head" style={cssVariables({ '--top': row.top })}>
            <HourLabel atMs={row.startMs} secondZone={secondZone} reading={reading} />
          </div>
          {index === 0 && columns}
        </div>
      ))}
      {isWhole && entries.length === 0 && due.length === 0 && (
        <p className="ghost-text">{matchMedia('(pointer: coarse)').matches ? m.ghostByFinger : m.ghost}</p>
      )}
    </div>
  )
}

interface ColumnsProps extends Pick<GridProps, 'reading' | 'onToggle'> {
  readonly spans: readonly DaySpan[]
  readonly days: ReturnType<typeof useDays>
  /** The day whose hours stand at the edge. */
  readonly edge: DaySpan
  readonly rowCount: number
}

function Columns({ spans, days, edge, rowCount, reading, onToggle }: ColumnsProps) {
  const today = useToday()
  const minute = useMinute()
  return spans.map((span, column) => (
    <DayColumn
      key={span.startMs}
      span={span}
      index={column + 1}
      rowCount={rowCount}
      timed={days.timed[column] ?? NOTHING}
      bars={days.bars[column] ?? NOTHING}
      hidden={days.hidden[column] ?? 0}
      reading={reading}
      isToday={span.date.equals(today)}
      today={dayNumber(today)}
      // Only today's column changes with the minutes.
      pastMs={Math.min(Math.max(minute, span.startMs), span.endMs)}
      hasOwnHours={span.minutes !== edge.minutes}
      onToggle={onToggle}
    />
  ))
}

const ORDINARY_MINUTES = 1440
const NOTHING: readonly never[] = []

/** What stands in each of the days. Todos come later than events, and leave those alone. */
function useDays(
  { view, first, days }: Period,
  spans: readonly DaySpan[],
  entries: readonly CalendarEntry[],
  due: readonly DueItem[],
) {
  const keep = useMemo(
    () => ({ bars: keeper<CalendarEntry>(), timed: spans.map(() => keeper<CalendarEntry>()) }),
    [spans],
  )
  const timed = useMemo(
    () =>
      spans.map(({ startMs, endMs }, column) => {
        const those = entries.filter((entry) => !entry.isBar && touches(entry, startMs, endMs))
        return keep.timed[column]?.(those) ?? those
      }),
    [spans, entries, keep],
  )
  const bars = useMemo(() => keep.bars(entries.filter(({ isBar }) => isBar)), [entries, keep])
  const above = useMemo(() => {
    const layout = placeBars(itemsAboveHours(bars, due), {
      firstDay: dayNumber(first),
      days: days.length,
      ...(view === 'week' && { rows: MOST_BARS }),
    })
    const used = Math.max(0, ...layout.bars.map(({ row }) => row + 1))
    return {
      rows: layout.hidden.some(Boolean) ? MOST_BARS : used,
      hidden: layout.hidden,
      bars: days.map((_, column) => layout.bars.filter((bar) => bar.column === column)),
    }
  }, [view, first, days, bars, due])
  return { ...above, timed }
}

const touches = (entry: CalendarEntry, startMs: number, endMs: number) =>
  entry.startMs < endMs && (entry.endMs > startMs || entry.startMs >= startMs)

function Heads({ period, reading }: Pick<GridProps, 'period' | 'reading'>) {
  const today = useToday()
  const m = useMessages(messages)
  const { showsWeekNumbers, secondZone } = useCalendarOptions()
  return (
    <div role="row" className="day-heads">
      <div role="columnheader" className="day-corner">
        {showsWeekNumbers && <span>{m.weekNumber(weekNumber(period.first))}</span>}
        {!showsWeekNumbers && secondZone === undefined && (
          <span className="visually-hidden">{zonePlace(reading.zone)}</span>
        )}
        {secondZone !== undefined && (
          <span className="corner-zones">
            <span>{zonePlace(secondZone)}</span>
            <span>{zonePlace(reading.zone)}</span>
          </span>
        )}
      </div>
      {period.days.map((date) => (
        <div
          key={date.toString()}
          role="columnheader"
          className="day-head"
          data-today={date.equals(today) || undefined}
        >
          <Link href={calendarAddress('day', date)} tabIndex={-1}>
            <span className="day-head-name">{weekdayName(date, reading.locale)}</span>{' '}
            <span className="day-head-number">{date.day}</span>
          </Link>
        </div>
      ))}
    </div>
  )
}

interface HourLabelProps {
  readonly atMs: number
  readonly secondZone: string | undefined
  readonly reading: TimeReading
}

function HourLabel({ atMs, secondZone, reading: { zone, locale } }: HourLabelProps) {
  const at = Temporal.Instant.fromEpochMilliseconds(atMs)
  return (
    <>
      {secondZone !== undefined && <span className="hour-second">{clockTime(at, secondZone, locale)}</span>}{' '}
      <span>{clockTime(at, zone, locale)}</span>
    </>
  )
}
