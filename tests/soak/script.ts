import type { Line } from './calls'
import type { RunningTime } from './clock'

/** A reminder of which a message is to come. */
export interface Planned {
  readonly title: string
  readonly at: number
}

/** A program with a token that plans reminders, adds todos once however often it asks, and polls the changes. */
export class Script {
  readonly plan: Planned[] = []
  /** Ids of todos by their keys. */
  readonly #todos = new Map<string, number>()
  readonly #line: Line
  readonly #time: RunningTime
  #next: string | undefined
  #count = 0

  constructor(line: Line, time: RunningTime) {
    this.#line = line
    this.#time = time
  }

  async step(): Promise<void> {
    await this.#remind()
    if (this.#count % 3 === 0) await this.#add()
    await this.#poll()
  }

  async #remind(): Promise<void> {
    const number = ++this.#count
    const at = Math.ceil(this.#time.now().getTime() / 1000) * 1000 + (2 + (number % 25)) * 60_000
    const title = `push ${number}`
    const { status, text } = await this.#line.sure('POST', '/api/reminders', {
      body: { title, remind_at: new Date(at).toISOString() },
      headers: { 'idempotency-key': `reminder-${number}` },
    })
    if (status === 201) this.plan.push({ title, at })
    else this.#line.records.problem(`POST /api/reminders answers ${status}: ${text}`)
  }

  /** Twice: the second is the first. */
  async #add(): Promise<void> {
    const key = `todo-${this.#count}`
    for (let n = 0; n < 2; n++) {
      const { status, body, text } = await this.#line.sure('POST', '/api/todos', {
        body: { title: `script ${this.#count}` },
        headers: { 'idempotency-key': key },
      })
      const known = this.#todos.get(key) ?? body?.id
      if (status !== 201 || body.id !== known)
        return this.#line.records.problem(`a todo with a key answers ${status}: ${text}`)
      this.#todos.set(key, body.id)
    }
  }

  async #poll(): Promise<void> {
    const query = this.#next === undefined ? '?since=now' : `?since=${encodeURIComponent(this.#next)}`
    const { status, body, text } = await this.#line.sure('GET', `/api/changes${query}`)
    if (status === 200) this.#next = body.next
    else this.#line.records.problem(`GET /api/changes answers ${status}: ${text}`)
  }

  /** Every todo is there once. */
  async verify(): Promise<void> {
    const titles = new Map<string, number>()
    for (let cursor = ''; ;) {
      const { body } = await this.#line.sure('GET', `/api/todos?limit=200${cursor}`)
      for (const { title } of body.todos as ReadonlyArray<{ title: string }>)
        titles.set(title, (titles.get(title) ?? 0) + 1)
      if (typeof body.next_cursor !== 'string') break
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
    }
    for (const key of this.#todos.keys()) {
      const count = titles.get(`script ${key.replace('todo-', '')}`)
      if (count !== 1) this.#line.records.problem(`${key} is there ${count ?? 0} times`)
    }
  }
}
