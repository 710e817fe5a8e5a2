import { findSystemConfig, type SystemConfig } from '../../../access/system-config/service'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { type Administrator, lockAdministrators, refuseFormer } from '../../identity/administrators/service'
import { record } from '../../../access/audit/service'
import type { ConfigChanges, ConfigView } from './model'
import * as q from './queries'

/** Returns the configuration; all flags are false before set-up. */
export const readConfig = async ({ db }: Pick<Deps, 'db'>): Promise<ConfigView> =>
  toView(await findSystemConfig(db))

/** Changes the given flags, and creates the configuration if there is none. The audit entry contains the given flags. */
export function changeConfig(
  { db, clock }: Deps,
  admin: Administrator,
  changes: ConfigChanges,
): Promise<ConfigView> {
  const now = clock.now()
  const { allow_registration, enforce_mfa_new_users, allow_passwordless } = changes
  const flags = {
    ...(allow_registration !== undefined && { allowRegistration: allow_registration }),
    ...(enforce_mfa_new_users !== undefined && { enforceMfaNewUsers: enforce_mfa_new_users }),
    ...(allow_passwordless !== undefined && { allowPasswordless: allow_passwordless }),
  }
  return inTransaction(db, async (tx) => {
    await lockAdministrators(tx, admin)
    await refuseFormer(tx, admin, now)
    const row = await q.upsert(tx, flags, now)
    await record(tx, {
      action: 'admin.config_updated',
      actorId: admin.session?.userId ?? null,
      ip: admin.ip,
      at: now,
      detail: { ...changes },
    })
    return toView(row)
  })
}

const toView = (config: SystemConfig): ConfigView => ({
  allow_registration: config.allowRegistration,
  enforce_mfa_new_users: config.enforceMfaNewUsers,
  allow_passwordless: config.allowPasswordless,
})
