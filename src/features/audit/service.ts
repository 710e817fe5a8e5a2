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

/** Writes an audit entry within the operation's transaction (specification 6.1). */
export const record = (tx: Tx, { action, at, ip, actorId, detail }: AuditEntry): Promise<void> =>
  q.insert(tx, { action, actorId, detail: detail ?? null, ip, createdAt: at })
