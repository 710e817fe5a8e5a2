import type { Db, Tx } from '../../db/client'
import * as q from './queries'

/** The flags that administrators set. */
export type SystemConfig = Pick<q.ConfigRow, 'allowRegistration' | 'enforceMfaNewUsers' | 'allowPasswordless'>

const NOTHING: SystemConfig = {
  allowRegistration: false,
  enforceMfaNewUsers: false,
  allowPasswordless: false,
}

/** Creates the single configuration row during set-up (contract: administration.config). */
export const createSystemConfig = (tx: Tx, now: Date): Promise<void> => q.insertDefaults(tx, now)

/** Returns the configuration; all flags are false before set-up. */
export const findSystemConfig = async (db: Db | Tx): Promise<SystemConfig> => (await q.find(db)) ?? NOTHING
