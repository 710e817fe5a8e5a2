/** Every field that a user may show to others. Each has a toggle in the settings and one per connection. */
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
type SharedField = (typeof SHARED_FIELDS)[number]

export type Toggles<T> = Readonly<Record<SharedField, T>>

/** The toggles as settings and connections store them. */
interface ToggleColumns<T> {
  readonly shareFirstName: T
  readonly shareLastName: T
  readonly sharePreferredName: T
  readonly shareEmail: T
  readonly sharePhone: T
  readonly shareMobile: T
  readonly shareBirthday: T
  readonly shareAddress: T
  readonly shareCompany: T
  readonly shareJobTitle: T
}

export const togglesOf = <T>(row: ToggleColumns<T>): Toggles<T> => ({
  first_name: row.shareFirstName,
  last_name: row.shareLastName,
  preferred_name: row.sharePreferredName,
  email: row.shareEmail,
  phone: row.sharePhone,
  mobile: row.shareMobile,
  birthday: row.shareBirthday,
  address: row.shareAddress,
  company: row.shareCompany,
  job_title: row.shareJobTitle,
})

/** The toggles under their API names. */
export const toToggleFields = <T>(row: ToggleColumns<T>) => ({
  share_first_name: row.shareFirstName,
  share_last_name: row.shareLastName,
  share_preferred_name: row.sharePreferredName,
  share_email: row.shareEmail,
  share_phone: row.sharePhone,
  share_mobile: row.shareMobile,
  share_birthday: row.shareBirthday,
  share_address: row.shareAddress,
  share_company: row.shareCompany,
  share_job_title: row.shareJobTitle,
})

type ToggleChanges<T> = { readonly [F in `share_${SharedField}`]?: T }

/** Undefined leaves a column as it is. */
export const toToggleColumns = <T>(changes: ToggleChanges<T>) => ({
  shareFirstName: changes.share_first_name,
  shareLastName: changes.share_last_name,
  sharePreferredName: changes.share_preferred_name,
  shareEmail: changes.share_email,
  sharePhone: changes.share_phone,
  shareMobile: changes.share_mobile,
  shareBirthday: changes.share_birthday,
  shareAddress: changes.share_address,
  shareCompany: changes.share_company,
  shareJobTitle: changes.share_job_title,
})

/** Whether a field is shown: the connection's toggle decides, or the settings' toggle when the connection has none. */
export const shows = (override: boolean | null | undefined, setting: boolean): boolean => override ?? setting
