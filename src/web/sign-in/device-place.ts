import { call } from '../api/call'
import { deviceZone } from '../time/now'
import { presentZone } from '../time/zone-renames'

/** Days on which a week of the user's may start, as the service counts them: 0 for Sunday, 1 for Monday. */
export type WeekStart = '0' | '1'

/** The day on which weeks start where the locale is used; Monday (ISO 8601) where the browser does not know. */
export function weekStartOf(locale: string): WeekStart {
  const known = new Intl.Locale(locale)
  // Firefox has no method for it, older browsers a property of another name.
  const firstDay = 'getWeekInfo' in known ? known.getWeekInfo().firstDay : 1
  return firstDay === 7 ? '0' : '1'
}

/** The time zone of this device, by its present name. */
export const placeZone = (): string => presentZone(deviceZone())

/** All time zones that the browser knows, with its own among them. */
export function timeZones(): readonly string[] {
  const known = [...Intl.supportedValuesOf('timeZone'), 'UTC'].map(presentZone)
  return [...new Set([...known, placeZone()])].toSorted()
}

/** Saves where and how a new user counts their days. */
export const savePlace = (timeZone: string, weekStart: WeekStart) =>
  call('PUT', 'settings', { body: { time_zone: timeZone, first_day_of_week: Number(weekStart) } })
