import { drizzle } from 'drizzle-orm/postgres-js'
import { systemClock } from '../../src/adapters/clock'
import { connect } from '../../src/db/client'
import * as schema from '../../src/db/schema'
import { startHarness } from '../support/harness'
import { SECRET } from './accounts'

/** A statement as it went to the database. */
interface Statement {
  readonly text: string
  readonly params: unknown[]
  readonly isInTransaction: boolean
}

/** A request, and what the service asks the database to answer it. */
export interface Recorded {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly statements: readonly Statement[]
}

export interface Asked {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  readonly cookie: string
}

type Unsafe = (text: string, params?: unknown[], options?: unknown) => unknown
type Begin = (work: (tx: object) => unknown) => unknown

/** `client`, or a transaction of it, that writes down what it is given. */
function spied<T extends object>(client: T, log: Statement[], isInTransaction = false): T {
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

/** Sends each request once to the app on the database at `url`, and answers what that did. */
export async function record(url: string, asked: readonly Asked[]): Promise<Recorded[]> {
  const log: Statement[] = []
  const { db, close } = connect(url, { pool: 4 })
  const recorded: Recorded[] = []
  {
    await using harness = await startHarness({
      env: { SECRET_KEYS: SECRET },
      deps: {
        db: drizzle(spied(db.$client, log), { schema, casing: 'snake_case' }),
        clock: systemClock,
      },
    })
    for (const { method = 'GET', path, ...sent } of asked) {
      log.length = 0
      const { status } = await harness.request(method, path, sent)
      if (status >= 300) throw new Error(`${method} ${path} answers ${status}`)
      recorded.push({ method, path, statements: [...log] })
    }
  }
  await close()
  return recorded
}
