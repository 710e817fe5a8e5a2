interface DatabaseFailure {
  /** An SQLSTATE, a code of the driver such as `CONNECTION_CLOSED`, or the pool's `POOL_EXHAUSTED`. */
  readonly code: string
  readonly constraint: string | undefined
}

/** SQLSTATEs (five characters) and the codes of the driver, of sockets and of the pool. */
const CODE = /^(?:[0-9A-Z]{5}|POOL_EXHAUSTED|CONNECT(?:ION)?_[A-Z_]+|E[A-Z]{4,})$/

/** Returns the driver's error, which Drizzle may have wrapped. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  for (const link of causes(error)) {
    const code = textOf(link, 'code')
    if (code !== undefined && CODE.test(code)) return { code, constraint: textOf(link, 'constraint_name') }
  }
  return undefined
}

/** What a line of the log may tell of a failure: its message may hold parameters of the query. */
export const briefFailure = (error: unknown) => ({
  error: error instanceof Error ? error.name : 'unknown',
  database_code: databaseFailure(error)?.code,
})

/** The detail beside the message. It may contain a whole row, so it must not be logged. */
export const failureDetail = (error: unknown): string | undefined =>
  causes(error)
    .map((link) => textOf(link, 'detail'))
    .find((detail) => detail !== undefined)

function textOf(link: Error, name: string): string | undefined {
  const value: unknown = Reflect.get(link, name)
  return typeof value === 'string' ? value : undefined
}

/** Whether the error comes from a query: its message then contains parameters, and must not be logged. */
export const isQueryFailure = (error: unknown): boolean =>
  causes(error).some((link) => 'query' in link || 'severity' in link)

/** The error and its causes, outermost first. */
function causes(error: unknown): Error[] {
  const chain: Error[] = []
  for (let at: unknown = error; at instanceof Error; at = at.cause) chain.push(at)
  return chain
}

/** The driver's own message: Drizzle's message contains the whole statement with its parameters. */
export const rootMessage = (error: unknown): string => causes(error).at(-1)?.message ?? String(error)

const UNIQUE_VIOLATION = '23505'

/** Returns the name of the violated unique constraint or index; undefined for other errors. */
export function violatedUnique(error: unknown): string | undefined {
  const failure = databaseFailure(error)
  return failure?.code === UNIQUE_VIOLATION ? failure.constraint : undefined
}

/**
 * Whether the database is at fault, not the request: unreachable, starting, stopping, overloaded or too slow (PostgreSQL
 * appendix A, classes 08, 53, 57, and the lock, serialization and deadlock conditions).
 */
export function isDatabaseTrouble(error: unknown): boolean {
  const code = databaseFailure(error)?.code
  return (
    code !== undefined &&
    /^(?:POOL_EXHAUSTED|CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|08|53|57P0|57014|25006|25P03|55P03|40)/.test(
      code,
    )
  )
}

/** Whether a statement waited for a lock for too long (55P03). */
export const isLockTimeout = (error: unknown): boolean => databaseFailure(error)?.code === '55P03'

/**
 * Whether a transaction failed only because of concurrent changes: a serialisation failure, a deadlock, a referenced row
 * deleted since it was read, or a prepared statement that a migration has changed or the server has forgotten (40001, 40P01,
 * 23503, 0A000, 26000).
 */
export const isRetryable = (error: unknown): boolean =>
  /^(?:40001|40P01|23503|0A000|26000)$/.test(databaseFailure(error)?.code ?? '')
