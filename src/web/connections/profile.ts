import type { SettingsView } from '../../features/identity/settings/model'
import type { ConnectionSharingView } from '../../features/people/connections/model'
import type { SharedProfileView } from '../../features/people/sharing/model'
import { readDate } from '../time/days'
import { periodTitle } from '../time/format'

/** What a user may show of their profile, in the order in which it is shown. */
export const PROFILE_FIELDS = [
  'preferred_name',
  'first_name',
  'last_name',
  'email',
  'phone',
  'mobile',
  'birthday',
  'address',
  'company',
  'job_title',
] as const
export type ProfileField = (typeof PROFILE_FIELDS)[number]

export const toggleOf = <F extends ProfileField>(field: F) => `share_${field}` as const

/** What stands in one's own profile. */
export const ownValue = (settings: SettingsView, field: ProfileField): string | null =>
  field === 'birthday' ? settings.date_of_birth : settings[field]

/** Whether a field shows to the other one of a connection: the switch for them decides, else the one for everybody. */
export const isShown = (
  settings: SettingsView,
  sharing: ConnectionSharingView,
  field: ProfileField,
): boolean => sharing[toggleOf(field)] ?? settings[toggleOf(field)]

/** One's own profile as the other one of a connection sees it. */
export const seenProfile = (settings: SettingsView, sharing: ConnectionSharingView): SharedProfileView =>
  Object.fromEntries(
    PROFILE_FIELDS.filter((field) => isShown(settings, sharing, field)).map((field) => [
      field,
      ownValue(settings, field),
    ]),
  )

/** A value as people write it in one line: a birthday as a date. */
export function shownValue(field: ProfileField, value: string, locale: string): string {
  const day = field === 'birthday' ? readDate(value) : undefined
  return day ? periodTitle(day, day, locale) : value.replaceAll(/\s*\n\s*/g, ', ')
}
