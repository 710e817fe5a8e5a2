import type { ReactNode } from 'react'
import type { IconName } from './Icon'

/** A message that stands for a while, then goes. */
export interface Announcement {
  /** A whole sentence. */
  readonly text: string
  /** Takes back what the sentence says was done. */
  readonly undo?: (() => void) | undefined
  /** Leads to where something can be done about it. */
  readonly way?: { readonly label: string; readonly go: () => void } | undefined
  /** Something failed. */
  readonly isError?: boolean
  /** Whether it stays until somebody dismisses it; by default what failed does, and what waits. */
  readonly stays?: boolean
  readonly onDismiss?: () => void
  /** It waits for something to be done, with buttons of its own. */
  readonly waits?: {
    readonly icon: IconName
    readonly buttons: ReactNode
  }
}

export interface ShownAnnouncement extends Announcement {
  readonly key: number
}

/** More would hide the page. */
const MOST = 3

/** Whether a message stays until something is done about it. */
export const isStaying = ({ isError = false, waits, stays = isError || waits !== undefined }: Announcement) =>
  stays

/** Those that go by themselves make room first. */
function withinMost(all: readonly ShownAnnouncement[]): readonly ShownAnnouncement[] {
  if (all.length <= MOST) return all
  const leaving = all.slice(0, -1).findIndex((each) => !isStaying(each))
  return withinMost(all.toSpliced(Math.max(leaving, 0), 1))
}

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

/** Tells a person what happened (contract: web.messages). Returns what `dismiss` takes. */
export function announce(announcement: Announcement): number {
  lastKey += 1
  change(withinMost([...shown, { ...announcement, key: lastKey }]))
  return lastKey
}

export const dismiss = (key: number): void => change(shown.filter((each) => each.key !== key))
