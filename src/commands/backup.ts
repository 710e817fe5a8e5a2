import { resolve } from 'node:path'
import { writeBackup } from '../adapters/backup-file'
import { systemClock } from '../adapters/clock'
import { openDatabase } from '../adapters/database-source'
import { findSecretKey } from '../adapters/secret-keys'
import { interruption, readConfig, refuseMissingDatabase, reportFailure } from './command'
import type { Config } from '../config'
import { withSnapshot } from '../db/snapshot'

const HELP = `Usage: bun run backup <file>

Saves all data of the service in one compressed file, as it is at that moment, while the service runs or not. Given the same
environment it works on the same database; that of an embedded one includes its key. bun run restore reads the file.`

/** The key that an embedded service generated, used when none is configured. */
const keptKey = ({ database, secretKeys }: Config) =>
  database.url === undefined && secretKeys.length === 0
    ? findSecretKey(resolve(database.dataDir))
    : Promise.resolve(undefined)

async function save(path: string): Promise<void> {
  const config = readConfig()
  refuseMissingDatabase(config)
  const interrupted = interruption('The backup was interrupted.')
  await using resources = new AsyncDisposableStack()
  const database = await openDatabase(config.database, (line) => console.info(line))
  resources.defer(() => database.stop())
  const secretKey = await keptKey(config)
  await withSnapshot(database.directUrl, async ({ migrations, tables, rowsOf, sequences }) => {
    const header = {
      format: 'organiser-backup',
      version: 1,
      created_at: systemClock.now().toISOString(),
      migrations,
      tables,
      secret_key: secretKey ?? null,
    } as const
    await writeBackup(path, { header, rowsOf, sequences }, interrupted)
  }).catch((error: unknown) => {
    throw interrupted.aborted ? interrupted.reason : error
  })
}

async function main(args: readonly string[]): Promise<void> {
  const [path, ...rest] = args
  if (args.some((arg) => arg === '--help' || arg === '-h')) return console.info(HELP)
  if (!path || path.startsWith('-') || rest.length > 0)
    throw new Error('Name one file: bun run backup <file>')
  await save(resolve(path))
  console.info(`The backup is in ${resolve(path)}: keep it as safe as the service, it holds everything.`)
}

await main(Bun.argv.slice(2)).catch(reportFailure)
