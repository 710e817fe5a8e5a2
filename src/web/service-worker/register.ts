import { BUILDS } from './builds'
import { OWN_BUILD } from './own-build'

/** A page that is open for days asks this often whether there is a new build. */
const EVERY_MS = 3_600_000

let isOutdated = false
const listeners = new Set<() => void>()

/** Whether the device has a newer build than this page; for `useSyncExternalStore`. */
export const outdated = {
  read: (): boolean => isOutdated,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Keeps the client on this device, once the page has what it needs (contract: web.worker). */
export function keepClient(): void {
  if (!('serviceWorker' in navigator)) return
  new BroadcastChannel(BUILDS).addEventListener('message', ({ data }: MessageEvent<string>) => {
    isOutdated = data !== OWN_BUILD
    for (const listener of listeners) listener()
  })
  if (document.readyState === 'complete') void register()
  else addEventListener('load', () => void register(), { once: true })
}

async function register(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  try {
    const registration = await navigator.serviceWorker.register(addressOf('/sw.js'), {
      updateViaCache: 'none',
    })
    setInterval(() => void registration.update().catch(() => {}), EVERY_MS)
  } catch {
    // Private windows and devices without room keep nothing: the client works as long as there is a network.
  }
}

interface PolicyFactory {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ) => { readonly createScriptURL: (url: string) => string }
}

/** The page takes the address of a worker from this policy alone, where the browser knows policies. */
function addressOf(path: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
  return trustedTypes?.createPolicy('sw', { createScriptURL: (url) => url }).createScriptURL(path) ?? path
}
