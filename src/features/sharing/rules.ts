/** Every field that a user may show others; each has a toggle in the settings, and one per connection. */
export const SHARED_FIELDS = [
  'first_name',
  'last_name',
  'preferred_name',
  'email',
  'phone',
  'mobile',
  'birthday',
  'address',
  'company',
  'job_title',
] as const
export type SharedField = (typeof SHARED_FIELDS)[number]

export type Toggles<T> = Readonly<Record<SharedField, T>>

/** Whether a field shows: the connection's toggle, or the settings' where the connection has none. */
export const shows = (override: boolean | null | undefined, setting: boolean): boolean => override ?? setting
