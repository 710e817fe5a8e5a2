import type { Db, Tx } from '../../db/client'
import * as q from './queries'

/** What administrators allow. */
export type SystemConfig = Pick<q.ConfigRow, 'allowRegistration' | 'enforceMfaNewUsers' | 'allowPasswordless'>

const NOTHING: SystemConfig = {
  allowRegistration: false,
  enforceMfaNewUsers: false,
  allowPasswordless: false,
}

/** The single row of the configuration, as set-up leaves it (contract: administration.config). */
export const createSystemConfig = (tx: Tx, now: Date): Promise<void> => q.insertDefaults(tx, now)

/** The configuration; nothing is allowed while there is none. */
export const findSystemConfig = async (db: Db | Tx): Promise<SystemConfig> => (await q.find(db)) ?? NOTHING
