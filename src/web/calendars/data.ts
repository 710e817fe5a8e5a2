import { useCallback, useMemo } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import { pathOf } from '../api/call'
import { creation, type Intent, localId } from '../store/commands'
import { useRecords, useStore } from '../store/use-store'
import { now } from '../time/now'

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

/** As the service colours what has no colour of its own. */
const DEFAULT_COLOR = '#3b82f6'

/** Makes a calendar of the user; of its owner nothing shows before the service has answered. */
export function creatingCalendar(name: string, userId: number, said: string): Intent {
  const at = now().toString()
  const item: CalendarView = {
    id: localId(),
    user_id: userId,
    name,
    color: DEFAULT_COLOR,
    is_default: false,
    is_system: false,
    is_visible: true,
    access: 'owner',
    owner_network_name: '',
    feed_created_at: null,
    feed_last_read_at: null,
    created_at: at,
    updated_at: at,
  }
  return creation({ kind: 'calendar', item }, 'calendars', { name }, { said })
}

/** Changes the name or the colour of a calendar, which has no version to start from. */
export const changingCalendar = (
  { id }: CalendarView,
  fields: Partial<Pick<CalendarView, 'name' | 'color'>>,
  said: string,
): Intent => ({
  said,
  apply: [{ kind: 'calendar', id, is: 'patch', fields }],
  request: { method: 'PUT', path: pathOf`calendars/${id}`, body: fields },
})

/** What is wrong with a name for a calendar; undefined where it can be given. */
export function problemOfName(
  name: string,
  others: readonly CalendarView[],
): 'missing' | 'taken' | undefined {
  if (name === '') return 'missing'
  return others.some((each) => each.access === 'owner' && each.name === name) ? 'taken' : undefined
}

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

/** Makes a calendar the one of new events, instead of the one that is it now. */
export const makingDefault = (
  { id }: CalendarView,
  before: CalendarView | undefined,
  said: string,
): Intent => ({
  said,
  apply: [
    { kind: 'calendar', id, is: 'patch', fields: { is_default: true } },
    ...(before
      ? [{ kind: 'calendar', id: before.id, is: 'patch', fields: { is_default: false } } as const]
      : []),
  ],
  request: { method: 'PUT', path: pathOf`calendars/${id}`, body: { is_default: true } },
})
