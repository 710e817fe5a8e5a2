import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { violatedUnique } from '../../../lib/database-failure'
import type { ProvedIdentity } from '../../../lib/ports/identity-provider'
import { record } from '../../../access/audit/service'
import { type Caller, lockUser, type UserRow } from '../../../access/sessions/service'
import { isSetUp } from '../../../access/sessions/service.checks'
import { findSystemConfig } from '../../../access/system-config/service'
import { createUser } from '../accounts/service'
import { addFirstIdentity, findIdentity, noteUse } from '../identities/service'
import { NO_PASSWORD } from '../passwords/rules'
import { refusalOfLocked } from '../passwords/service'
import { admit, type SignedIn } from '../sign-in/service'
import * as q from './queries'
import { countsAsTwo, emailFor, usernameCandidates } from './rules'
import { providerOf } from './service.begin'
import type { RefusedSignOn } from './service.refusals'

/** How often a name, an e-mail or the identity itself may be taken by somebody else at the same moment. */
const ATTEMPTS = 10

/**
 * Signs in the user of the identity, or makes one where the configuration has it so (contract: oidc.registration). Of several
 * first sign-ins at once one makes the account, and the others find it.
 */
export async function signInWith(
  deps: Deps,
  proved: ProvedIdentity,
  caller: Caller,
): Promise<SignedIn | RefusedSignOn> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await inTransaction(deps.db, (tx) => decide(tx, deps, proved, caller))
    } catch (error) {
      if (violatedUnique(error) === undefined) throw error
    }
  }
  return { code: 'registration_failed', reason: 'names_taken', userId: null }
}

async function decide(
  tx: Tx,
  deps: Deps,
  proved: ProvedIdentity,
  caller: Caller,
): Promise<SignedIn | RefusedSignOn> {
  const now = deps.clock.now()
  const { settings } = providerOf(deps)
  const user = await findOrMake(tx, deps, proved, caller)
  if ('code' in user) return user
  const { id: userId } = user
  if (!user.isActive) return { code: 'account_disabled', reason: 'account_disabled', userId }
  if (refusalOfLocked(user, now)) return { code: 'account_locked', reason: 'account_locked', userId }
  await q.recordLogin(tx, userId, now)
  const { issuer, subject, sid } = proved
  return admit(tx, deps, user, {
    ...caller,
    authMethod: 'oidc',
    provider: { issuer, subject, sid },
    hasSecondFactor: countsAsTwo(settings.mfa, proved),
  })
}

/** Locks the user of the identity, or a new one. */
async function findOrMake(
  tx: Tx,
  deps: Deps,
  proved: ProvedIdentity,
  caller: Caller,
): Promise<UserRow | RefusedSignOn> {
  const known = await findIdentity(tx, proved)
  const made = known ? undefined : await register(tx, deps, proved, caller)
  if (typeof made === 'object') return made
  const user = await lockUser(tx, known?.userId ?? made ?? 0)
  // The identity may have been unlinked, and the user deleted, until the user was locked.
  if (!user || (known && !(await noteUse(tx, known.id, proved, deps.clock.now())))) {
    return { code: 'not_linked', reason: 'unlinked_meanwhile', userId: null }
  }
  return user
}

/** Makes a standard account without a password. Returns the user's id; the very first account is made by set-up alone. */
async function register(
  tx: Tx,
  deps: Deps,
  proved: ProvedIdentity,
  { ip }: Caller,
): Promise<number | RefusedSignOn> {
  if (!providerOf(deps).settings.registers) {
    return { code: 'not_linked', reason: 'unknown_identity', userId: null }
  }
  if (!(await isSetUp({ db: tx }))) return { code: 'registration_failed', reason: 'not_set_up', userId: null }
  const now = deps.clock.now()
  const { enforceMfaNewUsers: mfaRequired } = await findSystemConfig(tx)
  const username = await freeUsername(tx, proved)
  const email = emailFor(proved)
  const userId = await createUser(tx, {
    username,
    passwordHash: NO_PASSWORD,
    role: 'standard',
    mfaRequired,
    email: email !== null && (await q.isEmailTaken(tx, email)) ? null : email,
    dateOfBirth: null,
    networkName: username.toLowerCase(),
    preferredName: null,
    now,
  })
  await addFirstIdentity(tx, userId, proved, now)
  const detail = { issuer: proved.issuer }
  await record(tx, { action: 'auth.registration', actorId: userId, ip, at: now, detail })
  return userId
}

/** A username that is also free as a network name. */
async function freeUsername(tx: Tx, { username, email }: ProvedIdentity): Promise<string> {
  const candidates = usernameCandidates(username ?? email)
  const taken = await q.takenNames(
    tx,
    candidates.map((name) => name.toLowerCase()),
  )
  return candidates.find((name) => !taken.has(name.toLowerCase())) ?? candidates[0] ?? 'user'
}
