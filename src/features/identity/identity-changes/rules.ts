import { addMinutes } from '../../../lib/time/time'

/** Refusals within the window before a user has to wait (contract: accounts.identity-changes). */
export const MAX_REFUSALS = 10
const WINDOW_MINUTES = 60

export const refusedSince = (now: Date): Date => addMinutes(now, -WINDOW_MINUTES)

/**
 * Seconds until the user may try again; undefined when they may now. `refusedAt` are the refusals of the window, newest
 * first.
 */
export function secondsToWait(refusedAt: readonly Date[], now: Date): number | undefined {
  const last = refusedAt[MAX_REFUSALS - 1]
  return last && Math.ceil((addMinutes(last, WINDOW_MINUTES).getTime() - now.getTime()) / 1000)
}

interface Identity {
  readonly email: string | null
  readonly networkName: string
}

/** The requested values: undefined leaves a field, null clears it. */
export interface WantedIdentity {
  readonly email: string | null | undefined
  readonly networkName: string | undefined
}

/** Returns the values that must be checked against other users; null for a field that the user leaves, clears or has already. */
export const askedFor = (current: Identity, { email, networkName }: WantedIdentity) => ({
  email: isOther(current.email, email) ? email : null,
  networkName: isOther(current.networkName, networkName) ? networkName : null,
})

const isOther = (current: string | null, asked: string | null | undefined): asked is string =>
  asked != null && asked.toLowerCase() !== current?.toLowerCase()
