import type { Sql } from 'postgres'
import type { Connection, Statement } from './connection'
import type { Pool } from './pool'

type Run = <T>(statement: Statement<T>) => Promise<T>

/**
 * A `client` for Drizzle that runs its statements and transactions on `pool`; `client` itself never connects. Every transaction
 * starts with the SQL of `begin`.
 */
export function pooledClient(client: Sql, pool: Pool, begin: string): Sql {
  return replaced(client, {
    unsafe: lazily((statement) => pool.statement(statement)),
    begin: (work: Work) => pool.use((connection) => transaction(client, connection, { begin, work })),
  })
}

const replaced = (client: Sql, members: Readonly<Record<string, unknown>>): Sql =>
  new Proxy(client, { get: (target, key) => Reflect.get(members, key) ?? Reflect.get(target, key) })

/** A statement runs only when Drizzle awaits it or asks for its values. */
const lazily =
  (run: Run) =>
  (...args: Parameters<Sql['unsafe']>) => ({
    values: () => run((client) => client.unsafe(...args).values()),
    // oxlint-disable-next-line unicorn/no-thenable
    then: (resolve: (rows: unknown) => unknown, reject: (error: unknown) => unknown) =>
      run((client) => client.unsafe(...args)).then(resolve, reject),
  })

type Work = (tx: Sql) => PromiseLike<unknown>

async function transaction(
  client: Sql,
  connection: Connection,
  { begin, work }: { readonly begin: string; readonly work: Work },
): Promise<unknown> {
  const statements = inTurn(connection)
  let done: unknown
  try {
    await connection.run((driver) => driver.unsafe(begin))
    done = await work(inTransaction(client, statements.run))
    await statements.end()
  } catch (error) {
    await statements.end()
    await connection
      .run((driver) => driver.unsafe('rollback'))
      .catch(() => connection.lose('the transaction could not be rolled back'))
    throw error
  }
  const { command } = await connection.run((driver) => driver.unsafe('commit'))
  // After a failed statement, PostgreSQL answers COMMIT with ROLLBACK.
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
  return done
}

/** A `client` for Drizzle within a transaction and within nested ones. */
function inTransaction(client: Sql, run: Run): Sql {
  const send = (text: string) => run((driver) => driver.unsafe(text))
  const tx = replaced(client, {
    unsafe: lazily(run),
    savepoint: async (work: Work) => {
      await send('savepoint nested')
      try {
        const done = await work(tx)
        await send('release savepoint nested')
        return done
      } catch (error) {
        await send('rollback to savepoint nested; release savepoint nested')
        throw error
      }
    },
  })
  return tx
}

/**
 * Runs the statements of a transaction one after the other, and none after its end, when the connection may have another holder.
 */
function inTurn(connection: Connection) {
  let last: Promise<unknown> = Promise.resolve()
  let hasEnded = false
  const run: Run = (statement) => {
    if (hasEnded) return Promise.reject(new Error('the transaction has ended'))
    const next = last.then(() => connection.run(statement))
    last = next.catch(() => {})
    return next
  }
  const end = () => {
    hasEnded = true
    return last
  }
  return { run, end }
}
