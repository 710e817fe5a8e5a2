import { useMemo } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { EmptyState } from '../parts/EmptyState'
import { dayTitle } from '../time/format'
import { useToday } from '../time/use-now'
import { DueLine } from './DueLine'
import { dayNumber, dayOfNumber } from './entries'
import { EventLine } from './EventLine'
import { type AgendaDay, agendaDays } from './layout/agenda'
import type { GridProps } from './TimeGrid'

const messages = defineMessages({
  en: {
    agenda: 'Agenda',
    today: 'Today',
    goesOn: (title: string) => `${title} goes on`,
    nothing: 'Nothing planned',
    hint: 'Press C to add an event.',
    more: 'Load more',
  },
  de: {
    agenda: 'Agenda',
    today: 'Heute',
    goesOn: (title: string) => `${title} geht weiter`,
    nothing: 'Nichts geplant',
    hint: 'Mit der Taste C entsteht ein Termin.',
    more: 'Mehr laden',
  },
})

interface AgendaProps extends GridProps {
  /** Shows more days; undefined where no more can be shown. */
  readonly onMore: (() => void) | undefined
}

/** The view "Agenda": day by day what happens, from the date of the address on. */
export function Agenda(props: AgendaProps) {
  const { period, entries, due, reading, isWhole, gridRef, onToggle, onMore } = props
  const m = useMessages(messages)
  const today = useToday()
  const days = useMemo(() => {
    const dueDays = due.map(({ date }) => dayNumber(Temporal.PlainDate.from(date)))
    const always = new Set([dayNumber(today), ...dueDays])
    return agendaDays(entries, { firstDay: dayNumber(period.first), days: period.days.length, always })
  }, [entries, due, period, today])
  const isEmpty = entries.length === 0 && due.length === 0
  return (
    <div className="agenda" ref={gridRef}>
      {isEmpty && isWhole && (
        <EmptyState icon="calendar" title={m.nothing}>
          <p className="agenda-hint">{m.hint}</p>
        </EmptyState>
      )}
      {!isEmpty && (
        <ul aria-label={m.agenda}>
          {days.map((shown) => (
            <Day
              key={shown.day}
              shown={shown}
              due={due.filter(({ date }) => date === dayOfNumber(shown.day).toString())}
              isToday={shown.day === dayNumber(today)}
              isWhole={isWhole}
              reading={reading}
              onToggle={onToggle}
            />
          ))}
        </ul>
      )}
      {onMore && (
        <p className="agenda-foot">
          <Button isBusy={!isWhole} onClick={onMore}>
            {m.more}
          </Button>
        </p>
      )}
    </div>
  )
}

interface DayProps extends Pick<GridProps, 'due' | 'isWhole' | 'reading' | 'onToggle'> {
  readonly shown: AgendaDay
  readonly isToday: boolean
}

function Day({ shown: { day, entries, ongoing }, due, isToday, isWhole, reading, onToggle }: DayProps) {
  const m = useMessages(messages)
  const date = dayOfNumber(day)
  return (
    <li className="agenda-day" data-date={date.toString()} aria-current={isToday ? 'date' : undefined}>
      <h2 className="agenda-date">
        {dayTitle(date, reading.locale)}
        {isToday && <span className="agenda-today">{m.today}</span>}
      </h2>
      <ul className="agenda-items">
        {ongoing.map((entry) => (
          <li key={entry.key} className="agenda-ongoing">
            {m.goesOn(entry.event.title)}
          </li>
        ))}
        {entries.map((entry, index) => (
          <li key={entry.key}>
            <EventLine entry={entry} at={index} reading={reading} day={day} />
          </li>
        ))}
        {due.map((each, index) => (
          <li key={each.key}>
            <DueLine due={each} at={entries.length + index} onToggle={onToggle} />
          </li>
        ))}
        {entries.length + ongoing.length + due.length === 0 && isWhole && (
          <li className="agenda-nothing">{m.nothing}</li>
        )}
      </ul>
    </li>
  )
}
