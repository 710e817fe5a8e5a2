interface DatabaseFailure {
  /** SQLSTATE, the driver's own code such as `CONNECTION_CLOSED`, or `POOL_EXHAUSTED` of the pool. */
  readonly code: string
  readonly constraint: string | undefined
}

/** SQLSTATEs (five characters) and the codes of the driver, its sockets and the pool. */
const CODE = /^(?:[0-9A-Z]{5}|POOL_EXHAUSTED|CONNECT(?:ION)?_[A-Z_]+|E[A-Z]{4,})$/

/** What the driver reported, out of whatever Drizzle wrapped around it. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  for (const link of causes(error)) {
    const code = textOf(link, 'code')
    if (code !== undefined && CODE.test(code)) return { code, constraint: textOf(link, 'constraint_name') }
  }
  return undefined
}

/** What the database says beside its message. It may hold a whole row: not for logs. */
export const failureDetail = (error: unknown): string | undefined =>
  causes(error)
    .map((link) => textOf(link, 'detail'))
    .find((detail) => detail !== undefined)

function textOf(link: Error, name: string): string | undefined {
  const value: unknown = Reflect.get(link, name)
  return typeof value === 'string' ? value : undefined
}

/** Whether a query is to blame: the message of such an error carries parameters, and must not reach a log. */
export const isQueryFailure = (error: unknown): boolean =>
  causes(error).some((link) => 'query' in link || 'severity' in link)

/** The error and what caused it, outermost first. */
function causes(error: unknown): Error[] {
  const chain: Error[] = []
  for (let at: unknown = error; at instanceof Error; at = at.cause) chain.push(at)
  return chain
}

const UNIQUE_VIOLATION = '23505'

/** The name of the unique constraint or index that a write ran into, if that is what happened. */
export function violatedUnique(error: unknown): string | undefined {
  const failure = databaseFailure(error)
  return failure?.code === UNIQUE_VIOLATION ? failure.constraint : undefined
}

/**
 * Whether the database, not the request, is the trouble: away, starting, stopping, overloaded or too slow
 * (PostgreSQL appendix A, classes 08, 53, 57, and the lock, serialization and deadlock conditions).
 */
export function isDatabaseTrouble(error: unknown): boolean {
  const code = databaseFailure(error)?.code
  return (
    code !== undefined &&
    /^(?:POOL_EXHAUSTED|CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|08|53|57P0|57014|25P03|55P03|40)/.test(
      code,
    )
  )
}

/**
 * Whether a transaction failed only because of others that ran at the same time: a conflict, a deadlock, a row that it had read
 * is deleted by the time that it refers to it, or a statement that it had prepared is another one after a migration, or forgotten
 * (40001, 40P01, 23503, 0A000, 26000).
 */
export const isRetryable = (error: unknown): boolean =>
  /^(?:40001|40P01|23503|0A000|26000)$/.test(databaseFailure(error)?.code ?? '')
