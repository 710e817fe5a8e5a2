import { useLocation } from 'wouter'
import { calendarAddress } from '../app/addresses'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { fullDate } from '../time/format'
import { Drawn } from './Drawn'

const messages = defineMessages({
  en: {
    tiny: (count: number) => `+${count}`,
    short: (count: number) => `+${count} more`,
    long: (count: number, date: string) => `${count} more on ${date}`,
  },
  de: {
    tiny: (count: number) => `+${count}`,
    short: (count: number) => `+${count} weitere`,
    long: (count: number, date: string) => `${count} weitere am ${date}`,
  },
})

/** Says how much of a day does not fit, and leads to the whole day. */
export function MoreButton({ date, count }: { readonly date: Temporal.PlainDate; readonly count: number }) {
  const m = useMessages(messages)
  const locale = useLocale()
  const [, navigate] = useLocation()
  return (
    <button
      type="button"
      className="day-more"
      tabIndex={-1}
      data-key="more"
      data-at={LAST}
      aria-label={m.long(count, fullDate(date, locale))}
      onClick={() => navigate(calendarAddress('day', date))}
    >
      <Drawn className="day-more-tiny" text={m.tiny(count)} />
      <Drawn className="day-more-long" text={m.short(count)} />
    </button>
  )
}

/** Below everything else of a day's top. */
const LAST = -1
