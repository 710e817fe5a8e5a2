import type { Db } from '../../src/db/client'

/** A statement as it went to the database. */
export interface Statement {
  readonly text: string
  readonly params: unknown[]
  readonly isInTransaction: boolean
}

/** The statements that `db` sends from now until it is disposed of. */
export function observed(db: Db): Statement[] & Disposable {
  const { session } = db._
  const client: Db['$client'] = Reflect.get(session, 'client')
  const log: Statement[] = []
  Reflect.set(session, 'client', spied(client, log))
  return Object.assign(log, { [Symbol.dispose]: () => void Reflect.set(session, 'client', client) })
}

type Unsafe = (text: string, params?: unknown[], options?: unknown) => unknown
type Begin = (work: (tx: object) => unknown) => unknown

/** `client` of postgres.js, or a transaction of it, that writes down what it is given: Drizzle's statements and prepared ones. */
export function spied<T extends object>(client: T, log: Statement[], isInTransaction = false): T {
  return new Proxy(client, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (key === 'unsafe') {
        return (text: string, params: unknown[] = [], options?: unknown) => {
          log.push({ text, params, isInTransaction })
          return (member as Unsafe).call(target, text, params, options)
        }
      }
      if (key !== 'begin') return member
      return (work: (tx: object) => unknown) => (member as Begin)((tx) => work(spied(tx, log, true)))
    },
  })
}
