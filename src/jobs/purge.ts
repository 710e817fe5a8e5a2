import type { Deps } from '../deps'
import { purgeAuditLog } from '../features/audit/service'
import { runDaily } from '../features/job-runs/service'
import { purgeMfaTokens } from '../features/mfa/service'
import { purgeNotifications } from '../features/notifications/service'
import { purgeDeliveries } from '../features/push-deliveries/service'
import { purgeSentInvitations } from '../features/sent-invitations/service'
import { purgeSessions } from '../features/sessions/service'
import { purgeUserAgents } from '../features/user-agents/service'
import { purgeChallenges } from '../features/webauthn/service'

const PURGES = [
  purgeNotifications,
  purgeDeliveries,
  purgeSentInvitations,
  purgeSessions,
  purgeChallenges,
  purgeMfaTokens,
  purgeUserAgents,
  purgeAuditLog,
] as const

/** Deletes what has had its time, once a day (contract, section 17), in short transactions. */
export const purge = (deps: Deps, isStopping: () => boolean): Promise<void> =>
  runDaily(
    deps,
    'purge',
    PURGES.map((one) => () => one(deps, isStopping)),
    isStopping,
  )
