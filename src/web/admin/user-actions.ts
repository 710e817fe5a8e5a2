import * as api from './data'
import type { User } from './data'
import type { UserTexts } from './user.messages'

/** One thing that an administrator can do to a user. */
export interface UserAction {
  readonly label: string
  /** What follows from it. */
  readonly why: string
  readonly isDangerous?: boolean
  readonly run: () => Promise<unknown>
}

/** Those of the account itself; one's own has none. */
export function accountActions(user: User, m: UserTexts, isOwn: boolean): readonly UserAction[] {
  const { id, role, is_active: isActive, locked_until: lockedUntil } = user
  const toRole: UserAction =
    role === 'admin'
      ? { label: m.makeStandard, why: m.makeStandardWhy, run: () => api.changeRole(id, 'standard') }
      : { label: m.makeAdmin, why: m.makeAdminWhy, run: () => api.changeRole(id, 'admin') }
  const active: UserAction = isActive
    ? { label: m.disable, why: m.disableWhy, isDangerous: true, run: () => api.changeActive(id, false) }
    : { label: m.enable, why: m.enableWhy, run: () => api.changeActive(id, true) }
  return [
    ...(isOwn ? [] : [toRole, active]),
    ...(lockedUntil === null ? [] : [{ label: m.unlock, why: m.unlockWhy, run: () => api.unlockUser(id) }]),
  ]
}

/** Those of the ways to sign in, but for the password, which is shown once. */
export function signInActions(user: User, m: UserTexts): readonly UserAction[] {
  const { id, mfa_required: isRequired, totp_enabled: hasFactor, passwordless_enabled: isPasswordless } = user
  return [
    isRequired
      ? { label: m.unenforce, why: m.unenforceWhy, run: () => api.enforceMfa(id, false) }
      : { label: m.enforce, why: m.enforceWhy, run: () => api.enforceMfa(id, true) },
    ...(hasFactor
      ? [{ label: m.removeFactor, why: m.removeFactorWhy, isDangerous: true, run: () => api.disableMfa(id) }]
      : []),
    ...(isPasswordless
      ? [{ label: m.withPassword, why: m.withPasswordWhy, run: () => api.disablePasswordless(id) }]
      : []),
  ]
}
