import { type SentCommand, type Intent, withId } from './commands'

const MOST = 20

/** The commands that can still be undone, latest last (contract: web.undo). */
export class UndoStack {
  #commands: SentCommand[] = []
  /** By the id of the command; empty until it is confirmed. */
  readonly #operations = new Map<string, string>()

  push(command: SentCommand): void {
    this.#commands = [...this.#commands, command].slice(-MOST)
  }

  /** Takes out the given command or the last one. */
  take(id = this.#commands.at(-1)?.id): SentCommand | undefined {
    const command = this.#commands.find((each) => each.id === id)
    this.#commands = this.#commands.filter((each) => each !== command)
    return command
  }

  confirm(id: string, operationId: string): void {
    this.#operations.set(id, operationId)
  }

  rename(local: number, id: number): void {
    this.#commands = this.#commands.map((command) => withId(command, local, id))
  }

  /** The request that undoes a command, and what it does on this device. */
  undoing({ id, said, inverse }: SentCommand): Intent & { undoes: string } {
    const operation = this.#operations.get(id)
    return {
      said,
      apply: inverse,
      request: { method: 'POST', path: operation === undefined ? '' : undoPath(operation) },
      canUndo: false,
      undoes: id,
    }
  }
}

export const undoPath = (operation: string): string => `operations/${operation}/undo`
