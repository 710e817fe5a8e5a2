import { call } from '../api/call'
import { PATTERNS } from '../app/addresses'
import { clearLockMark } from './lock-mark'
import { setSession } from './session'
import { tellTabs } from './tabs'

/** Ends the session in all tabs of this browser. @throws RefusedError when the service cannot be reached. */
export async function signOut(): Promise<void> {
  await call('POST', 'auth/logout')
  leaveEverywhere()
}

/** The session is over: all tabs of this browser go to the sign-in. */
export function leaveEverywhere(): void {
  clearLockMark()
  tellTabs('signed-out')
  leave()
}

/** Goes to the sign-in by a new page, so that nothing of the user stays in memory. */
export function leave(): void {
  setSession({ is: 'unknown' })
  location.replace(PATTERNS.signIn)
}
