import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import { daysFrom, monthWeeks } from '../time/days'
import { fullDate, monthTitle, weekdayLetter } from '../time/format'

const messages = defineMessages({
  en: { name: 'Choose a date', before: 'Month before', after: 'Month after' },
  de: { name: 'Datum wählen', before: 'Monat davor', after: 'Monat danach' },
})

interface MiniMonthProps {
  readonly date: Temporal.PlainDate
  readonly today: Temporal.PlainDate
  /** 0 = Sunday, 1 = Monday. */
  readonly weekStart: number
  readonly onChoose: (date: Temporal.PlainDate) => void
}

/** One month by arrows, Home, End, Page Up and Page Down; Enter chooses a day. */
export function MiniMonth({ date, today, weekStart, onChoose }: MiniMonthProps) {
  const m = useMessages(messages)
  const locale = useLocale()
  const [held, setHeld] = useState(date)
  const grid = useRef<HTMLTableElement>(null)
  const isWalking = useRef(false)
  useLayoutEffect(() => {
    if (isWalking.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    isWalking.current = false
  }, [held])
  const walk = (event: KeyboardEvent) => {
    const next = stepped(held, event.key, weekStart)
    if (!next) return
    event.preventDefault()
    isWalking.current = true
    setHeld(next)
  }
  const weeks = monthWeeks(held, weekStart).map((first) => daysFrom(first, 7))
  return (
    <section className="mini-month">
      <MonthHead month={held} onChange={setHeld} />
      <table ref={grid} role="grid" aria-label={m.name} onKeyDown={walk}>
        <thead aria-hidden="true">
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day.dayOfWeek}>{weekdayLetter(day, locale)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]?.toString()}>
              {week.map((day) => (
                <Day key={day.toString()} {...{ day, held, today, date, onChoose }} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface MonthHeadProps {
  readonly month: Temporal.PlainDate
  readonly onChange: (month: Temporal.PlainDate) => void
}

function MonthHead({ month, onChange }: MonthHeadProps) {
  const m = useMessages(messages)
  const locale = useLocale()
  return (
    <div className="mini-month-head">
      <Button
        kind="quiet"
        aria-label={m.before}
        title={m.before}
        onClick={() => onChange(month.subtract({ months: 1 }))}
      >
        <Icon name="chevron-left" />
      </Button>
      <h2 aria-live="polite">{monthTitle(month, locale)}</h2>
      <Button
        kind="quiet"
        aria-label={m.after}
        title={m.after}
        onClick={() => onChange(month.add({ months: 1 }))}
      >
        <Icon name="chevron-right" />
      </Button>
    </div>
  )
}

interface MiniDayProps extends Pick<MiniMonthProps, 'date' | 'today' | 'onChoose'> {
  readonly day: Temporal.PlainDate
  /** The day that the Tab key reaches. */
  readonly held: Temporal.PlainDate
}

function Day({ day, held, today, date, onChoose }: MiniDayProps) {
  const locale = useLocale()
  return (
    <td role="gridcell" aria-label={String(day.day)}>
      <button
        type="button"
        tabIndex={day.equals(held) ? 0 : -1}
        aria-label={fullDate(day, locale)}
        aria-current={day.equals(today) ? 'date' : undefined}
        data-chosen={day.equals(date) || undefined}
        data-outside={day.month !== held.month || undefined}
        onClick={() => onChoose(day)}
      >
        {day.day}
      </button>
    </td>
  )
}

function stepped(date: Temporal.PlainDate, key: string, weekStart: number): Temporal.PlainDate | undefined {
  const towardsEnd = document.documentElement.dir === 'rtl' ? -1 : 1
  const place = (date.dayOfWeek - weekStart + 7) % 7
  const steps: Readonly<Record<string, Temporal.DurationLike>> = {
    ArrowRight: { days: towardsEnd },
    ArrowLeft: { days: -towardsEnd },
    ArrowDown: { days: 7 },
    ArrowUp: { days: -7 },
    Home: { days: -place },
    End: { days: 6 - place },
    PageDown: { months: 1 },
    PageUp: { months: -1 },
  }
  const step = steps[key]
  return step === undefined ? undefined : date.add(step)
}
