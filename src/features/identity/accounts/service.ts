import { takeLock } from '../../../db/advisory-lock'
import type { Db, Tx } from '../../../db/client'
import type { Role } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { violatedUnique } from '../../../lib/database-failure'
import { AppError, badRequest, forbidden, invalidField } from '../../../lib/errors'
import { dayIn } from '../../../lib/time/time'
import { refusalOfLast } from '../administrators/service'
import { record } from '../../../access/audit/service'
import { endFeedsOf } from '../../calendars/feeds/service'
import { endTokensOf } from '../tokens/service'
import { endMembershipsOf } from '../../calendars/members/service'
import { createFirstCalendars } from '../../calendars/calendars/service'
import { forgetUser } from '../../people/connections/service'
import { endInvitationsOf } from '../../events/invitations/service'
import { issueMfaToken, revokeChallenges } from '../mfa/service'
import { claimOf, refusalOfWeak, storePassword, withPassword, withProof } from '../passwords/service'
import {
  type Caller,
  type CurrentSession,
  openSession,
  proveSession,
  renewCredentials,
} from '../../../access/sessions/service'
import { refusalOfLocal } from '../ways-in/rules'
import { refuseLocal } from '../ways-in/service'
import { isSetUp } from '../../../access/sessions/service.checks'
import { createSettings } from '../settings/service'
import { createSystemConfig, findSystemConfig } from '../../../access/system-config/service'
import type { ChangePasswordBody, RegisterBody, RegisterView, SetupBody } from './model'
import * as q from './queries'
import { networkNameCandidates, refusalOfFutureBirth } from './rules'

const alreadySetUp = () => badRequest('Setup has already been completed')

/**
 * Creates the first account, an administrator, and signs it in (contract: accounts.setup). Returns the session token.
 * @throws {AppError} 400 when any account exists, 422 for an unacceptable password or date of birth.
 */
export async function setUp(
  deps: Deps,
  body: SetupBody,
  caller: Caller,
): Promise<{ userId: number; token: string }> {
  const { db, clock, hasher } = deps
  if (await isSetUp({ db })) throw alreadySetUp()
  refuseUnfit(deps, body)
  const passwordHash = await hasher.hash(body.password)
  return inTransaction(db, async (tx) => {
    await takeLock(tx, 'setup')
    if (await isSetUp({ db: tx })) throw alreadySetUp()
    const now = clock.now()
    const userId = await createUser(tx, {
      username: body.username,
      passwordHash,
      role: 'admin',
      mfaRequired: false,
      email: body.email ?? null,
      dateOfBirth: body.date_of_birth ?? null,
      networkName: (body.network_name ?? body.username).toLowerCase(),
      preferredName: body.preferred_name ?? null,
      now,
    })
    await createSystemConfig(tx, now)
    await record(tx, { action: 'auth.setup_complete', actorId: userId, ip: caller.ip, at: now })
    const { token } = await openSession(tx, deps, { userId, authMethod: 'setup', ...caller })
    return { userId, token }
  })
}

interface Credentials {
  readonly username: string
  readonly password: string
  readonly date_of_birth?: string | null
}

/** @throws {AppError} 422 for a password that the policy refuses or a date of birth in the future. */
export function refuseUnfit(
  deps: Pick<Deps, 'config' | 'clock' | 'commonPasswords'>,
  { username, password, date_of_birth: birth }: Credentials,
): void {
  const today = dayIn(deps.config.timeZone, deps.clock.now())
  const refusal =
    refusalOfWeak(deps, { field: 'password', password, username }) ?? refusalOfFutureBirth(birth, today)
  if (refusal) throw refusal
}

export interface Registered {
  readonly userId: number
  readonly view: RegisterView
  /** For the session cookie; undefined while a second factor must be set up. */
  readonly token?: string
}

/** Attempts to choose a handle when another request takes the chosen one at the same moment. */
const HANDLE_ATTEMPTS = 5

/**
 * Creates a standard account while registration is open (contract: accounts.registration). Hashes before it checks
 * whether a name is taken, so that the response time does not reveal it.
 * @throws {AppError} 403 while registration is closed, 400 when a name or the e-mail is taken, 422.
 */
export async function register(deps: Deps, body: RegisterBody, caller: Caller): Promise<Registered> {
  refuseLocal(deps)
  const config = await findSystemConfig(deps.db)
  if (!config.allowRegistration) throw forbidden('Registration is closed')
  refuseUnfit(deps, body)
  const passwordHash = await deps.hasher.hash(body.password)
  const newcomer = { body, passwordHash, caller, mfaRequired: config.enforceMfaNewUsers }
  const create = (networkName: string) =>
    inTransaction(deps.db, (tx) => createNewcomer(tx, deps, newcomer, networkName))
  const created = await createUnderNetworkName(deps, body, create)
  if (created === 'taken') throw badRequest('Registration could not be completed')
  return created
}

interface WantedName {
  readonly username: string
  readonly network_name?: string | null
}

/**
 * Runs `create` with the requested network name, or else with a free one derived from the username, and tries another
 * one if somebody takes it at the same moment. Returns `taken` when the username, the e-mail or the requested network
 * name is taken.
 */
export async function createUnderNetworkName<T>(
  { db }: Pick<Deps, 'db'>,
  { username, network_name: asked }: WantedName,
  create: (networkName: string) => Promise<T>,
): Promise<T | 'taken'> {
  for (let attempt = 1; attempt <= HANDLE_ATTEMPTS; attempt++) {
    try {
      return await create(asked?.toLowerCase() ?? (await freeNetworkName(db, username)))
    } catch (error) {
      const taken = violatedUnique(error)
      if (taken === undefined) throw error
      if (taken !== 'users_network_name_key' || asked) break
    }
  }
  return 'taken'
}

async function freeNetworkName(db: Db, username: string): Promise<string> {
  const candidates = networkNameCandidates(username)
  const taken = await q.takenNetworkNames(db, candidates)
  return candidates.find((name) => !taken.has(name)) ?? candidates[0]
}

interface Newcomer {
  readonly body: RegisterBody
  readonly passwordHash: string
  readonly caller: Caller
  readonly mfaRequired: boolean
}

async function createNewcomer(
  tx: Tx,
  deps: Deps,
  { body, passwordHash, caller, mfaRequired }: Newcomer,
  networkName: string,
): Promise<Registered> {
  const now = deps.clock.now()
  const message = 'Registration complete'
  const userId = await createUser(tx, {
    username: body.username,
    passwordHash,
    role: 'standard',
    mfaRequired,
    email: body.email,
    dateOfBirth: body.date_of_birth,
    networkName,
    preferredName: body.preferred_name ?? null,
    now,
  })
  await record(tx, { action: 'auth.registration', actorId: userId, ip: caller.ip, at: now })
  if (mfaRequired) {
    const issued = await issueMfaToken(tx, deps, { userId, purpose: 'enforced_setup' })
    return { userId, view: { message, authenticated: false, mfa_setup_required: true, ...issued } }
  }
  const { token } = await openSession(tx, deps, { userId, authMethod: 'registration', ...caller })
  return { userId, token, view: { message, authenticated: true } }
}

/**
 * Unlocks the session and makes it recent (contract: accounts.verify-password). A recent session is no proof here, as it may be
 * locked.
 * @throws {AppError} 401, 403, 423.
 */
export async function verifyPassword(
  deps: Deps,
  session: CurrentSession,
  password: string,
  ip: string,
): Promise<void> {
  const proof = { session, password, otherwise: refusalOfLocal(deps.config.oidc) }
  await withPassword(deps, proof, (tx, now) => proveSession(tx, session, { ip, now }))
}

export interface PasswordChanged {
  readonly token: string
  readonly sessionsRevoked: number
}

/** Where passwords prove nothing, one is set only because it must be changed (contract: oidc.only). */
const refusalToSet = (
  { config }: Pick<Deps, 'config'>,
  { mustChangePassword: isForced }: Pick<CurrentSession, 'mustChangePassword'>,
): AppError | undefined => (isForced ? undefined : refusalOfLocal(config.oidc))

/**
 * Replaces the password, or sets the first one (contract: accounts.password-change). Ends every other session and pending
 * challenge of the user, the feeds unless they are kept, and on request the access tokens; the caller's session continues under
 * a new id.
 * @throws {AppError} 401, 423, 403, 422 without the old password, and of the new one only for callers who have proved themselves.
 */
export async function changePassword(
  deps: Deps,
  session: CurrentSession,
  body: ChangePasswordBody,
  ip: string,
): Promise<PasswordChanged> {
  const {
    old_password,
    new_password,
    keep_feeds: keepsFeeds = false,
    revoke_tokens: endsTokens = false,
  } = body
  const { userId, username } = session
  const refusal = refusalToSet(deps, session)
  if (refusal) throw refusal
  const proof = { session, password: old_password, field: 'old_password' }
  const old = (await claimOf(deps, proof))?.password
  const unfit =
    old?.normalize('NFC') === new_password.normalize('NFC')
      ? invalidField('new_password', 'must differ from the old one')
      : refusalOfWeak(deps, { field: 'new_password', password: new_password, username })
  const newHash = unfit ?? (await deps.hasher.hash(new_password, { account: userId }))
  return withProof(deps, proof, async (tx, now, user) => {
    const late = refusalToSet(deps, user)
    if (late) return late
    if (newHash instanceof AppError) return newHash
    await storePassword(tx, userId, newHash, now)
    await revokeChallenges(tx, userId)
    const { token, revoked } = await renewCredentials(tx, deps, session)
    const act = { actorId: userId, ip, at: now }
    await record(tx, { action: 'auth.password_changed', ...act })
    if (!keepsFeeds) await endFeedsOf(tx, userId, act)
    if (endsTokens) await endTokensOf(tx, userId, act)
    return { token, sessionsRevoked: revoked }
  })
}

/**
 * Deletes the caller's account and all its data.
 * @throws {AppError} 401, 403, 422, 423, 409 for the last active administrator.
 */
export function deleteAccount(
  deps: Deps,
  session: CurrentSession,
  password: string | undefined,
  ip: string,
): Promise<void> {
  const { userId, username } = session
  return withProof(deps, { session, password, lock: 'administrators' }, async (tx, now) => {
    const refusal = await refusalOfLast(tx, userId)
    if (refusal) return refusal
    const detail = { user_id: userId, username }
    await record(tx, { action: 'auth.account_deleted', actorId: userId, ip, at: now, detail })
    await deleteUser(tx, userId, now)
    return undefined
  })
}

/** Deletes the user with everything that belongs to them and everything that other users hold about them. */
export async function deleteUser(tx: Tx, userId: number, now: Date): Promise<void> {
  await endMembershipsOf(tx, userId)
  await endInvitationsOf(tx, userId)
  await forgetUser(tx, userId, now)
  await q.deleteUser(tx, userId)
}

interface NewUser {
  readonly username: string
  readonly passwordHash: string
  readonly role: Role
  readonly mfaRequired: boolean
  readonly email: string | null
  readonly dateOfBirth: string | null
  readonly networkName: string
  readonly preferredName: string | null
  readonly mustChangePassword?: boolean
  readonly now: Date
}

/** Creates a user with their settings and two calendars; a trigger adds the first address book. */
export async function createUser(tx: Tx, { preferredName, now, ...columns }: NewUser): Promise<number> {
  const { username, passwordHash, role, mfaRequired, email, dateOfBirth, networkName } = columns
  const userId = await q.insertUser(tx, {
    username,
    passwordHash,
    role,
    mfaRequired,
    email,
    dateOfBirth,
    networkName,
    mustChangePassword: columns.mustChangePassword ?? false,
    lastPasswordChangeAt: now,
    createdAt: now,
    updatedAt: now,
  })
  await createSettings(tx, { userId, preferredName, now })
  await createFirstCalendars(tx, { userId, now })
  return userId
}
