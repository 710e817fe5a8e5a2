import { useLocation } from 'wouter'
import { calendarAddress, VIEWS } from '../app/addresses'
import { useSignedIn } from '../session/use-session'
import { readDate } from '../time/days'
import { useToday } from '../time/use-now'
import { CalendarList } from './CalendarList'
import { MiniMonth } from './MiniMonth'

const SHOWN = new RegExp(`^/calendar/(${VIEWS.join('|')})/(\\d{4}-\\d\\d-\\d\\d)$`)

/** Below the navigation: the month that the page shows, and the calendars. */
export function Sidebar() {
  const { settings } = useSignedIn()
  const [location, navigate] = useLocation()
  const today = useToday()
  const [, view, day] = SHOWN.exec(location) ?? []
  const shownView = VIEWS.find((each) => each === view)
  const shown = (day === undefined ? undefined : readDate(day)) ?? today
  return (
    <div className="sidebar">
      <MiniMonth
        key={shown.toString()}
        date={shown}
        today={today}
        weekStart={settings.first_day_of_week}
        onChoose={(date) => navigate(calendarAddress(shownView ?? 'day', date))}
      />
      <CalendarList />
    </div>
  )
}
