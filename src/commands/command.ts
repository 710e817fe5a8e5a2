import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ipRanges } from '../adapters/ip-ranges'
import { type Config, loadConfig } from '../config'
import { databaseFailure, rootMessage } from '../lib/database-failure'

/** Shared by the commands for operators. */

/** Reads the service's configuration from the same environment. @throws {Error} that lists every problem. */
export const readConfig = (): Config =>
  loadConfig(Bun.env, { timeZone: Temporal.Now.timeZoneId(), cores: 1, isCidr: ipRanges.isCidr })

/** Opening the embedded database would create a new one. @throws {Error} when there is no database. */
export function refuseMissingDatabase({ database: { url, dataDir } }: Config): void {
  if (url === undefined && !existsSync(dataDir))
    throw new Error(
      `There is no database in ${resolve(dataDir)}: set DATA_DIR or DATABASE_URL as for the service.`,
    )
}

/** Prints one sentence and makes the command fail. */
export function reportFailure(error: unknown): void {
  const reason = rootMessage(error)
  console.error(databaseFailure(error) ? `The database cannot be used: ${reason}.` : reason)
  process.exitCode = 1
}

/** Aborts on the first signal, so that the command can clean up. */
export function interruption(message: string): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error(message))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, abort)
  return controller.signal
}
