/**
 * Stands in for `bun:test` in the test files that a worker loads: it only collects what they declare, so that one process can run
 * any of their tests as often as there are mutants. `expect` and the spies are Bun's own.
 */
export { expect, mock, setSystemTime, spyOn } from 'bun:test'

type Body = () => unknown
interface Hooks {
  readonly beforeAll: Body[]
  readonly beforeEach: Body[]
  readonly afterEach: Body[]
  readonly afterAll: Body[]
}
interface Block extends Hooks {
  readonly kind: 'block'
  readonly title: string
  readonly entries: Array<Block | Test>
}
interface Test {
  readonly kind: 'test'
  readonly title: string
  readonly body: Body
}
type Declared = Block | Test

const newBlock = (title: string): Block => ({
  kind: 'block',
  title,
  entries: [],
  beforeAll: [],
  beforeEach: [],
  afterEach: [],
  afterAll: [],
})

let current = newBlock('')

const filled = (title: string, row: readonly unknown[], index: number) => {
  const values = row.map((value) => (typeof value === 'string' ? value : Bun.inspect(value)))
  return `${title.replaceAll(/%[sdifjop]/g, () => values.shift() ?? '')} (${index + 1})`
}

/** `describe` or `test`, with what Bun offers on it. */
function declaring(declare: (title: string, body: Body) => void) {
  const skip = () => {}
  const each =
    (rows: readonly unknown[]) =>
    (title: string, body: (...row: unknown[]) => unknown): void => {
      for (const [index, value] of rows.entries()) {
        const row = Array.isArray(value) ? value : [value]
        declare(filled(title, row, index), () => body(...row))
      }
    }
  return Object.assign((title: string, body: Body) => declare(title, body), {
    each,
    skip,
    skipIf: (isSkipped: boolean) => (isSkipped ? Object.assign(skip, { each: () => skip }) : test),
  })
}

export const test = declaring((title, body) => void current.entries.push({ kind: 'test', title, body }))
export const describe = declaring((title, body) => {
  const outer = current
  const inner = newBlock(title)
  outer.entries.push(inner)
  current = inner
  try {
    body()
  } finally {
    current = outer
  }
})
export const beforeAll = (body: Body) => void current.beforeAll.push(body)
export const beforeEach = (body: Body) => void current.beforeEach.push(body)
export const afterEach = (body: Body) => void current.afterEach.push(body)
export const afterAll = (body: Body) => void current.afterAll.push(body)
export const setDefaultTimeout = () => {}

export interface Suite {
  /** The titles of the tests, in order; a test is known by its place among them. */
  readonly titles: readonly string[]
  /** Runs these tests, with the hooks around them, up to the first that fails or all of them. */
  readonly run: (chosen: ReadonlySet<number>, run: Running) => Promise<readonly Failure[]>
}
export interface Running {
  readonly until: 'the first failure' | 'the end'
  /** Hears of each test that begins, and of its end. */
  readonly begun: (test: number) => void
  readonly ended?: (test: number) => void
}
export interface Failure {
  readonly test: number
  readonly message: string
}

/** What a file declares while it loads. */
export async function collect(load: () => Promise<unknown>): Promise<Suite> {
  const root = (current = newBlock(''))
  await load()
  const tests = testsIn(root)
  return {
    titles: tests.map(({ title }) => title),
    run: (chosen, running) => new Run(tests, chosen, running).all(root),
  }
}

const testsIn = (block: Block): Test[] =>
  block.entries.flatMap((entry) => (entry.kind === 'test' ? [entry] : testsIn(entry)))

/** Errors that nothing waited for; Bun's own runner takes them for failures, too. */
const strays: unknown[] = []
export const noteStray = (error: unknown) => void strays.push(error)

class Run {
  readonly #tests: readonly Test[]
  readonly #running: Running
  readonly #chosen: ReadonlySet<Test>
  readonly #failures: Failure[] = []
  #last: number

  constructor(tests: readonly Test[], chosen: ReadonlySet<number>, running: Running) {
    this.#tests = tests
    this.#running = running
    this.#chosen = new Set([...chosen].flatMap((index) => tests[index] ?? []))
    this.#last = Math.min(...chosen)
  }

  async all(root: Block): Promise<readonly Failure[]> {
    strays.length = 0
    await this.#block(root, [])
    return this.#failures
  }

  get #isOver(): boolean {
    return this.#failures.length > 0 && this.#running.until === 'the first failure'
  }

  async #block(block: Block, outer: readonly Block[]): Promise<void> {
    if (!testsIn(block).some((one) => this.#chosen.has(one))) return
    const around = [...outer, block]
    if (await this.#each(block.beforeAll)) for (const entry of block.entries) await this.#entry(entry, around)
    await this.#each(block.afterAll.toReversed(), 'all')
  }

  async #entry(entry: Declared, around: readonly Block[]): Promise<void> {
    if (this.#isOver) return
    if (entry.kind === 'block') return this.#block(entry, around)
    if (!this.#chosen.has(entry)) return
    this.#last = this.#tests.indexOf(entry)
    this.#running.begun(this.#last)
    await this.#each([...around.flatMap((one) => one.beforeEach), entry.body])
    await this.#each(
      around.toReversed().flatMap((one) => one.afterEach.toReversed()),
      'all',
    )
    this.#running.ended?.(this.#last)
  }

  /** One after the other, up to the first that fails; what tidies up is always called. Returns whether all went well. */
  async #each(
    bodies: readonly Body[],
    which: 'up to a failure' | 'all' = 'up to a failure',
  ): Promise<boolean> {
    const before = this.#failures.length
    for (const body of bodies) {
      try {
        await body()
        if (strays.length > 0) throw strays.shift()
      } catch (error) {
        this.#failures.push({ test: this.#last, message: String(error) })
        if (which === 'up to a failure') break
      }
    }
    return this.#failures.length === before
  }
}
