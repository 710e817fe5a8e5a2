import { useSyncExternalStore } from 'react'
import { type View, VIEWS } from '../app/addresses'

/** How this device shows the calendar. */
export interface CalendarOptions {
  /** The view that was shown last; undefined on a new device. */
  readonly view: View | undefined
  readonly secondZone: string | undefined
  readonly hidesDeclined: boolean
  readonly showsWeekNumbers: boolean
}

const KEY = 'calendar'
const NONE: CalendarOptions = {
  view: undefined,
  secondZone: undefined,
  hidesDeclined: false,
  showsWeekNumbers: false,
}
let options: CalendarOptions | undefined
const listeners = new Set<() => void>()

const readOptions = (): CalendarOptions => (options ??= kept())

function kept(): CalendarOptions {
  try {
    const given = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<
      Record<keyof CalendarOptions, unknown>
    >
    return {
      view: VIEWS.find((view) => view === given.view),
      secondZone: typeof given.secondZone === 'string' ? given.secondZone : undefined,
      hidesDeclined: given.hidesDeclined === true,
      showsWeekNumbers: given.showsWeekNumbers === true,
    }
  } catch {
    return NONE
  }
}

export function changeOptions(change: Partial<CalendarOptions>): void {
  options = { ...readOptions(), ...change }
  localStorage.setItem(KEY, JSON.stringify(options))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useCalendarOptions = (): CalendarOptions => useSyncExternalStore(subscribe, readOptions)
