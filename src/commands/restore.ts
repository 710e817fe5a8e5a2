import { resolve } from 'node:path'
import { type Backup, readRows, verifyBackup } from '../adapters/backup-file'
import { openDatabase } from '../adapters/database-source'
import { firstMigrations, knownMigrations, MIGRATIONS } from '../adapters/migrations-folder'
import { findSecretKey, placeSecretKey, removeSecretKey } from '../adapters/secret-keys'
import { interruption, readConfig, reportFailure } from './command'
import type { Config } from '../config'
import { load, refuseUsed } from '../db/load'
import { applyMigrations } from '../db/migrations'
import { refusalOfLevel } from '../lib/backup'

const HELP = `Usage: bun run restore <file>

Puts what bun run backup has saved into the database that the service uses, given the same environment. It must be empty, and no
service may have run on it: nothing is replaced. All of it is restored, or nothing.`

const MISSING_KEY =
  'The backup holds the key of an embedded service, without which second factors and push tokens cannot be read: name it in SECRET_KEYS as embedded:<secret_key from the first line of the unzipped file>.'

/** Returns the key of the backup if it must be stored, undefined if not. @throws {Error} when another key is in its place. */
async function keyToPlace({ secretKeys, database }: Config, { header }: Backup): Promise<string | undefined> {
  const key = header.secret_key
  if (key === null) return undefined
  const isNamed = secretKeys.some(({ id, secret }) => id === 'embedded' && secret === key)
  if (isNamed) return undefined
  if (database.url !== undefined || secretKeys.length > 0) throw new Error(MISSING_KEY)
  const dataDir = resolve(database.dataDir)
  const kept = await findSecretKey(dataDir)
  if (kept === undefined) return key
  if (kept !== key)
    throw new Error(
      `The key in ${dataDir} is not that of the backup: restore into a DATA_DIR of its own, or move the key away.`,
    )
  return undefined
}

/** Passes the rows through until a signal comes; then it throws, so that the transaction of the reader is rolled back. */
async function* unlessInterrupted(signal: AbortSignal, tables: AsyncIterable<AsyncIterable<Uint8Array>>) {
  for await (const rows of tables) yield piecesUntil(signal, rows)
}

async function* piecesUntil(signal: AbortSignal, pieces: AsyncIterable<Uint8Array>) {
  for await (const piece of pieces) {
    signal.throwIfAborted()
    yield piece
  }
}

async function restore(path: string): Promise<void> {
  const config = readConfig()
  const interrupted = interruption('The restore was interrupted: nothing was restored.')
  const backup = await verifyBackup(path)
  const { migrations, tables } = backup.header
  const refusal = refusalOfLevel(migrations, knownMigrations(MIGRATIONS))
  if (refusal !== undefined) throw new Error(refusal)
  const key = await keyToPlace(config, backup)
  await using resources = new AsyncDisposableStack()
  const database = await openDatabase(config.database, (line) => console.info(line))
  resources.defer(() => database.stop())
  const { directUrl } = database
  await refuseUsed(directUrl, migrations)
  await using level = await firstMigrations(MIGRATIONS, migrations.length)
  await applyMigrations(directUrl, level.path)
  interrupted.throwIfAborted()
  const dataDir = resolve(config.database.dataDir)
  if (key !== undefined) await placeSecretKey(dataDir, key)
  const { sequences } = backup.trailer
  const rows = unlessInterrupted(interrupted, readRows(path, backup))
  await load(directUrl, { tables, sequences, rows }).catch(async (error: unknown) => {
    if (key !== undefined) await removeSecretKey(dataDir)
    throw interrupted.aborted ? interrupted.reason : error
  })
  await applyMigrations(directUrl, MIGRATIONS)
  const restored = backup.trailer.rows.reduce((sum, count) => sum + count, 0)
  console.info(`Restored ${restored} rows, as they were at ${backup.header.created_at}.`)
}

async function main(args: readonly string[]): Promise<void> {
  const [path, ...rest] = args
  if (args.some((arg) => arg === '--help' || arg === '-h')) return console.info(HELP)
  if (!path || path.startsWith('-') || rest.length > 0)
    throw new Error('Name one file: bun run restore <file>')
  await restore(resolve(path))
}

await main(Bun.argv.slice(2)).catch(reportFailure)
