import type { SettingsView } from '../../features/identity/settings/model'
import type { SessionUser } from './session-user'

/** Who used this device last, and how they look at things. */
export interface KnownUser {
  readonly user: SessionUser
  readonly settings: SettingsView
}

const KEY = 'known-user'

/** Remembers the signed-in user beside the device's copy, so that a start without the service can open it (contract: web.device-copy). */
export const keepKnownUser = (known: KnownUser): void => localStorage.setItem(KEY, JSON.stringify(known))
export const forgetKnownUser = (): void => localStorage.removeItem(KEY)

export function readKnownUser(): KnownUser | undefined {
  const text = localStorage.getItem(KEY)
  return text === null ? undefined : (JSON.parse(text) as KnownUser)
}
