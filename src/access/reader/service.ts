import { dayIn } from '../../lib/time/time'
import type { Deps } from '../../deps'
import type { CurrentSession, Owner } from '../sessions/service'
import { settingsMissing } from './rules'

/** Who asks, and what they have set, which says when their day begins. */
export type Reader = Pick<CurrentSession, 'id' | 'userId' | 'owner'>

/** The zone in which the user's days begin and end: their own, else the server's. */
export const zoneOf = ({ timeZone }: Deps['config'], owner: Owner | undefined): string =>
  owner?.settings?.timeZone ?? timeZone

/** How the user counts days and weeks; `firstDayOfWeek` 0 is Sunday, 1 Monday. @throws {AppError} 500 without settings. */
export function weekOf(config: Deps['config'], owner: Owner | undefined) {
  if (!owner?.settings) throw settingsMissing()
  return { timeZone: zoneOf(config, owner), firstDayOfWeek: owner.settings.firstDayOfWeek }
}

/** The day that it is where the user is, as `YYYY-MM-DD`. */
export const todayOf = (
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  owner: Owner | undefined,
): string => dayIn(zoneOf(config, owner), clock.now())

/** As stored, for the features that follow them. @throws {AppError} 500 without settings. */
export function settingsOf(owner: Owner | undefined): NonNullable<Owner['settings']> {
  if (!owner?.settings) throw settingsMissing()
  return owner.settings
}
