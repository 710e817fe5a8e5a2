import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ipRanges } from '../adapters/ip-ranges'
import { type Config, loadConfig } from '../config'
import { databaseFailure } from '../lib/database-failure'

/** What the commands for whoever runs the service have in common. */

/** The configuration of the service, from the same environment. @throws {Error} that lists what is wrong. */
export const readConfig = (): Config =>
  loadConfig(Bun.env, { timeZone: Temporal.Now.timeZoneId(), cores: 1, isCidr: ipRanges.isCidr })

/** Opening the embedded database would make one. @throws {Error} where there is none to work on. */
export function refuseMissingDatabase({ database: { url, dataDir } }: Config): void {
  if (url === undefined && !existsSync(dataDir))
    throw new Error(
      `There is no database in ${resolve(dataDir)}: set DATA_DIR or DATABASE_URL as for the service.`,
    )
}

/** The driver's own message: that of Drizzle around it is the whole statement, with its parameters. */
function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : rootMessage(error.cause)
}

/** Ends the command with one sentence. */
export function reportFailure(error: unknown): void {
  const reason = rootMessage(error)
  console.error(databaseFailure(error) ? `The database cannot be used: ${reason}.` : reason)
  process.exitCode = 1
}

/** Ends with the first of the signals, so that nothing half done stays behind. */
export function interruption(message: string): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error(message))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, abort)
  return controller.signal
}
