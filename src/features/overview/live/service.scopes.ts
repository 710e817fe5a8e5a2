import type { Db } from '../../../db/client'
import * as q from './queries'

/** Something that is woken when one of its scopes moves. */
export interface Watcher {
  wake(): void
}

/** Notices which scopes move, by one query for all watchers of this instance. */
export class Scopes {
  readonly #db: Db
  readonly #watchers = new Map<string, Set<Watcher>>()
  readonly #watched = new WeakMap<Watcher, readonly string[]>()
  /** When the journal was last looked at. */
  #horizon: q.Horizon | undefined
  /** Whether that look succeeded. */
  #isSure = true
  #preparing: Promise<void> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Resolves once every later commit will be noticed. */
  async prepare(): Promise<void> {
    if (this.#horizon !== undefined) return
    this.#preparing ??= this.wakeMoved().finally(() => (this.#preparing = undefined))
    await this.#preparing
  }

  /** Forgets how far the journal was read: call it when nobody is left to be woken, nor about to watch. */
  rest(): void {
    this.#horizon = undefined
  }

  /** Wakes whoever watches a scope that has moved since the last look. */
  async wakeMoved(): Promise<void> {
    const isSure = this.#isSure
    this.#isSure = false
    const { horizon, moved } = await q.movedSince(this.#db, this.#horizon, isSure)
    this.#horizon = horizon
    this.#isSure = true
    for (const scope of moved) for (const watcher of this.#watchers.get(scope) ?? []) watcher.wake()
  }

  /**
   * From now on, the watcher watches these scopes and no others. Returns whether it watched all of them before; if not, it has to
   * read once more, as they may have moved between its last reading and now.
   */
  watch(watcher: Watcher, scopes: readonly string[]): boolean {
    const before = this.#watched.get(watcher) ?? []
    this.#watched.set(watcher, scopes)
    for (const scope of before) if (!scopes.includes(scope)) this.#remove(watcher, scope)
    for (const scope of scopes) {
      const watchers = this.#watchers.get(scope)
      if (watchers) watchers.add(watcher)
      else this.#watchers.set(scope, new Set([watcher]))
    }
    return scopes.every((scope) => before.includes(scope))
  }

  unwatch(watcher: Watcher): void {
    for (const scope of this.#watched.get(watcher) ?? []) this.#remove(watcher, scope)
    this.#watched.delete(watcher)
  }

  #remove(watcher: Watcher, scope: string): void {
    const watchers = this.#watchers.get(scope)
    watchers?.delete(watcher)
    if (watchers?.size === 0) this.#watchers.delete(scope)
  }
}
