import type { Tx } from '../../db/client'
import * as q from './queries'

/** The single row of specification 2.3, as set-up leaves it: nothing allowed. */
export const createSystemConfig = (tx: Tx, now: Date): Promise<void> => q.insertDefaults(tx, now)
