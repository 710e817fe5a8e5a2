import type { Instance, Servers, Trouble } from './servers'

/** What the people's programs send, and how it was answered. */

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, or a text as it is. */
  readonly body?: unknown
}

/** The time after which a request that got no answer at all is a finding, and its deadline. */
const [PATIENCE_MS, DEADLINE_MS] = [180_000, 75_000]
const RETRY_MS = 250

/** Statuses, and what nobody should meet. */
export class Records {
  readonly #tell: (line: string) => void
  readonly statuses = new Map<number, number>()
  readonly problems: string[] = []
  /** Requests whose outcome is not known, as their connection broke. */
  broken = 0
  longestMs = 0

  constructor(tell: (line: string) => void) {
    this.#tell = tell
  }

  count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }

  problem(what: string): void {
    if (this.problems.length < 200) this.problems.push(what)
    this.#tell(`PROBLEM ${what.slice(0, 3000)}`)
  }
}

/** Sends requests to both instances, to one until it fails. */
export class Line {
  readonly records: Records
  readonly #instances: readonly Instance[]
  readonly #trouble: Trouble
  readonly #headers: Readonly<Record<string, string>>
  #at: number

  constructor(
    { flaky, steady, trouble }: Servers,
    records: Records,
    headers: Readonly<Record<string, string>>,
  ) {
    this.records = records
    this.#instances = [flaky, steady]
    this.#trouble = trouble
    this.#headers = headers
    this.#at = Math.random() < 0.5 ? 0 : 1
  }

  get #instance(): Instance {
    const instance = this.#instances[this.#at % 2]
    if (!instance) throw new Error('there is no instance')
    return instance
  }

  get url(): string {
    return this.#instance.url
  }

  /** Whether the instance that it asks now may fail from now on. */
  watch(): () => boolean {
    const [instances, since] = [[this.#instance], Date.now()]
    return () => this.#trouble.isOf(instances, since)
  }

  /** The answer, undefined where none came. */
  async send(method: string, path: string, sent: Sent = {}): Promise<Answer | undefined> {
    const mayFail = this.watch()
    const started = performance.now()
    try {
      const answer = await this.#exchange(method, path, sent)
      this.#judge(`${method} ${path}`, answer, mayFail())
      return answer
    } catch (error) {
      this.records.broken++
      if (!mayFail()) this.records.problem(`${method} ${path} breaks: ${String(error)}`)
      this.#at++
      return undefined
    } finally {
      this.records.longestMs = Math.max(this.records.longestMs, performance.now() - started)
    }
  }

  async #exchange(method: string, path: string, { headers, body }: Sent): Promise<Answer> {
    const isJson = body !== undefined && typeof body !== 'string'
    const response = await fetch(this.url + path, {
      method,
      headers: { ...this.#headers, ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    const text = await response.text()
    const isParsed = response.headers.get('content-type')?.startsWith('application/json') === true
    const parsed: unknown = isParsed && text !== '' ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, body: parsed }
  }

  #judge(what: string, { status, text }: Answer, mayFail: boolean): void {
    this.records.count(status)
    if (status < 500) return
    this.#at++
    if (!mayFail) this.records.problem(`${what} answers ${status}: ${text.slice(0, 300)}`)
  }

  /** Repeats a request that may be repeated until the service says what became of it. */
  async sure(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const answer = await this.send(method, path, sent)
      if (answer && isSettled(answer)) return answer
      if (Date.now() > deadline) throw new Error(`${method} ${path} is never answered: ${answer?.status}`)
      await Bun.sleep(RETRY_MS)
    }
  }
}

const isSettled = ({ status, body }: Answer): boolean =>
  status < 500 && status !== 429 && body?.code !== 'idempotency_in_progress'
