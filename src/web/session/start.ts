import { connection } from '../api/connection'
import { clearLockMark } from './lock-mark'
import { checkSession, lockedNow, refreshSession, sessions } from './session'
import { leave } from './sign-out'
import { onTabNews, type TabNews } from './tabs'

/** Learns who uses the client, and keeps that true while other tabs and the browser's history change it. */
export function startSession(): void {
  void refreshSession()
  connection.subscribe(confirm)
  onTabNews(hear)
  hideWhileAway()
}

/** What was opened from the device's copy is confirmed as soon as the service answers, and the client opens that found nobody. */
function confirm(): void {
  const session = sessions.read()
  if (connection.read().reach !== 'online') return
  if (session.is === 'unreachable') void refreshSession()
  if (session.is === 'signed-in' && session.isUnconfirmed) void checkSession()
}

function hear({ is }: TabNews): void {
  const session = sessions.read()
  // The second step of a sign-in has its token in memory, and its codes on the screen.
  if (session.is === 'signed-out' && session.pending) return
  if (is === 'locked') lockedNow()
  else if (is === 'signed-out') leaveIfSomebody()
  else void checkSession()
}

function leaveIfSomebody(): void {
  clearLockMark()
  const { is } = sessions.read()
  if (is !== 'signed-out' && is !== 'set-up') leave()
}

/**
 * A page that the browser keeps for its Back button shows nothing when it returns, until the service has said that it is still
 * this user's and not locked.
 */
function hideWhileAway(): void {
  const place = document.getElementById('app')
  window.addEventListener('pagehide', () => {
    if (place) place.hidden = true
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!place) return
    if (!persisted) place.hidden = false
    else void checkSession().finally(() => (place.hidden = false))
  })
}
