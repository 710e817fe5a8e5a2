/** The browser's own question whether to install the client, which Chromium gives a page to ask later. */
interface InstallQuestion extends Event {
  readonly prompt: () => Promise<unknown>
}

let question: InstallQuestion | undefined
const listeners = new Set<() => void>()

function change(next: InstallQuestion | undefined): void {
  question = next
  for (const listener of listeners) listener()
}

/** Asks whether to install the client; undefined where the browser cannot, or it is installed. For `useSyncExternalStore`. */
export const installation = {
  read: (): (() => void) | undefined => question && ask,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function ask(): void {
  void question?.prompt()
  // It can be asked once; the browser says when it may be asked again.
  change(undefined)
}

/** Keeps the browser's question until somebody wants it. */
export function awaitInstallation(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    change(event as InstallQuestion)
  })
  addEventListener('appinstalled', () => change(undefined))
}
