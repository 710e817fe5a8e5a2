let keys: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()
const channel = new BroadcastChannel('seen-reminders')

function take(more: readonly string[]): void {
  keys = new Set([...keys, ...more])
  for (const listener of listeners) listener()
}

channel.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => take(data))

/** Due reminders whose message somebody dismissed, in this tab or in another one that is open. */
export const seen = {
  read: (): ReadonlySet<string> => keys,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  add: (more: readonly string[]): void => {
    take(more)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
    channel.postMessage(more)
  },
}
