/** What one tab tells the others of the same browser about its session. */
export type TabNews =
  | { readonly is: 'locked' }
  | { readonly is: 'signed-out' }
  /** Somebody signed in, unlocked, or changed who they are: the service knows. */
  | { readonly is: 'changed' }

const channel = new BroadcastChannel('session')

export function tellTabs(is: TabNews['is']): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin, and no such argument
  channel.postMessage({ is } satisfies TabNews)
}

/** Calls the listener with what other tabs tell; a tab does not hear itself. */
export function onTabNews(listener: (news: TabNews) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<TabNews>) => listener(data))
}
