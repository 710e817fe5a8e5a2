import { addMinutes } from '../../../lib/time/time'

/** How many refusals a user gets within the window, before no more are given (contract: accounts.identity-changes). */
export const MAX_REFUSALS = 10
const WINDOW_MINUTES = 60

export const refusedSince = (now: Date): Date => addMinutes(now, -WINDOW_MINUTES)

/** Seconds until the user may ask again; undefined while they may. `refusedAt` are those of the window, newest first. */
export function secondsToWait(refusedAt: readonly Date[], now: Date): number | undefined {
  const last = refusedAt[MAX_REFUSALS - 1]
  return last && Math.ceil((addMinutes(last, WINDOW_MINUTES).getTime() - now.getTime()) / 1000)
}

interface Identity {
  readonly email: string | null
  readonly networkName: string
}

/** Undefined leaves a field, null clears it. */
export interface Wish {
  readonly email: string | null | undefined
  readonly networkName: string | undefined
}

/** What is asked for that may be somebody else's; null where the user has it already, gives it up or leaves it. */
export const askedFor = (current: Identity, { email, networkName }: Wish) => ({
  email: isOther(current.email, email) ? email : null,
  networkName: isOther(current.networkName, networkName) ? networkName : null,
})

const isOther = (current: string | null, asked: string | null | undefined): asked is string =>
  asked != null && asked.toLowerCase() !== current?.toLowerCase()
