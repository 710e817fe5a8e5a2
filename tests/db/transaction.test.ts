import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { inTransaction } from '../../src/db/transaction'
import { forbidden, OvertakenError, unavailable } from '../../src/lib/errors'
import { freshDatabase } from '../support/database'

test('a transaction that finds itself overtaken runs again, and nothing is left of what it wrote before', async () => {
  await using database = await freshDatabase()
  const { db } = database
  let attempts = 0
  const found = await inTransaction(db, async (tx) => {
    attempts += 1
    // The name is free each time.
    await tx.execute(sql`create table attempt ()`)
    if (attempts < 3) throw new OvertakenError()
    return 'done'
  })
  expect([attempts, found]).toEqual([3, 'done'])
})

test('a transaction that is overtaken three times is unavailable, and every other refusal is given at once', async () => {
  await using database = await freshDatabase()
  for (const [refusal, expected] of [
    [() => new OvertakenError(), 3],
    [() => unavailable('no place'), 1],
    [() => forbidden('No'), 1],
  ] as const) {
    let attempts = 0
    const refused = inTransaction(database.db, async () => {
      attempts += 1
      throw refusal()
    })
    expect(await refused.then(undefined, (error: unknown) => error)).toMatchObject({ kind: refusal().kind })
    expect(attempts).toBe(expected)
  }
})

test('a transaction that waited in vain for a lock runs again', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const lock = sql`select pg_advisory_xact_lock(1)`
  const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = db.transaction(async (tx) => {
    await tx.execute(lock)
    isHeld.resolve()
    await mayEnd.promise
  })
  await isHeld.promise
  let attempts = 0
  await inTransaction(db, async (tx) => {
    attempts += 1
    if (attempts === 2) {
      mayEnd.resolve()
      await holder
    }
    await tx.execute(sql`set local lock_timeout = 1`)
    await tx.execute(lock)
  })
  expect(attempts).toBe(2)
})
