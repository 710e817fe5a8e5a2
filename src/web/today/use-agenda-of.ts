import { useMemo, useState } from 'react'
import { type DueItem, useDue } from '../calendar/data'
import { dayNumber, dayOfNumber } from '../calendar/entries'
import { agendaDays } from '../calendar/layout/agenda'
import { useShown } from '../calendar/use-shown'

const NEXT_DAYS = 7
/** Nothing that is due lies before it. */
const LONG_AGO = Temporal.PlainDate.from('1900-01-01')
const NOBODY: ReadonlySet<string> = new Set()

/** What a day holds, and what the seven after it do. What one ticks here stays in its list until one leaves. */
export function useAgendaOf(date: Temporal.PlainDate) {
  const end = useMemo(() => date.add({ days: NEXT_DAYS + 1 }), [date])
  const shown = useShown({ first: date, end })
  const before = useDue(LONG_AGO, date)
  const [kept, setKept] = useState(NOBODY)
  const days = useMemo(() => {
    const firstDay = dayNumber(date)
    const always = new Set(Array.from({ length: NEXT_DAYS + 1 }, (_, later) => firstDay + later))
    const all = agendaDays(shown.entries, { firstDay, days: NEXT_DAYS + 1, always })
    return all.map((each) => ({ ...each, date: dayOfNumber(each.day) }))
  }, [shown.entries, date])
  const [first, ...next] = days
  const today = date.toString()
  return {
    events: first?.entries ?? [],
    next: next
      .map(({ day, date: nextDate, entries }) => {
        const due = shown.due.filter(
          (each) => each.date === nextDate.toString() && (!each.isDone || kept.has(each.key)),
        )
        return { day, date: nextDate, items: [...entries, ...due] }
      })
      .filter(({ items }) => items.length > 0),
    due: shown.due.filter((due) => due.date === today),
    overdue: before.items
      .filter(({ key, isDone }) => !isDone || kept.has(key))
      .toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    isWhole: shown.isWhole && !before.isPartial,
    isNothingKnown: shown.entries.length + shown.due.length + before.items.length === 0,
    refusal: shown.refusal ?? before.refusal,
    keep: ({ key }: DueItem) => setKept((keys) => new Set([...keys, key])),
  }
}
