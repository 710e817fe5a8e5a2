import { fileURLToPath } from 'node:url'
import { applyMigrations } from './db/migrations'

/** `bun run migrate`: brings the database of `DATABASE_DIRECT_URL`, else `DATABASE_URL`, up to date and ends. */
const url = Bun.env.DATABASE_DIRECT_URL || Bun.env.DATABASE_URL
if (url) {
  await applyMigrations(url, fileURLToPath(new URL('../drizzle', import.meta.url)))
  console.info('The database is up to date.')
} else {
  console.error('Set DATABASE_URL to the database to migrate; the embedded one is migrated at every start.')
  process.exitCode = 1
}
