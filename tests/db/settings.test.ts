import { sql } from 'drizzle-orm'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from '../../src/db/client'
import { freshDatabaseUrl } from '../support/database'

setDefaultTimeout(30_000)

const jitOf = async (db: Pick<ReturnType<typeof connect>['db'], 'execute'>) =>
  (await db.execute<{ jit: string }>(sql`select current_setting('jit') as jit`))[0]?.jit

test('no statement of a request is compiled, and none of a transaction behind a pooler', async () => {
  await using database = await freshDatabaseUrl()
  for (const sessionTimeouts of [true, false]) {
    const { db, close } = connect(database.url, { pool: 1, sessionTimeouts })
    expect(await db.transaction(jitOf)).toBe('off')
    if (sessionTimeouts) expect(await jitOf(db)).toBe('off')
    await close()
  }
})
