interface DatabaseFailure {
  /** SQLSTATE, the driver's own code such as `CONNECTION_CLOSED`, or `POOL_EXHAUSTED` of the pool's gate. */
  readonly code: string
  readonly constraint: string | undefined
}

/** What the driver reported, out of whatever Drizzle wrapped around it. Its messages carry values: never log those. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = Reflect.get(at, 'code')
    if (typeof code !== 'string') continue
    const constraint = Reflect.get(at, 'constraint_name')
    return { code, constraint: typeof constraint === 'string' ? constraint : undefined }
  }
  return undefined
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
