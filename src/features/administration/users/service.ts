import { takeLock } from '../../../db/advisory-lock'
import type { Tx } from '../../../db/client'
import type { Role } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { Deps, WriteDeps } from '../../../deps'
import { badRequest, conflict, notFound } from '../../../lib/errors'
import { formatInstant } from '../../../lib/time/time'
import { createUnderNetworkName, createUser, deleteUser, refuseUnfit } from '../../identity/accounts/service'
import {
  type Administrator,
  lockAdministrators,
  refuseFormer,
  refusalOfLast,
} from '../../identity/administrators/service'
import { record } from '../../../access/audit/service'
import { endFeedsOf } from '../../calendars/feeds/service'
import { removeTotp, revokeChallenges } from '../../identity/mfa/service'
import { totpSwitchedOffByAdministrator } from '../../../access/notices/rules.security'
import { notify } from '../../../access/notices/service'
import { storePassword } from '../../identity/passwords/service'
import { endTokensOf, revokeTokensOf } from '../../identity/tokens/service'
import { revokeSessions } from '../../../access/sessions/service'
import type { UserView } from '../directory/model'
import { viewUser } from '../directory/service'
import type { NewUserBody, TemporaryPasswordView } from './model'
import * as q from './queries'
import { TEMPORARY_LENGTH, temporaryUntil, toTemporaryPassword } from './rules'

/**
 * Creates a user with settings and both calendars.
 * @throws {AppError} 409 when the username, e-mail or network name is taken, 422 for an unacceptable password or date of
 * birth.
 */
export async function addUser(
  deps: WriteDeps & Pick<Deps, 'hasher' | 'commonPasswords'>,
  admin: Administrator,
  body: NewUserBody,
): Promise<UserView> {
  refuseUnfit(deps, body)
  const { username, role = 'standard', must_change_password: mustChangePassword = false } = body
  const passwordHash = await deps.hasher.hash(body.password, { account: admin.session?.userId })
  const create = (networkName: string) =>
    inTransaction(deps.db, async (tx) => {
      const now = deps.clock.now()
      await lockAdministrators(tx, admin)
      await refuseFormer(tx, admin, now)
      const userId = await createUser(tx, {
        username,
        passwordHash,
        role,
        mfaRequired: false,
        email: body.email ?? null,
        dateOfBirth: body.date_of_birth ?? null,
        networkName,
        preferredName: null,
        mustChangePassword,
        now,
      })
      const detail = { user_id: userId, username, role }
      await audit(tx, admin, { action: 'admin.user_created', at: now, detail })
      return viewUser(tx, deps, userId)
    })
  const created = await createUnderNetworkName(deps, body, create)
  if (created === 'taken') throw conflict('Username, email or network name already exists')
  return created
}

/**
 * Changes the role from the user's next request on; their sessions continue.
 * @throws {AppError} 400 for one's own, 404, 409.
 */
export async function changeRole(
  deps: WriteDeps,
  admin: Administrator,
  userId: number,
  role: Role,
): Promise<UserView> {
  refuseOneself(admin, userId, 'You cannot change your own role')
  return changeUser(deps, admin, userId, {
    action: 'admin.user_role_changed',
    detail: { role },
    isLoss: role !== 'admin',
    apply: (tx, { now }) => q.change(tx, userId, { role }, now),
  })
}

/**
 * Disables or enables an account. Disabling ends the user's sessions, pending challenges and access tokens.
 * @throws {AppError} 400 for disabling one's own account, 404, 409.
 */
export async function changeActive(
  deps: WriteDeps,
  admin: Administrator,
  userId: number,
  isActive: boolean,
): Promise<UserView> {
  if (!isActive) refuseOneself(admin, userId, 'You cannot deactivate your own account')
  return changeUser(deps, admin, userId, {
    action: isActive ? 'admin.user_activated' : 'admin.user_deactivated',
    isLoss: !isActive,
    apply: async (tx, { now }) => {
      await q.change(tx, userId, { isActive }, now)
      if (isActive) return
      await endSignIns(tx, userId, now)
      await endTokensOf(tx, userId, actOf(admin, now))
    },
  })
}

const UNLOCKED = { failedLoginCount: 0, lockedUntil: null, failedMfaCount: 0, mfaLockedUntil: null }

/**
 * Gives the user a temporary password, which they must replace, and ends all their sessions, feeds and access tokens. This includes
 * administrators who reset their own password.
 * @throws {AppError} 404.
 */
export async function resetPassword(
  deps: WriteDeps & Pick<Deps, 'hasher' | 'random'>,
  admin: Administrator,
  userId: number,
): Promise<TemporaryPasswordView> {
  const password = toTemporaryPassword(deps.random.bytes(TEMPORARY_LENGTH))
  const passwordHash = await deps.hasher.hash(password, { account: admin.session?.userId })
  const expiresAt = temporaryUntil(deps.clock.now())
  const temporary = {
    mustChangePassword: true,
    temporaryPasswordExpiresAt: expiresAt,
    // The way back in where only the identity provider lets people in (contract: oidc.only).
    passwordByOperator: admin.session === null,
    passwordlessEnabled: false,
    ...UNLOCKED,
  }
  await administer(deps, admin, userId, {
    action: 'admin.user_password_reset',
    apply: async (tx, { now }) => {
      await storePassword(tx, userId, passwordHash, now)
      await q.change(tx, userId, temporary, now)
      await endSignIns(tx, userId, now)
      const act = actOf(admin, now)
      await endFeedsOf(tx, userId, act)
      await endTokensOf(tx, userId, act)
    },
  })
  return { temporary_password: password, expires_at: formatInstant(deps.config.timeZone, expiresAt) }
}

/** Ends both locks and resets both counts. @throws {AppError} 404. */
export const unlockUser = (deps: WriteDeps, admin: Administrator, userId: number): Promise<UserView> =>
  changeUser(deps, admin, userId, {
    action: 'admin.user_unlocked',
    apply: (tx, { now }) => q.change(tx, userId, UNLOCKED, now),
  })

/**
 * Requires a second factor of the user, or no longer requires it. A user without one is signed out, so that they set it
 * up at the next sign-in.
 * @throws {AppError} 404.
 */
export const enforceMfa = (
  deps: WriteDeps,
  admin: Administrator,
  userId: number,
  isRequired: boolean,
): Promise<UserView> =>
  changeUser(deps, admin, userId, {
    action: isRequired ? 'admin.user_mfa_enforced' : 'admin.user_mfa_unenforced',
    apply: async (tx, { totpEnabled, now }) => {
      await q.change(tx, userId, { mfaRequired: isRequired }, now)
      if (isRequired && !totpEnabled) await revokeSessions(tx, userId, now)
    },
  })

/** Removes the second factor; if it is required, the user must set it up again. @throws {AppError} 404. */
export const disableMfa = (deps: WriteDeps, admin: Administrator, userId: number): Promise<UserView> =>
  changeUser(deps, admin, userId, {
    action: 'admin.user_mfa_disabled',
    apply: async (tx, { totpEnabled, now }) => {
      if (totpEnabled) await notify(tx, { userId, at: now, ...totpSwitchedOffByAdministrator() })
      await removeTotp(tx, userId, now)
      await revokeSessions(tx, userId, now)
    },
  })

/** Turns the user's sign-in by password on again. @throws {AppError} 400 for enabling passwordless sign-in, 404. */
export async function changePasswordless(
  deps: WriteDeps,
  admin: Administrator,
  userId: number,
  isEnabled: boolean,
): Promise<UserView> {
  if (isEnabled) throw badRequest('Only disabling is allowed')
  return changeUser(deps, admin, userId, {
    action: 'admin.user_passwordless_disabled',
    apply: async (tx, { now }) => {
      await q.change(tx, userId, { passwordlessEnabled: false }, now)
      await revokeSessions(tx, userId, now)
    },
  })
}

interface Revoked {
  message: string
  /** How many of them had not expired. */
  revoked: number
}

/**
 * Ends all sessions of the user except the caller's current one. Returns how many of them had not expired.
 * @throws {AppError} 404.
 */
export const revokeUserSessions = (deps: WriteDeps, admin: Administrator, userId: number): Promise<Revoked> =>
  administer(deps, admin, userId, {
    action: 'admin.user_sessions_revoked',
    apply: async (tx, { now }) => ({
      message: 'Sessions ended',
      revoked: await revokeSessions(tx, userId, now, admin.session?.id),
    }),
  })

/** Revokes all access tokens of the user. Returns how many of them had not expired. @throws {AppError} 404. */
export const revokeUserTokens = (deps: WriteDeps, admin: Administrator, userId: number): Promise<Revoked> =>
  administer(deps, admin, userId, {
    action: 'admin.tokens_revoked',
    apply: async (tx, { now }) => ({
      message: 'Access tokens revoked',
      revoked: await revokeTokensOf(tx, userId, now),
    }),
  })

/** Deletes a user with all their data. @throws {AppError} 400 for oneself, 404, 409. */
export async function removeUser(
  deps: WriteDeps,
  admin: Administrator,
  userId: number,
): Promise<{ message: string }> {
  refuseOneself(admin, userId, 'You cannot delete your own account')
  return administer(deps, admin, userId, {
    action: 'admin.user_deleted',
    isLoss: true,
    apply: async (tx, { now }) => {
      await deleteUser(tx, userId, now)
      return { message: 'User deleted' }
    },
  })
}

/** @throws {AppError} 404. */
export const readUser = (deps: WriteDeps, userId: number): Promise<UserView> =>
  viewUser(deps.db, deps, userId)

function refuseOneself({ session }: Administrator, userId: number, detail: string): void {
  if (session?.userId === userId) throw badRequest(detail)
}

/** Ends all sessions and all pending challenges of the user. */
async function endSignIns(tx: Tx, userId: number, now: Date): Promise<void> {
  await revokeSessions(tx, userId, now)
  await revokeChallenges(tx, userId)
}

interface AdministeredUser {
  readonly username: string
  readonly totpEnabled: boolean
  readonly now: Date
}

interface Change<T> {
  readonly action: string
  /** Further fields of the audit entry, besides the user. */
  readonly detail?: Readonly<Record<string, unknown>>
  /** True when the change may leave the service with one administrator less. */
  readonly isLoss?: boolean
  readonly apply: (tx: Tx, user: AdministeredUser) => Promise<T>
}

/** Applies one change to a user, and audits it even when it changes nothing. @throws {AppError} 404, 409. */
async function administer<T>(
  { db, clock }: WriteDeps,
  admin: Administrator,
  userId: number,
  { action, detail, isLoss = false, apply }: Change<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    if (isLoss) await takeLock(tx, 'administrators')
    await lockAdministrators(tx, admin, userId)
    const now = clock.now()
    const user = await q.find(tx, userId)
    if (!user) throw notFound('User')
    const refusal = isLoss ? await refusalOfLast(tx, userId) : undefined
    if (refusal) throw refusal
    await refuseFormer(tx, admin, now)
    const about = { user_id: userId, username: user.username, ...detail }
    await audit(tx, admin, { action, at: now, detail: about })
    return apply(tx, { ...user, now })
  })
}

/** Like `administer`, but returns the changed user. */
const changeUser = (
  deps: WriteDeps,
  admin: Administrator,
  userId: number,
  change: Change<void>,
): Promise<UserView> =>
  administer(deps, admin, userId, {
    ...change,
    apply: async (tx, user) => {
      await change.apply(tx, user)
      return viewUser(tx, deps, userId)
    },
  })

interface AuditedChange {
  readonly action: string
  readonly at: Date
  readonly detail: Readonly<Record<string, unknown>>
}

const actOf = ({ session, ip }: Administrator, at: Date) => ({ actorId: session?.userId ?? null, ip, at })

const audit = (tx: Tx, admin: Administrator, { at, ...entry }: AuditedChange): Promise<void> =>
  record(tx, { ...actOf(admin, at), ...entry })
