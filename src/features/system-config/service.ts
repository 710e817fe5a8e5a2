import type { Db, Tx } from '../../db/client'
import { inTransaction } from '../../db/transaction'
import type { Deps } from '../../deps'
import { type Administrator, holdUsers, refuseFormer } from '../administrators/service'
import { record } from '../audit/service'
import type { ConfigChanges, ConfigView } from './model'
import * as q from './queries'

/** The single row of specification 2.3, as set-up leaves it: nothing allowed. */
export const createSystemConfig = (tx: Tx, now: Date): Promise<void> => q.insertDefaults(tx, now)

/** The configuration; everything is off while there is none. */
export const readConfig = async ({ db }: { readonly db: Db | Tx }): Promise<ConfigView> =>
  toView(await q.find(db))

/** Changes what is given; makes the configuration where there is none. Audited with the given fields. */
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
    await holdUsers(tx, admin)
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

const toView = (row: q.ConfigRow | undefined): ConfigView => ({
  allow_registration: row?.allowRegistration ?? false,
  enforce_mfa_new_users: row?.enforceMfaNewUsers ?? false,
  allow_passwordless: row?.allowPasswordless ?? false,
})
