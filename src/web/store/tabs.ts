import type { ChangesPage } from '../../features/overview/changes/model'
import { randomKey } from '../api/random'
import type { Liveness } from './feed'

/** What the leading tab tells the others, and what they ask it. */
export type TabMessage =
  | { readonly is: 'page'; readonly page: ChangesPage }
  | { readonly is: 'state'; readonly liveness: Liveness; readonly asOf: string | undefined }
  | { readonly is: 'reset' }
  | { readonly is: 'hello' }

/**
 * The tabs of one user in one browser: one leads and holds the live stream, the others listen (contract: web.tabs). Without Web
 * Locks, which pages that are not on a secure origin lack, each leads for itself.
 */
export class Tabs {
  readonly id = randomKey()
  readonly #name: string
  readonly #channel: BroadcastChannel
  readonly #closed = new AbortController()

  constructor(userId: number, onMessage: (message: TabMessage) => void) {
    this.#name = `organiser-${userId}`
    this.#channel = new BroadcastChannel(this.#name)
    this.#channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => onMessage(data))
    void this.#hold(`${this.#name}-tab-${this.id}`, this.#closed.signal)
  }

  post(message: TabMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
    this.#channel.postMessage(message)
  }

  /** Calls `lead` once this tab leads, with a signal that ends it. */
  async lead(signal: AbortSignal, lead: () => Promise<void>): Promise<void> {
    await this.#hold(`${this.#name}-lead`, signal, lead)
  }

  /** Runs `task` while no other tab runs one. */
  async alone(task: (isGone: (tab: string) => boolean) => Promise<void>): Promise<void> {
    const locks = lockManager()
    if (!locks) return task((tab) => tab !== this.id)
    await locks.request(`${this.#name}-alone`, async () => {
      const { held = [] } = await locks.query()
      const names = new Set(held.map(({ name }) => name))
      await task((tab) => tab !== this.id && !names.has(`${this.#name}-tab-${tab}`))
    })
  }

  close(): void {
    this.#closed.abort()
    this.#channel.close()
  }

  /** Holds a lock from when it is free until the signal. */
  async #hold(name: string, signal: AbortSignal, begin?: () => Promise<void>): Promise<void> {
    const until = async () => {
      await begin?.()
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    const locks = lockManager()
    try {
      await (locks ? locks.request(name, { signal }, until) : until())
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

const lockManager = (): LockManager | undefined => ('locks' in navigator ? navigator.locks : undefined)
