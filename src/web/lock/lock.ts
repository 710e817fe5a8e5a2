import { call } from '../api/call'
import { clearLockMark, markLocked } from '../session/lock-mark'
import { checkSession, lockEverywhere } from '../session/session'

/**
 * Locks the screen in all tabs of this browser at once, before the service has answered. When it cannot be reached, the device
 * stays locked and tells it later (contract: web.lock).
 */
export async function lock(): Promise<void> {
  const user = lockEverywhere()
  if (!user) return
  markLocked(user.id)
  try {
    await call('POST', 'auth/lock')
    clearLockMark()
    // The user may have got a passkey since, by which to unlock.
    await checkSession()
  } catch {
    // The mark of this device keeps the screen locked.
  }
}
