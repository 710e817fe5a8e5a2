/** What is wrong, each kind with its first example. */
export interface Finding {
  readonly what: string
  readonly example: string
  count: number
}

/** Words of the inside, which no refusal may say. What others wrote may hold anything. */
export const INTERNALS =
  /\bat [\w.<>]+ \(|node_modules|PostgresError|Failed query|\b(?:select|insert into|update) "/

/** Findings by kind, and how often each kind of request was answered how. */
export class Findings {
  readonly kinds = new Map<string, Finding>()
  readonly statuses = new Map<string, Map<number, number>>()
  readonly #tell: (line: string) => void

  constructor(tell: (line: string) => void) {
    this.#tell = tell
  }

  note(what: string, example: string): void {
    const finding = this.kinds.get(what) ?? { what, example, count: 0 }
    if (++finding.count === 1) this.#tell(`found: ${what}\n    ${example}`)
    this.kinds.set(what, finding)
  }

  count(kind: string, status: number): void {
    const counts = this.statuses.get(kind) ?? new Map<number, number>()
    this.statuses.set(kind, counts.set(status, (counts.get(status) ?? 0) + 1))
  }

  /** What a request threw: one that hangs names itself, of another one it is known `where` it was. */
  noteThrown(error: unknown, where: string): void {
    const [what = ''] = String(error).split('\n')
    const stack = error instanceof Error ? error.stack : undefined
    this.note(what, error instanceof HangingError ? error.example : `${where}\n    ${stack ?? what}`)
  }

  /** What was logged as a failure. */
  noteLogged(failures: readonly string[]): void {
    for (const failure of failures) this.note(`logged: ${failure.slice(0, 60)}`, failure.slice(0, 2000))
  }
}

/** How a run of one kind of fuzz goes. */
export interface Extent {
  readonly seed: number
  /** The most requests. */
  readonly requests: number
  /** Ends the run early. */
  readonly isOver?: () => boolean
  /** Told of what is found at once, and of the number of requests so far. */
  readonly tell?: (line: string) => void
}

export interface Outcome {
  readonly requests: number
  readonly findings: readonly Finding[]
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>
}

/** Longer than any request may take. */
const HANGING_MS = 70_000

/** Of a request that nobody waits for any longer. */
class HangingError extends Error {
  override name = 'HangingError'
  readonly example: string

  constructor(what: string, example: string) {
    super(`${what} hangs`)
    this.example = example
  }
}

/** @throws {HangingError} for what does not end by itself. */
export async function ending<T>(
  work: Promise<T>,
  what: string,
  { example = () => what, waitMs = HANGING_MS }: { example?: () => string; waitMs?: number } = {},
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HangingError(what, example())), waitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
