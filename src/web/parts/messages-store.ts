/** A message that stands for a while, then goes. */
export interface Announcement {
  /** A whole sentence. */
  readonly text: string
  /** Takes back what the sentence says was done. */
  readonly undo?: (() => void) | undefined
  /** Leads to where something can be done about it. */
  readonly way?: { readonly label: string; readonly go: () => void } | undefined
  /** Something failed: it stays. */
  readonly isError?: boolean
  /** It stays until somebody dismisses it. */
  readonly stays?: boolean
}

export interface ShownAnnouncement extends Announcement {
  readonly key: number
}

/** More would hide the page. */
const MOST = 3

let shown: readonly ShownAnnouncement[] = []
let lastKey = 0
const listeners = new Set<() => void>()

function change(next: readonly ShownAnnouncement[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/** For `useSyncExternalStore`; the newest is last. */
export const announcements = {
  read: (): readonly ShownAnnouncement[] => shown,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Tells a person what happened (contract: web.messages). */
export function announce(announcement: Announcement): void {
  lastKey += 1
  change([...shown, { ...announcement, key: lastKey }].slice(-MOST))
}

export const dismiss = (key: number): void => change(shown.filter((each) => each.key !== key))
