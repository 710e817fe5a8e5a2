import { dayIn } from '../../lib/time/time'
import type { Deps } from '../../deps'
import type { CurrentSession, Owner } from '../sessions/service'
import { settingsMissing } from './rules'

/** The caller with their settings, which decide when their day begins, what the request does, and the grant of their access token. */
export type Reader = Pick<CurrentSession, 'id' | 'userId' | 'operation' | 'owner' | 'token'>

/** The user's own time zone, or else the server's. */
export const zoneOf = ({ timeZone }: Deps['config'], owner: Owner | undefined): string =>
  owner?.settings?.timeZone ?? timeZone

/**
 * Returns the user's time zone and first day of the week; `firstDayOfWeek` 0 is Sunday, 1 Monday.
 * @throws {AppError} 500 without settings.
 */
export function weekOf(config: Deps['config'], owner: Owner | undefined) {
  if (!owner?.settings) throw settingsMissing()
  return { timeZone: zoneOf(config, owner), firstDayOfWeek: owner.settings.firstDayOfWeek }
}

/** Returns the current date in the user's time zone, as `YYYY-MM-DD`. */
export const todayOf = (
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  owner: Owner | undefined,
): string => dayIn(zoneOf(config, owner), clock.now())

/** Returns the settings as stored. @throws {AppError} 500 without settings. */
export function settingsOf(owner: Owner | undefined): NonNullable<Owner['settings']> {
  if (!owner?.settings) throw settingsMissing()
  return owner.settings
}
