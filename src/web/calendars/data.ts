import { useCallback, useMemo } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import { pathOf } from '../api/call'
import type { Intent } from '../store/commands'
import { useRecords, useStore } from '../store/use-store'

/** Own calendars first, then those of others, each by name; undefined until they are known, maybe because they could not be read. */
export function useCalendarList() {
  const { items, loading } = useRecords('calendar')
  const { loader } = useStore()
  const sorted = useMemo(() => items.toSorted(ownFirst), [items])
  return {
    calendars: loading.is === 'loaded' ? sorted : undefined,
    refusal: loading.is === 'refused' ? loading.refusal : undefined,
    again: () => loader.retry(),
  }
}

export const useCalendars = (): readonly CalendarView[] | undefined => useCalendarList().calendars

const ownFirst = (a: CalendarView, b: CalendarView): number =>
  Number(a.access !== 'owner') - Number(b.access !== 'owner') || a.name.localeCompare(b.name)

const showing = ({ id, name }: CalendarView, isVisible: boolean): Intent => ({
  said: name,
  apply: [{ kind: 'calendar', id, is: 'patch', fields: { is_visible: isVisible } }],
  request: { method: 'PUT', path: pathOf`calendars/${id}`, body: { is_visible: isVisible } },
  // The tick itself takes it back.
  canUndo: false,
})

/** Deletes a calendar with all its events; a calendar has no version to start from. */
export const deletingCalendar = ({ id }: CalendarView, said: string): Intent => ({
  said,
  apply: [{ kind: 'calendar', id, is: 'delete' }],
  request: { method: 'DELETE', path: pathOf`calendars/${id}` },
})

/** Returns a function that shows the events of these calendars and hides those of all others. */
export function useShowing(): (isShown: (calendar: CalendarView) => boolean) => void {
  const store = useStore()
  const calendars = useCalendars()
  return useCallback(
    (isShown) => {
      for (const calendar of calendars ?? []) {
        if (calendar.is_visible !== isShown(calendar)) store.run(showing(calendar, isShown(calendar)))
      }
    },
    [store, calendars],
  )
}
