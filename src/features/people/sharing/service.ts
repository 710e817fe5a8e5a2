import type { Db, Tx } from '../../../db/client'
import type { SharedProfileView } from './model'
import * as q from './queries'
import { SHARED_FIELDS, shows, type Toggles, togglesOf } from './rules'

/** Another user, as far as the viewer may see them. */
export interface Profile {
  readonly userId: number
  readonly networkName: string
  /** Null when it is not set or not shared. */
  readonly preferredName: string | null
  /** Null when the two are not connected. */
  readonly shared: SharedProfileView | null
}

/**
 * Returns what each of `userIds` shows to `viewerId`, by user id. It is not cached, so that a changed toggle takes effect at
 * once.
 */
export async function profilesFor(
  db: Db | Tx,
  viewerId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Profile>> {
  if (userIds.length === 0) return new Map()
  const rows = await q.findProfiles(db, viewerId, userIds)
  return new Map(rows.map((row) => [row.user.id, toProfile(row)]))
}

/** Returns what one other user shows; undefined when that user no longer exists. */
export const profileFor = async (
  db: Db | Tx,
  viewerId: number,
  userId: number,
): Promise<Profile | undefined> => (await profilesFor(db, viewerId, [userId])).get(userId)

function toProfile(row: q.ProfileRow): Profile {
  const { user, connection } = row
  const [values, settings] = [valuesOf(row), togglesOf(row.settings)]
  const overrides = connection ? togglesOf(connection) : undefined
  const visible = SHARED_FIELDS.filter((field) => shows(overrides?.[field], settings[field]))
  return {
    userId: user.id,
    networkName: user.networkName,
    preferredName: visible.includes('preferred_name') ? values.preferred_name : null,
    shared: connection ? Object.fromEntries(visible.map((field) => [field, values[field]])) : null,
  }
}

const valuesOf = ({ user, settings }: q.ProfileRow): Toggles<string | null> => ({
  first_name: settings.firstName,
  last_name: settings.lastName,
  preferred_name: settings.preferredName,
  email: user.email,
  phone: settings.phone,
  mobile: settings.mobile,
  birthday: user.dateOfBirth,
  address: settings.address,
  company: settings.company,
  job_title: settings.jobTitle,
})
