import { memo, useLayoutEffect, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { calendarAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { cssVariables } from '../styles/variables'
import { weekNumber } from '../time/days'
import { fullDate, monthName, weekdayName } from '../time/format'
import { useToday } from '../time/use-now'
import { DayBar } from './DayBar'
import { type DayItem, itemsOfMonth } from './day-items'
import type { DueItem } from './data'
import { Drawn } from './Drawn'
import { dayNumber } from './entries'
import { type Bar, placeBars } from './layout/bars'
import { MoreButton } from './MoreButton'
import type { TimeReading } from './names'
import { useCalendarOptions } from './options'
import type { GridProps } from './TimeGrid'

const messages = defineMessages({
  en: { month: 'Month', week: 'Week', numbered: (number: number) => `Week ${number}` },
  de: { month: 'Monat', week: 'Woche', numbered: (number: number) => `KW ${number}` },
})

/** The view "Month": weeks from top to bottom, with as many events a day as there is room for. */
export function MonthGrid({ period, entries, due, reading, gridRef, onToggle }: Omit<GridProps, 'isWhole'>) {
  const m = useMessages(messages)
  const { showsWeekNumbers } = useCalendarOptions()
  const today = useToday()
  const weeks = useMemo(() => weeksOf(period.days), [period.days])
  const items = useMemo(() => itemsOfMonth(entries, due), [entries, due])
  const rows = useRoom(gridRef, weeks.length)
  return (
    <div
      role="grid"
      ref={gridRef}
      className="month-grid"
      aria-label={m.month}
      data-numbers={showsWeekNumbers || undefined}
      style={cssVariables({
        '--weeks': weeks.length,
        '--head': `${HEAD_REM}rem`,
        '--row-height': `${ROW_REM}rem`,
        '--last-row': rows - 1,
      })}
    >
      <div role="row" className="month-heads">
        {showsWeekNumbers && (
          <div role="columnheader" className="month-number-head">
            <span className="visually-hidden">{m.week}</span>
          </div>
        )}
        {weeks[0]?.map((date) => (
          <div key={date.dayOfWeek} role="columnheader" className="month-head">
            {weekdayName(date, reading.locale)}
          </div>
        ))}
      </div>
      {weeks.map((days, index) => (
        <MonthWeek
          key={String(days[0])}
          days={days}
          month={period.date.month}
          items={items}
          rows={rows}
          reading={reading}
          today={today.toString()}
          isFirst={index === 0}
          number={showsWeekNumbers && days[0] ? m.numbered(weekNumber(days[0])) : undefined}
          onToggle={onToggle}
        />
      ))}
    </div>
  )
}

const weeksOf = (days: readonly Temporal.PlainDate[]) =>
  Array.from({ length: days.length / 7 }, (_, index) => days.slice(index * 7, index * 7 + 7))

interface MonthWeekProps {
  readonly days: readonly Temporal.PlainDate[]
  /** From 1; days of other months stand back. */
  readonly month: number
  readonly items: readonly DayItem[]
  readonly rows: number
  readonly reading: TimeReading
  /** As an ISO date. */
  readonly today: string
  readonly isFirst: boolean
  /** Words for the number of the week, where it is shown. */
  readonly number: string | undefined
  readonly onToggle: (due: DueItem) => void
}

const MonthWeek = memo(function MonthWeek(props: MonthWeekProps) {
  const { days, items, rows, number } = props
  const layout = useMemo(() => {
    const first = days[0]
    return first && placeBars(items, { firstDay: dayNumber(first), days: 7, rows })
  }, [days, items, rows])
  return (
    <div role="row" className="month-week" data-walk>
      {number !== undefined && (
        <div role="rowheader" className="month-number">
          {number}
        </div>
      )}
      {days.map((date, column) => (
        <MonthDay
          {...props}
          key={date.toString()}
          date={date}
          bars={layout?.bars.filter((bar) => bar.column === column) ?? []}
          hidden={layout?.hidden[column] ?? 0}
        />
      ))}
    </div>
  )
})

interface MonthDayProps extends Omit<MonthWeekProps, 'days' | 'items' | 'rows' | 'number'> {
  readonly date: Temporal.PlainDate
  readonly bars: readonly Bar<DayItem>[]
  readonly hidden: number
}

function MonthDay({ date, month, bars, hidden, reading, today, isFirst, onToggle }: MonthDayProps) {
  const todayNumber = dayNumber(Temporal.PlainDate.from(today))
  return (
    <div
      role="gridcell"
      className="month-day"
      aria-label={fullDate(date, reading.locale)}
      aria-current={date.toString() === today ? 'date' : undefined}
      tabIndex={-1}
      data-date={date.toString()}
      data-outside={date.month === month ? undefined : true}
    >
      <Link href={calendarAddress('day', date)} tabIndex={-1} className="month-day-number">
        {date.day}
        {date.day === 1 && <Drawn className="month-day-name" text={monthName(date, reading.locale)} />}
      </Link>
      {bars.map((bar) => (
        <DayBar
          key={bar.item.is === 'due' ? bar.item.due.key : bar.item.entry.key}
          bar={bar}
          reading={reading}
          isPast={bar.item.lastDay < todayNumber}
          isRest={bar.beginsBefore && !isFirst}
          onToggle={onToggle}
        />
      ))}
      {hidden > 0 && <MoreButton date={date} count={hidden} />}
    </div>
  )
}

const LEAST_ROWS = 1
const FIRST_GUESS = 3
/** Heights of a day's number and of an event, which the style takes from here. */
const HEAD_REM = 1.875
const ROW_REM = 1.5

/** How many events fit into a day of the month as it stands on this screen. */
function useRoom(gridRef: GridProps['gridRef'], weeks: number): number {
  const [rows, setRows] = useState(FIRST_GUESS)
  useLayoutEffect(() => {
    const grid = gridRef.current
    if (!grid) return
    const measure = () => {
      const week = grid.querySelector<HTMLElement>('[data-walk]')
      if (!week) return
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const room = week.clientHeight / rem - HEAD_REM
      setRows(Math.max(LEAST_ROWS, Math.floor(room / ROW_REM)))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(grid)
    measure()
    return () => observer.disconnect()
  }, [gridRef, weeks])
  return rows
}
