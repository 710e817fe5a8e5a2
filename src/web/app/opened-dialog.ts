import type { QuickKind } from '../quick-add/grammar'

/** What stands over the page because somebody asked for it from anywhere. */
export type OpenedDialog =
  { readonly is: 'quick-add'; readonly kind?: QuickKind } | { readonly is: 'commands' }

let opened: OpenedDialog | undefined
const listeners = new Set<() => void>()

/** For `useSyncExternalStore`. */
export const openings = {
  read: (): OpenedDialog | undefined => opened,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** One at a time: what is asked for while one is open does nothing. Undefined closes it. */
export function openDialog(next: OpenedDialog | undefined): void {
  if (next && opened) return
  opened = next
  for (const listener of listeners) listener()
}
