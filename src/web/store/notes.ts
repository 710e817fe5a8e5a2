import type { Refusal } from '../api/refusal'
import type { SentCommand } from './commands'
import { Listeners } from './listeners'
import type { Clash } from './merge'

/** What became of a command. */
export type CommandOutcome =
  | { readonly is: 'confirmed'; readonly body: unknown }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** Undone before it was sent. */
  | { readonly is: 'withdrawn' }

/** Something to tell the person about a command. */
export type Notice =
  | {
      readonly is: 'refused' | 'not-undone'
      readonly said: string
      readonly refusal: Refusal
      /** Where the command was made. */
      readonly from?: string | undefined
    }
  | { readonly is: 'merged' | 'undone'; readonly said: string }

/** A change that met another one: a person decides, field by field. */
export interface Conflict {
  readonly command: SentCommand
  readonly clashes: readonly Clash[]
}

/** What the store has to say to people: conflicts that wait, notices that pass. */
export class Notes {
  #conflicts: readonly Conflict[] = []
  readonly #listeners = new Listeners<'conflicts'>()
  readonly #noticed = new Set<(notice: Notice) => void>()

  conflicts = (): readonly Conflict[] => this.#conflicts
  subscribe = (listener: () => void): (() => void) => this.#listeners.subscribe('conflicts', listener)

  add(conflict: Conflict): void {
    this.#conflicts = [...this.#conflicts, conflict]
    this.#listeners.tell('conflicts')
  }

  /** The conflict of a command is over. */
  drop(id: string): void {
    if (!this.#conflicts.some(({ command }) => command.id === id)) return
    this.#conflicts = this.#conflicts.filter(({ command }) => command.id !== id)
    this.#listeners.tell('conflicts')
  }

  onNotice = (listener: (notice: Notice) => void): (() => void) => {
    this.#noticed.add(listener)
    return () => this.#noticed.delete(listener)
  }

  notice(notice: Notice): void {
    for (const listener of this.#noticed) listener(notice)
  }
}
