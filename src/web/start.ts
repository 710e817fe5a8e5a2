import { watchNetwork } from './api/connection'
import { startSession } from './session/start'
import { followSession } from './store/lifecycle'

async function start(): Promise<boolean> {
  // Safari has no Temporal yet; other browsers do not fetch this.
  const hasTemporal =
    'Temporal' in globalThis ||
    (await import('temporal-polyfill/global').then(
      () => true,
      () => false,
    ))
  if (!hasTemporal) return false
  watchNetwork()
  followSession()
  startSession()
  return true
}

/**
 * Asks the service who uses the client, and for what they look at, while the code that draws it is still on its way. False where the
 * browser lacks what the client cannot do without.
 */
export const started = start()
