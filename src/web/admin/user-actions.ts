import * as api from './data'
import type { User } from './data'
import type { UserTexts } from './user.messages'

/** One thing that an administrator can do to a user. */
export interface UserAction {
  /** What undoes an action has its place, and the focus. */
  readonly place: 'role' | 'active' | 'lock' | 'demand' | 'factor' | 'password' | 'sessions' | 'tokens'
  readonly label: string
  /** What follows from it. */
  readonly why: string
  /** What is said afterwards. */
  readonly done: string
  readonly isDangerous?: boolean
  readonly run: () => Promise<unknown>
}

/** Those of the account itself; one's own has none. */
export function accountActions(user: User, m: UserTexts, isOwn: boolean): readonly UserAction[] {
  const { id, role, username: name, is_active: isActive, locked_until: lockedUntil } = user
  const toRole: UserAction =
    role === 'admin'
      ? { place: 'role', label: m.makeStandard, why: m.makeStandardWhy, done: m.madeStandard(name), run: () => api.changeRole(id, 'standard') }
      : { place: 'role', label: m.makeAdmin, why: m.makeAdminWhy, done: m.madeAdmin(name), run: () => api.changeRole(id, 'admin') }
  const active: UserAction = isActive
    ? { place: 'active', label: m.disable, why: m.disableWhy, done: m.disabledNow(name), isDangerous: true, run: () => api.changeActive(id, false) }
    : { place: 'active', label: m.enable, why: m.enableWhy, done: m.enabledNow(name), run: () => api.changeActive(id, true) }
  const unlock: UserAction = { place: 'lock', label: m.unlock, why: m.unlockWhy, done: m.unlocked(name), run: () => api.unlockUser(id) }
  return [...(lockedUntil === null ? [] : [unlock]), ...(isOwn ? [] : [toRole, active])]
} // prettier-ignore

/** Those of the ways to sign in, but for the password, which is shown once. */
export function signInActions(user: User, m: UserTexts): readonly UserAction[] {
  const { id, username: name, mfa_required: isRequired, totp_enabled: hasFactor, passwordless_enabled: isPasswordless } = user
  const demand: UserAction = isRequired
    ? { place: 'demand', label: m.unenforce, why: m.unenforceWhy, done: m.unenforced(name), run: () => api.enforceMfa(id, false) }
    : { place: 'demand', label: m.enforce, why: m.enforceWhy, done: m.enforced(name), run: () => api.enforceMfa(id, true) }
  const factor: UserAction = { place: 'factor', label: m.removeFactor, why: m.removeFactorWhy, done: m.removedFactor(name), isDangerous: true, run: () => api.disableMfa(id) }
  const password: UserAction = { place: 'password', label: m.withPassword, why: m.withPasswordWhy, done: m.withPasswordNow(name), run: () => api.disablePasswordless(id) }
  return [demand, ...(hasFactor ? [factor] : []), ...(isPasswordless ? [password] : [])]
} // prettier-ignore

/** The end of sessions, where there are others than the one that is used here. */
export function sessionActions(user: User, m: UserTexts, isOwn: boolean): readonly UserAction[] {
  const { id, username: name, active_sessions: count } = user
  const ending = isOwn ? count - 1 : count
  if (ending < 1) return []
  const why = m.endSessionsWhy(ending, isOwn)
  return [
    {
      place: 'sessions',
      label: m.endSessions,
      why,
      done: m.endedSessions(name),
      isDangerous: true,
      run: () => api.revokeSessions(id),
    },
  ]
}

/** The end of access tokens, where there are any. */
export function tokenActions(user: User, m: UserTexts): readonly UserAction[] {
  const { id, username: name, token_count: count } = user
  if (count === 0) return []
  const why = m.endTokensWhy(count)
  return [
    {
      place: 'tokens',
      label: m.endTokens,
      why,
      done: m.endedTokens(name),
      isDangerous: true,
      run: () => api.revokeTokens(id),
    },
  ]
}
