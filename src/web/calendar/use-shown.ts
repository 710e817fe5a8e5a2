import { useMemo, useState } from 'react'
import { useKeys } from '../store/use-store'
import { useZone } from '../time/use-zone'
import { type DueItem, useDue, useOccurrences } from './data'
import { type CalendarEntry, dayNumber, entriesOf } from './entries'
import { keeper } from './keeper'
import { standingOf } from './names'
import { useCalendarOptions } from './options'
import type { Period } from './period'

/** What happens and what is due in a period, as far as it is known. */
export function useShown({ first, end }: Pick<Period, 'first' | 'end'>) {
  const zone = useZone()
  const { hidesDeclined } = useCalendarOptions()
  const keyOf = useKeys('event')
  const events = useOccurrences(first, end)
  const due = useDue(first, end)
  const all = useMemo(() => entriesOf(events.items, zone, keyOf), [events.items, zone, keyOf])
  const [keep] = useState(() => ({ entries: keeper<CalendarEntry>(), due: keeper<DueItem>() }))
  const entries = useMemo(() => {
    const [from, to] = [dayNumber(first), dayNumber(end)]
    const isIn = (firstDay: number, lastDay: number) => lastDay >= from && firstDay < to
    const isHidden = (entry: (typeof all)[number]) => hidesDeclined && standingOf(entry.event) === 'declined'
    return keep.entries(all.filter((entry) => isIn(entry.firstDay, entry.lastDay) && !isHidden(entry)))
  }, [all, first, end, hidesDeclined, keep])
  const dueShown = useMemo(() => {
    const [from, to] = [first.toString(), end.toString()]
    return keep.due(due.items.filter(({ date }) => from <= date && date < to))
  }, [due.items, first, end, keep])
  return {
    entries,
    due: dueShown,
    isWhole: !events.isPartial && !due.isPartial,
    refusal: events.refusal ?? due.refusal,
  }
}
