import type { Deps } from '../../../deps'
import { formatInstant } from '../../../lib/time/time'
import { listAuditLog } from '../audit/service'
import type { DashboardView } from './model'
import * as q from './queries'

const RECENT = 10

/** Returns statistics of the service for administrators (contract: administration.dashboard). */
export async function describeService(deps: Pick<Deps, 'db' | 'clock' | 'config'>): Promise<DashboardView> {
  const { db, clock, config } = deps
  const counts = await q.countAll(db, clock.now())
  const logins = await q.recentLogins(db, RECENT)
  const { entries } = await listAuditLog(deps, { limit: RECENT })
  return {
    counts: {
      users: counts.users,
      active_users: counts.activeUsers,
      admins: counts.admins,
      locked_users: counts.lockedUsers,
      active_sessions: counts.activeSessions,
    },
    recent_logins: logins.map(({ username, createdAt, ipAddress, authMethod }) => ({
      username,
      at: formatInstant(config.timeZone, createdAt),
      ip_address: ipAddress,
      auth_method: authMethod,
    })),
    recent_audit: entries,
  }
}
