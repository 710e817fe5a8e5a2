import type { Line } from './calls'
import type { Member } from './household'

/** What a record that only one program writes is to say; null once it is deleted. */
type Expected = Readonly<Record<string, unknown>> | null

interface Kept {
  expected: Expected
  version: number
}

/** An own change that can still be undone: what the record was before, and is after it. */
interface Done {
  readonly path: string
  readonly operationId: string
  readonly before: Expected
}

interface Result {
  readonly key: string
  readonly status: number
  readonly body: { readonly id: number; readonly version: number } | null
}

const MOST_RECORDS = 200

const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(Math.random() * from.length)]

/**
 * The web client's traffic: changes in batches with a place in the journal, single ones with If-Match, a field that is saved again
 * and again while somebody types, deleting, undo and redo. Every change has a key and is repeated until its outcome is known.
 */
export class Browser {
  readonly records = new Map<string, Kept>()
  readonly #member: Member
  readonly #line: Line
  readonly #name: string
  #count = 0
  #done: Done[] = []

  constructor(member: Member, line: Line, name: string) {
    this.#member = member
    this.#line = line
    this.#name = name
  }

  get changes(): number {
    return this.#count
  }

  /** As many records as a household has: what is beyond them goes again, so that what the service holds is flat, too. */
  async step(): Promise<void> {
    if (this.#live().length > MOST_RECORDS) return this.#delete()
    const acts = [
      () => this.#batch(),
      () => this.#change(),
      () => this.#change(),
      () => this.#type(),
      () => this.#delete(),
      () => this.#undo(),
      () => this.#look(),
    ]
    await pick(acts)?.()
  }

  #key(): string {
    return `${this.#name}-${++this.#count}`
  }

  #live(): Array<readonly [string, Kept]> {
    return [...this.records].filter(([, { expected }]) => expected !== null)
  }

  #todo(text: string) {
    return { title: `${this.#name} ${text} ${this.#count}`, completed: false }
  }

  /** A todo that is changed in the same batch, an event and a project with a task. */
  async #batch(): Promise<void> {
    const todo = this.#todo('made')
    const changed = { title: `${todo.title}, changed` }
    const start = `2026-04-0${1 + (this.#count % 9)}T09:00`
    const event = {
      title: `${this.#name} event ${this.#count}`,
      calendar_id: this.#member.calendarId,
      start_at: start,
      end_at: start.replace('09:00', '10:00'),
      ...(this.#count % 5 === 0 && { recurrence_rule: 'FREQ=DAILY;COUNT=5' }),
    }
    const commands = [
      { method: 'POST', path: '/api/todos', body: { title: todo.title }, as: 'todo' },
      { method: 'PUT', path: '/api/todos/{ref:todo}', body: changed },
      { method: 'POST', path: '/api/events', body: event },
    ].map((command) => ({ ...command, key: this.#key() }))
    const results = await this.#ran(commands)
    const [made, renamed, planned] = results
    if (!made?.body || !renamed?.body || !planned?.body || isRefused(results))
      return this.#line.records.problem(
        `a batch of ${this.#name} answers ${JSON.stringify(results).slice(0, 800)}`,
      )
    this.#keep(`/api/todos/${made.body.id}`, { ...todo, ...changed }, renamed.body.version)
    const { title } = event
    this.#keep(`/api/events/${planned.body.id}`, { title }, planned.body.version)
  }

  /** The same commands again until none of them was left over. */
  async #ran(commands: ReadonlyArray<Readonly<Record<string, unknown>>>): Promise<readonly Result[]> {
    for (let tries = 0; ; tries++) {
      const { body } = await this.#line.sure('POST', '/api/batch', { body: { commands, since: 'now' } })
      const { results } = body as { results: readonly Result[] }
      const isOver = results.every(
        ({ status }) => status < 500 && status !== 425 && status !== 424 && status !== 429,
      )
      if (isOver || tries > 100) return results
      await Bun.sleep(250)
    }
  }

  #keep(path: string, expected: Expected, version = 1): void {
    this.records.set(path, { expected, version })
  }

  async #change(): Promise<void> {
    const [path, kept] = pick(this.#live()) ?? []
    if (path === undefined || !kept) return
    const isTodo = path.startsWith('/api/todos')
    const title = `${this.#name} changed ${this.#count}`
    const fields =
      isTodo && Math.random() < 0.3 ? { completed: kept.expected?.['completed'] !== true } : { title }
    await this.#put(path, kept, fields)
  }

  async #put(path: string, kept: Kept, fields: Readonly<Record<string, unknown>>): Promise<void> {
    const { status, headers, body, text } = await this.#line.sure('PUT', path, {
      body: fields,
      headers: { 'idempotency-key': this.#key(), 'if-match': `"${kept.version}"` },
    })
    if (status !== 200)
      return this.#line.records.problem(`PUT ${path} at ${kept.version} answers ${status}: ${text}`)
    this.#remember(path, headers, kept.expected)
    // A repeated request is answered with the record as it is now, which nobody else changes.
    this.#keep(path, { ...kept.expected, ...fields }, body.version)
  }

  #remember(path: string, headers: Headers, before: Expected): void {
    const operationId = headers.get('x-operation-id')
    if (operationId === null) return
    this.#done = [...this.#done.filter((one) => one.path !== path), { path, operationId, before }].slice(-10)
  }

  /** What is typed is saved each moment. */
  async #type(): Promise<void> {
    const [path] = pick(this.#live()) ?? []
    if (path === undefined) return
    for (let letters = 1; letters <= 4; letters++) {
      const kept = this.records.get(path)
      if (kept?.expected) await this.#put(path, kept, { title: `${this.#name} ${'typed'.slice(0, letters)}` })
    }
  }

  async #delete(): Promise<void> {
    const live = this.#live()
    const [path, kept] = live.length > 8 ? (pick(live) ?? []) : []
    if (path === undefined || !kept) return
    const { status, headers, text } = await this.#line.sure('DELETE', path, {
      headers: { 'idempotency-key': this.#key() },
    })
    if (status !== 204) return this.#line.records.problem(`DELETE ${path} answers ${status}: ${text}`)
    this.#remember(path, headers, kept.expected)
    this.#keep(path, null)
  }

  /** Undoes an own change, or an undo. */
  async #undo(): Promise<void> {
    const done = pick(this.#done)
    if (!done) return
    const kept = this.records.get(done.path)
    const { status, body, text } = await this.#line.sure('POST', `/api/operations/${done.operationId}/undo`, {
      headers: { 'idempotency-key': this.#key() },
    })
    this.#done = this.#done.filter((one) => one !== done)
    if (status !== 200 || !kept)
      return this.#line.records.problem(`undoing ${done.path} answers ${status}: ${text.slice(0, 300)}`)
    const now = await this.#line.sure('GET', done.path)
    const operationId = String((body as { operation_id: unknown }).operation_id)
    this.#done = [...this.#done, { path: done.path, operationId, before: kept.expected }]
    this.#keep(done.path, done.before, now.body?.version)
  }

  async #look(): Promise<void> {
    for (const path of [
      '/api/dashboard',
      '/api/events?from=2026-03-25&to=2026-04-10',
      '/api/todos',
      '/api/notifications',
    ]) {
      const { status } = await this.#line.sure('GET', path)
      if (status !== 200) this.#line.records.problem(`GET ${path} answers ${status}`)
    }
  }

  /** Whether the service has what was acknowledged. */
  async verify(): Promise<void> {
    for (const [path, { expected }] of this.records) {
      const { status, body } = await this.#line.sure('GET', path)
      if (expected === null ? status === 404 : status === 200 && agrees(expected, body)) continue
      this.#line.records.problem(
        `${path} is ${status} ${JSON.stringify(body).slice(0, 300)} and not ${JSON.stringify(expected)}`,
      )
    }
  }
}

const isRefused = (results: readonly Result[]) => results.some(({ status }) => status >= 300)

const agrees = (expected: NonNullable<Expected>, body: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(expected).every(([name, value]) => body[name] === value)
