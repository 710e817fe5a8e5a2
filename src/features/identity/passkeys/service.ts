import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps } from '../../../deps'
import { badRequest, conflict, notFound } from '../../../lib/errors'
import type { NewCredential } from '../../../lib/ports/webauthn'
import { formatInstant } from '../../../lib/time/time'
import { record } from '../../../access/audit/service'
import { passkeyAdded } from '../../../access/notices/rules.security'
import { notify } from '../../../access/notices/service'
import { type Caller, lockUserOf, type SessionKey } from '../../../access/sessions/service'
import type { RegistrationCredential, RegistrationOptionsView } from '../webauthn/model'
import { ALGORITHMS } from '../webauthn/rules'
import { CEREMONY_MS, describePasskeys, issueChallenge, redeemChallenge } from '../webauthn/service'
import { hasWayIn } from '../ways-in/service'
import type { PasskeyView, RegisterPasskeyBody } from './model'
import * as q from './queries'
import { defaultName, MAX_PASSKEYS, MIN_PASSWORDLESS_PASSKEYS } from './rules'

const HANDLE_BYTES = 32

const limitReached = () => conflict('Passkey limit reached')
const passkeyMissing = () => notFound('Passkey')

/** Starts the registration of a passkey. @throws {AppError} 409 when the user has the maximum already. */
export function beginRegistration(deps: Deps, session: SessionKey): Promise<RegistrationOptionsView> {
  const { db, clock, random, config } = deps
  const { userId } = session
  return inTransaction(db, async (tx) => {
    const { username } = await lockUserOf(tx, session, clock.now())
    const excludeCredentials = await describePasskeys(tx, userId)
    if (excludeCredentials.length >= MAX_PASSKEYS) throw limitReached()
    const drawn = random.bytes(HANDLE_BYTES).toBase64({ alphabet: 'base64url', omitPadding: true })
    return {
      options: {
        rp: { id: config.webauthn.rpId, name: 'Organiser' },
        user: { id: await q.keepHandle(tx, userId, drawn), name: username, displayName: username },
        challenge: await issueChallenge(tx, deps, { purpose: 'registration', userId }),
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
        timeout: CEREMONY_MS,
        excludeCredentials,
        authenticatorSelection: {
          residentKey: 'required' as const,
          requireResidentKey: true as const,
          userVerification: 'required' as const,
        },
        attestation: 'none' as const,
      },
    }
  })
}

/**
 * Stores a new passkey.
 * @throws {AppError} 400 when the ceremony failed, 409 when the passkey is registered already or the user has the maximum.
 */
export async function completeRegistration(
  deps: Deps,
  session: SessionKey,
  { credential, name }: RegisterPasskeyBody,
  caller: Caller,
): Promise<PasskeyView> {
  const { userId } = session
  const made = await verify(deps, userId, credential)
  if (!made) throw badRequest('Passkey registration failed')
  const transports = [...new Set(credential.response.transports)]
  const row = await inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    await lockUserOf(tx, session, now)
    const names = (await q.list(tx, userId)).map((passkey) => passkey.name)
    const inserted = await q.insert(tx, {
      userId,
      name: name ?? defaultName(names),
      credentialId: made.credentialId,
      publicKey: made.publicKey,
      signCount: made.signCount,
      transports,
      deviceType: made.deviceType,
      backedUp: made.isBackedUp,
      createdAt: now,
    })
    if (!inserted) throw conflict('Passkey is already registered')
    if (names.length >= MAX_PASSKEYS) throw limitReached()
    const detail = { passkey_id: inserted.id }
    const { ip } = caller
    await record(tx, { action: 'auth.passkey_registered', actorId: userId, ip, at: now, detail })
    await notify(tx, { userId, at: now, ...passkeyAdded(inserted, caller) })
    return inserted
  })
  return toView(deps, row)
}

async function verify(
  deps: Deps,
  userId: number,
  credential: RegistrationCredential,
): Promise<NewCredential | undefined> {
  const redeemed = await redeemChallenge(deps, credential.response.clientDataJSON, 'registration')
  if ('reason' in redeemed || redeemed.userId !== userId) return undefined
  const { challenge } = redeemed
  return deps.webauthn.verifyRegistration({ credential, challenge, algorithms: ALGORITHMS })
}

/** Lists the user's passkeys by name. */
export const listPasskeys = async (deps: ReadDeps, userId: number): Promise<PasskeyView[]> =>
  (await q.list(deps.db, userId)).map((row) => toView(deps, row))

interface PasskeyRequest {
  readonly id: number
  readonly ip: string
}

/** @throws {AppError} 404. */
export async function renamePasskey(
  deps: Deps,
  session: SessionKey,
  { id, ip }: PasskeyRequest,
  name: string,
): Promise<PasskeyView> {
  const { userId } = session
  const row = await inTransaction(deps.db, async (tx) => {
    const at = deps.clock.now()
    await lockUserOf(tx, session, at)
    const renamed = await q.rename(tx, userId, id, name)
    if (!renamed) throw passkeyMissing()
    await record(tx, { action: 'auth.passkey_renamed', actorId: userId, ip, at, detail: { passkey_id: id } })
    return renamed
  })
  return toView(deps, row)
}

/** @throws {AppError} 404, and 409 when too few passkeys would remain for passwordless sign-in, or nothing would let the user in. */
export function deletePasskey(deps: Deps, session: SessionKey, { id, ip }: PasskeyRequest): Promise<void> {
  const { userId } = session
  const { db, clock, config } = deps
  return inTransaction(db, async (tx) => {
    const at = clock.now()
    const user = await lockUserOf(tx, session, at)
    const { passwordlessEnabled } = user
    if (!(await q.remove(tx, userId, id))) throw passkeyMissing()
    if (passwordlessEnabled && (await q.countOwn(tx, userId)) < MIN_PASSWORDLESS_PASSKEYS) {
      throw conflict(
        `At least ${MIN_PASSWORDLESS_PASSKEYS} passkeys are required while passwordless sign-in is enabled`,
      )
    }
    // Where only the identity provider lets people in, no passkey is a way in.
    if (!config.oidc?.isOnly && !(await hasWayIn(tx, deps, user))) {
      throw conflict('This passkey is the only way into the account')
    }
    await record(tx, { action: 'auth.passkey_deleted', actorId: userId, ip, at, detail: { passkey_id: id } })
  })
}

/** Counts the user's passkeys. The user's row must be locked. */
export const countPasskeys = (tx: Tx, userId: number): Promise<number> => q.countOwn(tx, userId)

const toView = ({ config }: Pick<Deps, 'config'>, row: q.PasskeyRow): PasskeyView => ({
  id: row.id,
  name: row.name,
  created_at: formatInstant(config.timeZone, row.createdAt),
  last_used_at: row.lastUsedAt && formatInstant(config.timeZone, row.lastUsedAt),
  device_type: row.deviceType,
  backed_up: row.backedUp,
  transports: row.transports,
})
