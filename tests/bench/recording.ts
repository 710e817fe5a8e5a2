import { drizzle } from 'drizzle-orm/postgres-js'
import { systemClock } from '../../src/adapters/clock'
import { connect } from '../../src/db/client'
import * as schema from '../../src/db/schema'
import { startHarness } from '../support/harness'
import { spied, type Statement } from '../support/statements'
import { SECRET } from './accounts'

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
