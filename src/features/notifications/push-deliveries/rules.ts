import type { PushOutcome } from '../../../lib/ports/push'
import { addSeconds } from '../../../lib/time/time'

export const LEASE_SECONDS = 60
const MAX_RETRIES = 5
const FIRST_RETRY_SECONDS = 60

/** Returns when to try again after the `attempts`-th failure, or undefined after the last one. */
export const retryAt = (attempts: number, now: Date): Date | undefined =>
  attempts > MAX_RETRIES ? undefined : addSeconds(now, FIRST_RETRY_SECONDS * 2 ** (attempts - 1))

/** The text of a failure for the user; contains no address, header or token. */
export function errorOf(outcome: Exclude<PushOutcome, { kind: 'sent' }>): string {
  switch (outcome.kind) {
    case 'forbidden_address':
      return 'That address is not allowed'
    case 'refused':
      return `The push server answered ${outcome.status}`
    case 'unreachable':
      return 'The push server did not answer'
  }
}

export const UNREADABLE_TOKEN = 'The access token cannot be read any more: set it again'
export const TOO_LATE = 'It came due more than a day ago'
