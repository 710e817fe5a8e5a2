import { inBatches, type IsStopping } from '../../../db/batches'
import type { Tx } from '../../../db/client'
import type { WebauthnPurpose } from '../../../db/schema'
import type { Deps } from '../../../deps'
import type { CredentialState } from '../../../lib/ports/webauthn'
import { sha256Hex } from '../../../lib/text'
import { addSeconds } from '../../../lib/time/time'
import { record } from '../../../access/audit/service'
import { notify } from '../../../access/notices/service'
import type { AssertionCredential, AssertionOptionsView } from './model'
import * as q from './queries'
import { CEREMONY_SECONDS, challengeProblem, type FailureReason, ownerProblem } from './rules'

const CHALLENGE_BYTES = 32
export const CEREMONY_MS = CEREMONY_SECONDS * 1000

interface Ceremony {
  readonly purpose: WebauthnPurpose
  /** The user of the ceremony, whose row is locked; null when the user is not known yet. */
  readonly userId: number | null
}

/** Creates a challenge in base64url; only its SHA-256 is stored (contract: passkeys.challenges). */
export async function issueChallenge(
  tx: Tx,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  { purpose, userId }: Ceremony,
): Promise<string> {
  const challenge = random.bytes(CHALLENGE_BYTES).toBase64({ alphabet: 'base64url', omitPadding: true })
  const now = clock.now()
  await q.insertChallenge(tx, {
    challengeHash: await sha256Hex(challenge),
    purpose,
    userId,
    createdAt: now,
    expiresAt: addSeconds(now, CEREMONY_SECONDS),
  })
  return challenge
}

/** Starts an assertion. With a user, only their passkeys are accepted. */
export async function beginAssertion(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random' | 'config'>,
  ceremony: Ceremony,
): Promise<AssertionOptionsView> {
  const { userId } = ceremony
  return {
    options: {
      rpId: deps.config.webauthn.rpId,
      challenge: await issueChallenge(tx, deps, ceremony),
      timeout: CEREMONY_MS,
      userVerification: 'required',
      allowCredentials: userId === null ? [] : await describePasskeys(tx, userId),
    },
  }
}

/** Lists the user's passkeys as credential descriptors for browsers. */
export const describePasskeys = async (tx: Tx, userId: number) =>
  (await q.listDescriptors(tx, userId)).map((row) => ({ ...row, type: 'public-key' as const }))

interface PasskeyFailure {
  readonly reason: FailureReason
  /** The owner of the passkey, if known. */
  readonly userId: number | null
}

interface Redeemed {
  readonly challenge: string
  /** The user to whom the challenge is bound, if any. */
  readonly userId: number | null
}

/**
 * Uses up the challenge that `clientDataJSON` names, even when the ceremony fails later. Runs outside of any
 * transaction, so that the challenge stays used.
 */
export async function redeemChallenge(
  { db, clock, webauthn }: Pick<Deps, 'db' | 'clock' | 'webauthn'>,
  clientDataJSON: string,
  purpose: WebauthnPurpose,
): Promise<Redeemed | PasskeyFailure> {
  const clientData = webauthn.readClientData(clientDataJSON)
  if (!clientData) return { reason: 'malformed_credential', userId: null }
  const { challenge } = clientData
  const row = await q.takeChallenge(db, await sha256Hex(challenge))
  if (!row) return { reason: 'unknown_challenge', userId: null }
  const reason = challengeProblem(row, clientData, purpose, clock.now())
  return reason === undefined ? { challenge, userId: row.userId } : { reason, userId: null }
}

/** A verified assertion of a passkey, with the state that its authenticator reports. */
export interface Assertion {
  readonly passkeyId: number
  readonly userId: number
  readonly state: CredentialState
}

interface Expected {
  readonly purpose: WebauthnPurpose
  /** The only user whose passkeys are accepted; undefined accepts all users. */
  readonly userId?: number | undefined
}

/**
 * Verifies an assertion except for its sign count, and uses up its challenge. Runs outside of any transaction; call
 * `acceptAssertion` in the transaction that follows.
 */
export async function checkAssertion(
  deps: Pick<Deps, 'db' | 'clock' | 'webauthn'>,
  credential: AssertionCredential,
  expected: Expected,
): Promise<Assertion | PasskeyFailure> {
  const redeemed = await redeemChallenge(deps, credential.response.clientDataJSON, expected.purpose)
  if ('reason' in redeemed) return redeemed
  const known = await q.findCredential(deps.db, credential.id)
  if (!known) return { reason: 'unknown_credential', userId: null }
  const { id: passkeyId, userId, publicKey, deviceType } = known
  const problem = ownerProblem({
    ownerId: userId,
    userIds: [redeemed.userId, expected.userId],
    storedHandle: known.userHandle,
    givenHandle: credential.response.userHandle,
  })
  if (problem) return { reason: problem, userId }
  const { challenge } = redeemed
  const state = await deps.webauthn.verifyAssertion({ credential, challenge, publicKey })
  if (!state) return { reason: 'invalid_assertion', userId }
  if (state.deviceType !== deviceType) return { reason: 'backup_eligibility_changed', userId }
  return { passkeyId, userId, state }
}

/**
 * Records an assertion; the owner's row must be locked. When the sign count shows that the authenticator may have been
 * copied, it notifies the owner. Returns why the assertion is not accepted, or undefined; the transaction must commit
 * in either case.
 */
export async function acceptAssertion(
  tx: Tx,
  { passkeyId: id, userId, state }: Assertion,
  { ip, now }: { readonly ip: string; readonly now: Date },
): Promise<FailureReason | undefined> {
  if (await q.advance(tx, { id, userId }, state, now)) return undefined
  const name = await q.findName(tx, { id, userId })
  if (name === undefined) return 'unknown_credential'
  const detail = { passkey_id: id }
  await record(tx, { action: 'auth.passkey_counter_regressed', actorId: userId, ip, at: now, detail })
  await notify(tx, {
    userId,
    type: 'security',
    title: 'A passkey may have been copied',
    message: `The passkey "${name}" was refused because it counted backwards. If you did not just use it, delete it.`,
    data: detail,
    at: now,
  })
  return 'counter_regressed'
}

/** Deletes expired challenges. Returns how many. */
export const purgeChallenges = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> => inBatches(db, (tx, limit) => q.deleteExpired(tx, clock.now(), limit), isStopping)
