import type { Tx } from '../../db/client'
import * as q from './queries'

export interface AuditEntry {
  readonly action: string
  readonly at: Date
  readonly ip: string
  /** Null when the actor is unknown. */
  readonly actorId: number | null
  /** For refusals `{ reason }`. Never a secret. */
  readonly detail?: Record<string, unknown>
}

/** Writes an audit entry within the operation's transaction (contract: audit.entries). */
export const record = (tx: Tx, entry: AuditEntry): Promise<void> => recordAll(tx, [entry])

/** Like `record`, for several entries in one statement; there must be at least one. */
export const recordAll = (tx: Tx, entries: readonly AuditEntry[]): Promise<void> =>
  q.insertAll(
    tx,
    entries.map(({ detail = null, at, ...rest }) => ({ ...rest, detail, createdAt: at })),
  )

/** Returns when an actor did something after `since`: the newest `limit` times. */
export const listMoments = q.listMoments
