import type { Readiness } from '../lib/ports/readiness'
import type { Db } from './client'
import { isMigrated } from './migrations'

const TIMEOUT_MS = 500

/**
 * Ready while the database answers within 500 ms, is migrated, and no shutdown has begun. Concurrent callers share one check of
 * the database.
 */
export function createReadiness(db: Db, isDraining: () => boolean): Readiness {
  let look: Promise<boolean> | undefined
  return {
    isDraining,
    isReady: async () => {
      if (isDraining()) return false
      look ??= isMigratedInTime(db).finally(() => (look = undefined))
      return look
    },
  }
}

async function isMigratedInTime(db: Db): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), TIMEOUT_MS)
  try {
    return await Promise.race([isMigrated(db), late.promise])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
