import { MIGRATIONS } from '../adapters/migrations-folder'
import { applyMigrations } from '../db/migrations'

/** `bun run migrate`: brings the database of `DATABASE_DIRECT_URL`, else `DATABASE_URL`, up to date and ends. */
async function main(): Promise<string | undefined> {
  const url = Bun.env.DATABASE_DIRECT_URL || Bun.env.DATABASE_URL
  if (!url) return 'Set DATABASE_URL to the database to migrate; the embedded one is migrated at every start.'
  try {
    await applyMigrations(url, MIGRATIONS)
  } catch (error) {
    return `Cannot migrate: ${error instanceof Error ? error.message : String(error)}`
  }
  return undefined
}

const problem = await main()
if (problem === undefined) console.info('The database is up to date.')
else {
  console.error(problem)
  process.exitCode = 1
}
