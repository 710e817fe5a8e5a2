import { type call, pathOf } from '../api/call'
import { refusalOf } from '../api/refusal'
import { type Fields, nameOf, type RecordKind, type RecordName } from './kinds'
import type { Records } from './records'

interface DoubtPorts {
  readonly send: typeof call
  readonly later: (milliseconds: number, then: () => void) => void
  readonly records: Records
  /** Whether a command that concerns the record was sent and is not answered. */
  readonly isSending: (name: RecordName) => boolean
}

const AGAIN_MS = 2000

type PathOf = (id: number, parentId: number | null) => string
const PATHS: Partial<Record<RecordKind, PathOf>> = {
  calendar: (id) => pathOf`calendars/${id}`,
  todo_list: (id) => pathOf`todo-lists/${id}`,
  todo: (id) => pathOf`todos/${id}`,
  reminder: (id) => pathOf`reminders/${id}`,
  project: (id) => pathOf`projects/${id}`,
  task: (id, project) => pathOf`projects/${project ?? 0}/tasks/${id}`,
  person: (id) => pathOf`people/${id}`,
  address_book: (id) => pathOf`address-books/${id}`,
  event_template: (id) => pathOf`event-templates/${id}`,
}

/**
 * Deletions that may be older than what is known of their records. A deletion has no version, so where an answer that has the record is
 * on its way, or came before the feed told of it, nobody can tell which of the two came first: the service is asked, and what is known
 * stays until then.
 */
export class Doubts {
  readonly #names = new Map<string, RecordName>()
  readonly #asked = new Set<string>()
  readonly #ports: DoubtPorts

  constructor(ports: DoubtPorts) {
    this.#ports = ports
  }

  /** Whether a deletion that the feed tells is doubtful; `settle` asks what became of the record. */
  note({ kind, id }: RecordName): boolean {
    const name = { kind, id }
    const { records, isSending } = this.#ports
    const isDoubtful = isSending(name) || records.isAhead(name) || this.#asked.has(nameOf(name))
    if (!isDoubtful || !PATHS[kind]) return false
    this.#names.set(nameOf(name), name)
    return true
  }

  /** Asks about the doubtful records of which no answer is on its way. */
  settle(): void {
    for (const [key, name] of this.#names) {
      if (this.#ports.isSending(name) || this.#asked.has(key)) continue
      this.#names.delete(key)
      void this.#ask(name)
    }
  }

  async #ask(name: RecordName): Promise<void> {
    const { records, send } = this.#ports
    const known = records.said(name)
    const path = known && PATHS[name.kind]?.(name.id, known.parentId)
    if (path === undefined) return
    this.#asked.add(nameOf(name))
    try {
      records.answer(name, (await send<Fields>('GET', path)).body, [])
    } catch (error) {
      this.#failed(name, records.said(name) === known, error)
    }
    this.#asked.delete(nameOf(name))
    this.settle()
    records.flush()
  }

  /** A record that changed while the service was asked is doubtful still, as the answer may be older. */
  #failed(name: RecordName, isAsAsked: boolean, error: unknown): void {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    if (refusal.status === 404 && isAsAsked) return this.#ports.records.forget(name)
    this.#names.set(nameOf(name), name)
    if (refusal.status !== 404) this.#ports.later(AGAIN_MS, () => this.settle())
  }
}
