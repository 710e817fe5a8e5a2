import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps } from '../../../deps'
import { type AppError, badRequest, conflict, forbidden } from '../../../lib/errors'
import { sha256Hex } from '../../../lib/text'
import { addSeconds, formatInstant } from '../../../lib/time/time'
import { record } from '../../../access/audit/service'
import { countMfaFailure, endMfaCount, removeTotp, revokeSetupTokens } from '../mfa/service'
import { backupCodesRenewed, totpSwitchedOff } from '../../../access/notices/rules.security'
import { notify } from '../../../access/notices/service'
import { withProof } from '../passwords/service'
import {
  type Caller,
  type CurrentSession,
  hasRecentProof,
  notRecent,
  lockUserOf,
  type SessionKey,
  type UserRow,
} from '../../../access/sessions/service'
import type { BackupCodesBody, TotpDisableBody, TotpSetupView, TotpStatusView } from './model'
import * as q from './queries'
import { backupCode, readBackupCode, SETUP_SECONDS } from './rules'

const INVALID_CODE = 'Invalid verification code'
const notStarted = () => conflict('TOTP setup has not been started')
const notEnabled = () => conflict('TOTP is not enabled')
const alreadyEnabled = () => conflict('TOTP is already enabled')

/** The additional authenticated data that binds an encrypted secret to its user (contract: totp.secrets). */
const aadOf = (userId: number) => `totp_secret:${userId}`

/** A new secret before its first code. */
interface NewSecret {
  readonly view: TotpSetupView
  /** Encrypted. */
  readonly sealed: string
}

/** Creates a secret for the user (contract: totp.parameters) without storing it. */
export async function newSecret(
  { totp, cipher }: Pick<Deps, 'totp' | 'cipher'>,
  user: { readonly userId: number; readonly username: string },
): Promise<NewSecret> {
  const secret = totp.newSecret()
  return {
    view: { secret, otpauth_uri: totp.uri(secret, user.username), expires_in: SETUP_SECONDS },
    sealed: await cipher.encrypt(secret, aadOf(user.userId)),
  }
}

/** Stores the secret as pending, replacing an earlier one. The user's row must be locked. */
export const storeSecret = (tx: Tx, userId: number, { sealed }: NewSecret, now: Date): Promise<void> =>
  q.storePending(tx, userId, sealed, now)

/** Begins to set up TOTP. @throws {AppError} 409 when it is enabled. */
export async function setUpTotp(deps: Deps, session: CurrentSession): Promise<TotpSetupView> {
  const { userId } = session
  const created = await newSecret(deps, session)
  const now = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const user = await lockUserOf(tx, session, now)
    if (user.totpEnabled) throw alreadyEnabled()
    await storeSecret(tx, userId, created, now)
  })
  return created.view
}

/**
 * Turns TOTP on with its first code. Returns the backup codes.
 * @throws {AppError} 409 when it is on already, or the set-up was not begun or has expired; 400 for a wrong code.
 */
export async function confirmTotp(
  deps: Deps,
  session: SessionKey,
  code: string,
  ip: string,
): Promise<readonly string[]> {
  const { userId } = session
  const now = deps.clock.now()
  return inTransaction(deps.db, async (tx) => {
    const user = await lockUserOf(tx, session, now)
    if (user.totpEnabled) throw alreadyEnabled()
    const pending = await findPending(tx, userId, now)
    if (!pending) throw notStarted()
    const codes = await enableTotp(tx, deps, { pending, code, ip })
    if (!codes) throw badRequest(INVALID_CODE)
    return codes
  })
}

/** Finds the pending secret; undefined when there is none or it has expired. */
export async function findPending(tx: Tx, userId: number, now: Date): Promise<q.CredentialRow | undefined> {
  const credential = await q.findCredential(tx, userId)
  const isPending = credential?.confirmedAt === null && now < addSeconds(credential.createdAt, SETUP_SECONDS)
  return isPending ? credential : undefined
}

interface FirstCode {
  readonly pending: q.CredentialRow
  readonly code: string
  readonly ip: string
}

/** Turns TOTP on and returns the backup codes, or undefined for a wrong code. The user's row must be locked. */
export async function enableTotp(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random' | 'cipher' | 'totp'>,
  { pending, code, ip }: FirstCode,
): Promise<readonly string[] | undefined> {
  const { userId } = pending
  const now = deps.clock.now()
  const step = await stepOf(deps, pending, code)
  if (step === undefined) return undefined
  await q.enable(tx, userId, step, now)
  await revokeSetupTokens(tx, userId)
  const codes = await renewBackupCodes(tx, deps, userId)
  await record(tx, { action: 'auth.totp_enabled', actorId: userId, ip, at: now })
  return codes
}

/** Returns the time step of `code`; undefined for a wrong code or one that is not newer than the last accepted one. */
async function stepOf(
  { clock, cipher, totp }: Pick<Deps, 'clock' | 'cipher' | 'totp'>,
  { userId, secret, lastStep }: q.CredentialRow,
  code: string,
): Promise<number | undefined> {
  const step = totp.stepOf(await cipher.decrypt(secret, aadOf(userId)), code, clock.now())
  return step !== undefined && step > (lastStep ?? 0) ? step : undefined
}

const BACKUP_CODES = 10

async function renewBackupCodes(
  tx: Tx,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  userId: number,
): Promise<readonly string[]> {
  const codes = Array.from({ length: BACKUP_CODES }, () => backupCode(random.bytes(BACKUP_CODES)))
  const hashes = await Promise.all(codes.map((code) => hashOf(userId, readBackupCode(code) ?? code)))
  await q.replaceBackupCodes(tx, userId, hashes, clock.now())
  return codes
}

/** Includes the user's id, so that equal codes of two users have different hashes. */
const hashOf = (userId: number, code: string) => sha256Hex(`${userId}:${code}`)

export type UsedFactor = 'totp' | 'backup_code'

/**
 * Uses up a code of the authenticator or a backup code. Returns undefined when it is wrong or was used before. The
 * user's row must be locked.
 */
export async function useCode(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'cipher' | 'totp'>,
  userId: number,
  code: string,
): Promise<UsedFactor | undefined> {
  const backup = readBackupCode(code)
  if (backup !== undefined) {
    const isUsed = await q.useBackupCode(tx, userId, await hashOf(userId, backup), deps.clock.now())
    return isUsed ? 'backup_code' : undefined
  }
  return useTotpCode(tx, deps, userId, code)
}

/** Like `useCode`, but accepts no backup codes. */
async function useTotpCode(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'cipher' | 'totp'>,
  userId: number,
  code: string,
): Promise<'totp' | undefined> {
  const credential = await q.findCredential(tx, userId)
  const step = credential?.confirmedAt ? await stepOf(deps, credential, code) : undefined
  if (step === undefined) return undefined
  await q.recordStep(tx, userId, step)
  return 'totp'
}

/** Counts the user's unused backup codes. */
export const remainingBackupCodes = (tx: Tx, userId: number): Promise<number> =>
  q.countBackupCodes(tx, userId)

/**
 * Turns TOTP off after a proof (contract: accounts.proof) and a code, and notifies the user. Ten wrong codes lock the account,
 * like wrong passwords.
 * @throws {AppError} 409, 422, 423, 401, 403 also when an administrator requires TOTP, 400 for a wrong code.
 */
export async function disableTotp(
  deps: Deps,
  session: CurrentSession,
  { password, code }: TotpDisableBody,
  caller: Caller,
): Promise<void> {
  const { userId } = session
  if (!(await q.findStatus(deps.db, userId))?.enabled) throw notEnabled()
  await withProof(deps, { session, password }, async (tx, now, user) => {
    const refusal = refusalToDisable(user)
    if (refusal) return refusal
    if (!(await useCode(tx, deps, userId, code))) return refuseCode(tx, userId, now)
    await removeTotp(tx, userId, now)
    await record(tx, { action: 'auth.totp_disabled', actorId: userId, ip: caller.ip, at: now })
    await notify(tx, { userId, at: now, ...totpSwitchedOff(caller) })
    return undefined
  })
}

/** Counts a wrong code as a wrong second factor. Only a right code resets this count, not a right password. */
async function refuseCode(tx: Tx, userId: number, now: Date): Promise<AppError> {
  await countMfaFailure(tx, userId, now)
  return badRequest(INVALID_CODE)
}

/** Returns why TOTP cannot be turned off, even with a right code. */
function refusalToDisable({ totpEnabled, mfaRequired }: UserRow): AppError | undefined {
  if (!totpEnabled) return notEnabled()
  return mfaRequired ? forbidden('MFA is required by your administrator') : undefined
}

export async function totpStatus({ db, config }: ReadDeps, userId: number): Promise<TotpStatusView> {
  const status = await q.findStatus(db, userId)
  return {
    enabled: status?.enabled ?? false,
    confirmed_at: status?.confirmedAt ? formatInstant(config.timeZone, status.confirmedAt) : null,
    backup_codes_remaining: await q.countBackupCodes(db, userId),
    required: status?.required ?? false,
  }
}

/**
 * Replaces the backup codes and notifies the user. Besides a proof (contract: accounts.proof) it takes a code of the
 * authenticator, or a session that was recent before this request. Ten wrong codes lock the account.
 * @throws {AppError} 409 without TOTP, 403 without a code and recent authentication, 422, 423, 401, 400 for a wrong code.
 */
export async function replaceBackupCodes(
  deps: Deps,
  session: CurrentSession,
  { password, code }: BackupCodesBody,
  caller: Caller,
): Promise<readonly string[]> {
  const { userId } = session
  if (!(await q.findStatus(deps.db, userId))?.enabled) throw notEnabled()
  if (code === undefined && !hasRecentProof(session, deps.clock.now())) throw notRecent()
  return withProof<readonly string[]>(deps, { session, password }, async (tx, now, user) => {
    if (!user.totpEnabled) return notEnabled()
    if (code !== undefined) {
      if (!(await useTotpCode(tx, deps, userId, code))) return refuseCode(tx, userId, now)
      // Safe to reset, because the code is used up: a guesser gains no further attempts from it.
      await endMfaCount(tx, userId)
    }
    const codes = await renewBackupCodes(tx, deps, userId)
    await record(tx, { action: 'auth.backup_codes_renewed', actorId: userId, ip: caller.ip, at: now })
    await notify(tx, { userId, at: now, ...backupCodesRenewed(caller) })
    return codes
  })
}
