import type { Deps } from '../deps'
import { purgeAuditLog } from '../features/administration/audit/service'
import { runDaily } from '../features/administration/job-runs/service'
import { purgeMfaTokens } from '../features/identity/mfa/service'
import { purgeBegins } from '../features/identity/oidc/service.begin'
import { purgeNotifications } from '../features/notifications/notifications/service'
import { purgeDeliveries } from '../features/notifications/push-deliveries/service'
import { purgeHistory } from '../access/history/service'
import { purgeOperations } from '../access/operations/service'
import { purgeJournal } from '../access/journal/service'
import { purgeSentInvitations } from '../access/sent-invitations/service'
import { purgeSessions } from '../access/sessions/service'
import { purgeUserAgents } from '../access/user-agents/service'
import { purgeLost, purgeNames } from '../features/objects/collections/service'
import { purgeTokens } from '../features/identity/tokens/service'
import { purgeChallenges } from '../features/identity/webauthn/service'

const PURGES = [
  purgeNotifications,
  purgeDeliveries,
  purgeSentInvitations,
  purgeSessions,
  purgeChallenges,
  purgeMfaTokens,
  purgeBegins,
  purgeTokens,
  purgeUserAgents,
  purgeAuditLog,
  purgeJournal,
  purgeNames,
  purgeOperations,
  purgeHistory,
  purgeLost,
] as const

/** Deletes expired records once a day (contract: jobs.daily), in short transactions. */
export const purge = (deps: Deps, isStopping: () => boolean): Promise<void> =>
  runDaily(
    deps,
    'purge',
    PURGES.map((one) => () => one(deps, isStopping)),
    isStopping,
  )
