import type { StatusView } from '../../features/identity/sessions/model'
import type { SettingsView } from '../../features/identity/settings/model'
import { call, onRefusal } from '../api/call'
import { type Refusal, refusalOf } from '../api/refusal'
import { takeBroughtStep } from './brought-step'
import { readKnownUser } from './known-user'
import { isMarkedLocked } from './lock-mark'
import type { Pending } from './pending'
import type { SessionUser } from './session-user'
import { tellTabs } from './tabs'
import { hasUnsaved } from './unsaved'

/** Who uses the client, as the service sees it. */
export type Session =
  | { readonly is: 'unknown' }
  /** The service could not say; the page explains why. */
  | { readonly is: 'unreachable'; readonly refusal: Refusal | undefined }
  | { readonly is: 'set-up' }
  | {
      readonly is: 'signed-out'
      readonly registrationOpen: boolean
      /** What the identity provider is called with which people sign in; null where there is none. */
      readonly provider: string | null
      readonly pending?: Pending
    }
  | { readonly is: 'locked'; readonly user: SessionUser }
  | { readonly is: 'must-change-password'; readonly user: SessionUser }
  | {
      readonly is: 'signed-in'
      readonly user: SessionUser
      readonly settings: SettingsView
      /** Opened from the device's copy: the service has not said yet that this is still so. */
      readonly isUnconfirmed?: true
    }
  /** The session ended while the page was open: what was typed is kept until the same user signs in again. */
  | {
      readonly is: 'ended'
      readonly user: SessionUser
      readonly settings: SettingsView
      readonly pending?: Pending
    }

let session: Session = { is: 'unknown' }
const listeners = new Set<() => void>()

/** For `useSyncExternalStore`. */
export const sessions = {
  read: (): Session => session,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export function setSession(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

/** Asks the service who the caller is. It is called at the start and after every step that changes the answer. */
export async function refreshSession(): Promise<void> {
  try {
    settle(await askService())
  } catch (error) {
    const refusal = refusalOf(error)
    setSession(fromCopy(refusal) ?? { is: 'unreachable', refusal })
  }
}

/** Answers that say that the service is away, not what it thinks of the session. */
const AWAY: ReadonlySet<number> = new Set([0, 502, 503, 504])

/** Without the service, the user who keeps a copy on this device goes on with it; not while the screen is locked. */
function fromCopy(refusal: Refusal | undefined): Session | undefined {
  const known = refusal && AWAY.has(refusal.status) ? readKnownUser() : undefined
  if (!known || isMarkedLocked(known.user.id)) return undefined
  shownUser ??= known.user.id
  return { is: 'signed-in', ...known, isUnconfirmed: true }
}

let checking: Promise<void> | undefined
let isAskedAgain = false
/**
 * The same behind an open page, which stays as it is when the service cannot say. Calls during a request share a second one, as
 * the first answer may be older than what they are about; there is no third, which the refusals of these could go on for ever.
 */
export function checkSession(): Promise<void> {
  isAskedAgain = checking !== undefined
  return (checking ??= checkTwice().finally(() => (checking = undefined)))
}

async function checkTwice(): Promise<void> {
  await check()
  if (isAskedAgain) await check()
}

async function check(): Promise<void> {
  try {
    const next = await askService()
    const before = session
    // Signing in again may be half done.
    if (next.is === 'signed-out' && before.is === 'ended') return
    const isInterrupted = next.is === 'signed-out' && 'settings' in before && hasUnsaved()
    settle(isInterrupted ? { is: 'ended', user: before.user, settings: before.settings } : next)
  } catch {
    // The connection's own notice says that the service is away.
  }
}

const askService = async () => sessionOf((await call<StatusView>('GET', 'auth/status')).body)

/** The user whom this page has shown something of. */
let shownUser: number | undefined

/** Nothing of a user stays in memory once another one has signed in: the page begins anew. */
function settle(next: Session): void {
  const userId = 'user' in next ? next.user.id : undefined
  if (userId !== undefined && shownUser !== undefined && userId !== shownUser) {
    setSession({ is: 'unknown' })
    location.reload()
    return
  }
  shownUser ??= userId
  setSession(next)
}

/** Locks the screen of the signed-in user in this tab; undefined when nobody is signed in. */
export function lockedNow(): SessionUser | undefined {
  if (session.is !== 'signed-in' && session.is !== 'ended') return undefined
  const { user } = session
  setSession({ is: 'locked', user })
  return user
}

async function sessionOf(status: StatusView): Promise<Session> {
  if (status.setup_required) return { is: 'set-up' }
  const user = userOf(status)
  if (!user) return signedOut(status)
  if (status.is_locked) return { is: 'locked', user }
  if (isMarkedLocked(user.id)) return lockedAgain(user)
  try {
    const { body: settings } = await call<SettingsView>('GET', 'settings')
    return { is: 'signed-in', user, settings }
  } catch (error) {
    if (refusalOf(error)?.code === 'password_change_required') return { is: 'must-change-password', user }
    throw error
  }
}

function signedOut({ oidc, registration_open: registrationOpen }: StatusView): Session {
  const pending = takeBroughtStep()
  return { is: 'signed-out', registrationOpen, provider: oidc?.name ?? null, ...(pending && { pending }) }
}

function userOf(status: StatusView): SessionUser | undefined {
  if (!status.authenticated || status.user_id === null || status.username === null) return undefined
  const isProviderOnly = status.oidc?.is_only ?? false
  return {
    id: status.user_id,
    username: status.username,
    isAdmin: status.role === 'admin',
    hasPassword: status.has_password,
    hasPasskeys: status.has_passkeys && !isProviderOnly,
    provider: status.oidc?.name ?? null,
    isProviderOnly,
  }
}

/** The screen was locked while the service could not be reached: it is told now. */
function lockedAgain(user: SessionUser): Session {
  call('POST', 'auth/lock').catch(() => {})
  return { is: 'locked', user }
}

/** An administrator who may not do something may be none any more. */
const isRoleInDoubt = ({ isAdmin }: SessionUser, { status, detail }: Refusal): boolean =>
  isAdmin && status === 403 && detail === 'Insufficient permissions'

/** What a refusal of any request says about the session. A 401 may also be about a wrong password, so the service is asked. */
function afterRefusal(refusal: Refusal): void {
  const { status, code } = refusal
  if (!('user' in session) || session.is === 'ended') return
  if (status === 401 || isRoleInDoubt(session.user, refusal)) void checkSession()
  else if (status === 423 && code === 'session_locked') lockEverywhere()
  else if (code === 'password_change_required' && session.is === 'signed-in')
    setSession({ is: 'must-change-password', user: session.user })
}
onRefusal(afterRefusal)

/** Locks the screen of all tabs of this browser at once; undefined when nobody is signed in. */
export function lockEverywhere(): SessionUser | undefined {
  const user = lockedNow()
  if (user) tellTabs('locked')
  return user
}
