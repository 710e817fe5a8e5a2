import { useLocation } from 'wouter'
import { calendarAddress } from '../app/addresses'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useSignedIn } from '../session/use-session'
import { daysFrom, weekStart } from '../time/days'
import { fullDate, weekdayName } from '../time/format'
import { useToday } from '../time/use-now'
import { Drawn } from './Drawn'

const messages = defineMessages({ en: { days: 'Days of the week' }, de: { days: 'Tage der Woche' } })

/** The week around a date, above the agenda of a phone. */
export function WeekStrip({ date }: { readonly date: Temporal.PlainDate }) {
  const m = useMessages(messages)
  const locale = useLocale()
  const today = useToday()
  const [, navigate] = useLocation()
  const { settings } = useSignedIn()
  return (
    <ul className="week-strip" aria-label={m.days}>
      {daysFrom(weekStart(date, settings.first_day_of_week), 7).map((day) => (
        <li key={day.toString()}>
          <button
            type="button"
            aria-label={fullDate(day, locale)}
            aria-current={day.equals(today) ? 'date' : undefined}
            aria-pressed={day.equals(date)}
            onClick={() => navigate(calendarAddress('agenda', day))}
          >
            <Drawn text={weekdayName(day, locale)} />
            <Drawn className="week-strip-number" text={String(day.day)} />
          </button>
        </li>
      ))}
    </ul>
  )
}
