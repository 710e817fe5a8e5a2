import type { Tx } from '../../db/client'
import * as q from './queries'

export interface AuditEntry {
  readonly action: string
  readonly at: Date
  readonly ip: string
  /** Who did it; null when nobody who is known did. */
  readonly actorId: number | null
  /** For refusals `{ reason }`. Never a secret. */
  readonly detail?: Record<string, unknown>
}

/** Writes an audit entry within the operation's transaction (contract: audit.entries). */
export const record = (tx: Tx, entry: AuditEntry): Promise<void> => recordAll(tx, [entry])

/** The same for one entry or more, in one statement. */
export const recordAll = (tx: Tx, entries: readonly AuditEntry[]): Promise<void> =>
  q.insertAll(
    tx,
    entries.map(({ detail = null, at, ...rest }) => ({ ...rest, detail, createdAt: at })),
  )

/** When somebody did something since then, newest first, `limit` at most. */
export const listMoments = q.listMoments
