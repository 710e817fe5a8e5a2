import type { ClientData } from '../../../lib/ports'

/** How long a ceremony may take. */
export const CEREMONY_SECONDS = 300

/** COSE algorithms in the order of preference: EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257] as const

/** Why a ceremony failed: for the audit log only, the caller is told nothing. */
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

/** What is wrong with a challenge that was found for what the browser says it signed. */
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
  /** Who alone may pass; null where anybody may. */
  readonly userIds: ReadonlyArray<number | null | undefined>
  readonly storedHandle: string | null
  readonly givenHandle: string | null | undefined
}

/** What is wrong with who is said to own the credential. Discoverable ones always name their owner. */
export function ownerProblem({
  ownerId,
  userIds,
  storedHandle,
  givenHandle,
}: Claim): FailureReason | undefined {
  if (userIds.some((userId) => userId != null && userId !== ownerId)) return 'challenge_of_another_user'
  return givenHandle == null || givenHandle !== storedHandle ? 'wrong_user_handle' : undefined
}
