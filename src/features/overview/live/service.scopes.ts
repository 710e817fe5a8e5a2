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
  /** The last numbers that watched scopes were noticed with. */
  readonly #seen = new Map<string, number>()
  #horizon: string | undefined
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
    const { horizon, moved } = await q.movedSince(this.#db, this.#horizon)
    this.#horizon = horizon
    for (const { scope, seq } of moved) {
      const watchers = this.#watchers.get(scope)
      if (!watchers || this.#seen.get(scope) === seq) continue
      this.#seen.set(scope, seq)
      for (const watcher of watchers) watcher.wake()
    }
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
    if (watchers?.size !== 0) return
    this.#watchers.delete(scope)
    this.#seen.delete(scope)
  }
}
