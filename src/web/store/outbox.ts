import { type SentCommand, type Effect, isLocal, lanesOf, withId } from './commands'
import type { Fields, RecordName } from './kinds'
import { Listeners } from './listeners'
import { without } from './merge'
import { concerns, isSame } from './effects'

const MOST_AT_ONCE = 4

/** The commands on their way, in the order in which they were made (contract: web.commands). */
export class Outbox {
  #commands: readonly SentCommand[] = []
  readonly #lanes = new WeakMap<SentCommand, ReadonlySet<string>>()
  readonly #listeners = new Listeners<'commands'>()
  /** Called with each command that is new or changed, and with the id of one that left. */
  onKept: (command: SentCommand) => void = () => {}
  onLeft: (id: string) => void = () => {}

  subscribe = (listener: () => void): (() => void) => this.#listeners.subscribe('commands', listener)

  /** The same array until a command comes, changes or goes. */
  list = (): readonly SentCommand[] => this.#commands
  find = (id: string): SentCommand | undefined => this.#commands.find((command) => command.id === id)

  /** All that the commands do on this device. */
  effects = (): Effect[] => this.#commands.flatMap(({ apply }) => apply)

  add(command: SentCommand): void {
    this.#set([...this.#commands, command])
    this.onKept(command)
  }

  update(id: string, changes: Partial<SentCommand>): SentCommand | undefined {
    const command = this.find(id)
    if (!command) return undefined
    const changed = { ...command, ...changes }
    this.#set(this.#commands.map((each) => (each === command ? changed : each)))
    this.onKept(changed)
    return changed
  }

  /** Takes a command out. */
  remove(id: string): SentCommand | undefined {
    const command = this.find(id)
    if (!command) return undefined
    this.#set(this.#commands.filter((each) => each !== command))
    this.onLeft(id)
    return command
  }

  /** Those that cannot go out without this one, as they need the record that it makes, or undo it. */
  dependents({ id, creates }: SentCommand): SentCommand[] {
    return this.#commands.filter(
      (each) =>
        each.undoes === id || (creates && each.id !== id && this.#lanesOf(each).has(`made:${creates.id}`)),
    )
  }

  /** Whether anything of a record waits or is being sent. */
  holds = (name: RecordName): boolean =>
    this.#commands.some(({ apply }) => apply.some((effect) => concerns(effect, name)))

  /** Whether a command that concerns a record was sent and has no answer yet. */
  isSending = (name: RecordName): boolean =>
    this.#commands.some(({ apply, wasSent }) => wasSent && apply.some((effect) => concerns(effect, name)))

  /** The commands that may go out now: waiting ones that no earlier one holds up. */
  due(): SentCommand[] {
    const taken = new Set<string>()
    const due: SentCommand[] = []
    let sending = 0
    for (const command of this.#commands) {
      const lanes = this.#lanesOf(command)
      const isFree = [...lanes].every((lane) => !taken.has(lane)) && !taken.has(`id:${command.undoes}`)
      if (command.state === 'sending') sending++
      else if (command.state === 'waiting' && isFree) due.push(command)
      for (const lane of lanes) taken.add(lane)
      taken.add(`id:${command.id}`)
    }
    return due.slice(0, Math.max(0, MOST_AT_ONCE - sending))
  }

  /** Puts the service's id in the place of this device's, wherever the commands name it; returns those that do. */
  rename(local: number, id: number): readonly SentCommand[] {
    const before = this.#commands
    this.#set(before.map((command) => this.#renamed(command, local, id)))
    return this.#commands.filter((command, place) => command !== before[place])
  }

  #renamed(command: SentCommand, local: number, id: number): SentCommand {
    if (!this.#lanesOf(command).has(`made:${local}`) && !command.apply.some((effect) => effect.id === local))
      return command
    const renamed = withId(command, local, id)
    this.onKept(renamed)
    return renamed
  }

  /**
   * After a command ended, what later ones of the record started from is not what they saw but what became of it: the fields
   * that it set are now `values`.
   */
  rebase(name: RecordName, set: Fields, values: Fields): void {
    for (const { id, guard, opened } of this.#commands) {
      if (!guard || !opened || guard.kind !== name.kind || guard.id !== name.id || guard.at !== name.at)
        continue
      const before: Fields = { ...opened }
      const mine = Object.keys(set).filter((field) => isSame(before[field], set[field]))
      const changed = Object.fromEntries(mine.map((field) => [field, values[field]]))
      this.update(id, { opened: { ...without(before, mine), ...changed } })
    }
  }

  /** Whether a record that is not known yet may be what a command made whose answer is still to come. */
  mayHaveMade({ kind, id }: RecordName): boolean {
    return this.#commands.some(
      ({ creates, wasSent, after }) => wasSent && creates?.kind === kind && isLocal(creates.id) && id > after,
    )
  }

  #lanesOf(command: SentCommand): ReadonlySet<string> {
    const known = this.#lanes.get(command)
    if (known) return known
    const lanes = lanesOf(command)
    this.#lanes.set(command, lanes)
    return lanes
  }

  #set(commands: readonly SentCommand[]): void {
    this.#commands = commands
    this.#listeners.tell('commands')
  }
}
