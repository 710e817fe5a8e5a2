import { useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import { calendarAddress, type View } from '../app/addresses'
import { openOver } from '../app/over-page'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { ProblemNote } from '../parts/ProblemNote'
import { useSignedIn } from '../session/use-session'
import { useToday } from '../time/use-now'
import { useRereading } from './data'
import { CalendarBody } from './CalendarBody'
import { changeOptions } from './options'
import { periodOf, stepped } from './period'
import { Toolbar } from './Toolbar'
import { addressOfNew } from './new-event'
import { useAgendaSpan } from './use-agenda-span'
import { useCalendarKeys } from './use-calendar-keys'
import { useIsNarrow } from './use-narrow'
import { useReading } from './use-reading'
import { useShown } from './use-shown'
import { WeekStrip } from './WeekStrip'

const messages = defineMessages({
  en: { unread: 'The calendar could not be read.' },
  de: { unread: 'Der Kalender konnte nicht gelesen werden.' },
})

/** One view of the calendar around a date. */
export function Calendar({ view, date }: { readonly view: View; readonly date: Temporal.PlainDate }) {
  const m = useMessages(messages)
  const { settings } = useSignedIn()
  const isNarrow = useIsNarrow()
  const today = useToday()
  const [, navigate] = useLocation()
  const firstDay = settings.first_day_of_week
  const { days: agendaDays, showMore } = useAgendaSpan(date)
  const period = useMemo(
    () => periodOf(view, date, { firstDay, isNarrow, agendaDays }),
    [view, date, firstDay, isNarrow, agendaDays],
  )
  useEffect(() => changeOptions({ view }), [view])
  // Hundreds of events take longer than a frame: what was asked for is named at once, and drawn as soon as it stands.
  const drawn = useDeferredValue(period)
  const onMore = useDeferredValue(showMore)
  const shown = useShown(drawn)
  const reread = useRereading()
  const reading = useReading()
  const focusDay = useRef<(date: string) => void>(undefined)
  const go = useCallback((to: Temporal.PlainDate) => navigate(calendarAddress(view, to)), [navigate, view])
  const step = (by: 1 | -1) => go(stepped(period, by))
  const show = (to: View) => navigate(calendarAddress(to, date))
  useCalendarKeys({
    onStep: step,
    onView: show,
    onCreate: () => openOver(addressOfNew(period, reading.zone)),
    onToday: () => {
      focusDay.current?.(today.toString())
      go(today)
    },
  })
  return (
    <div className="calendar" data-view={view}>
      <Toolbar period={period} onStep={step} onToday={() => go(today)} onView={show} />
      {view === 'agenda' && isNarrow && <WeekStrip date={date} />}
      {shown.refusal && <ProblemNote refusal={shown.refusal} sentence={m.unread} onTryAgain={reread} />}
      <CalendarBody
        period={drawn}
        isLate={drawn !== period}
        reading={reading}
        shown={shown}
        focusDay={focusDay}
        onGo={go}
        onMore={drawn.view === 'agenda' ? onMore : undefined}
      />
    </div>
  )
}
