import type { ClientData } from '../../../lib/ports/webauthn'

/** The longest time that a ceremony may take. */
export const CEREMONY_SECONDS = 300

/** COSE algorithms in the order of preference: EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257] as const

/** Why a ceremony failed; for the audit log only, not for the caller. */
export type FailureReason =
  | 'malformed_credential'
  | 'unknown_challenge'
  | 'expired_challenge'
  | 'challenge_of_another_purpose'
  | 'challenge_of_another_user'
  | 'cross_origin'
  | 'unknown_credential'
  | 'wrong_user_handle'
  | 'invalid_assertion'
  | 'backup_eligibility_changed'
  | 'counter_regressed'

interface Challenge {
  readonly purpose: string
  readonly expiresAt: Date
}

/** Returns what is wrong with the stored challenge that the signed client data names. */
export function challengeProblem(
  challenge: Challenge,
  { isCrossOrigin }: ClientData,
  purpose: string,
  now: Date,
): FailureReason | undefined {
  if (isCrossOrigin) return 'cross_origin'
  if (challenge.purpose !== purpose) return 'challenge_of_another_purpose'
  return challenge.expiresAt <= now ? 'expired_challenge' : undefined
}

interface Claim {
  readonly ownerId: number
  /** Users to whom the ceremony is limited; null and undefined mean no limit. */
  readonly userIds: ReadonlyArray<number | null | undefined>
  readonly storedHandle: string | null
  readonly givenHandle: string | null | undefined
}

/** Checks the claimed owner of the credential. Discoverable credentials always name their owner. */
export function ownerProblem({
  ownerId,
  userIds,
  storedHandle,
  givenHandle,
}: Claim): FailureReason | undefined {
  if (userIds.some((userId) => userId != null && userId !== ownerId)) return 'challenge_of_another_user'
  return givenHandle == null || givenHandle !== storedHandle ? 'wrong_user_handle' : undefined
}
