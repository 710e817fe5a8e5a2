import { type AppError, conflict, notFound } from '../../lib/errors'

const MAX_PENDING_PER_RECEIVER = 50
const MAX_PENDING_PER_SENDER = 20

/** What stands between somebody who asks and whom they ask; counts of what there is. */
export interface Standing {
  /** The other is active and accepts connections. */
  readonly isOpen: boolean
  readonly connections: number
  /** In either direction. */
  readonly pendingBetween: number
  readonly pendingOfReceiver: number
  readonly pendingOfSender: number
}

/**
 * Why one may not ask (contract, section 15). What the two have with each other comes before whether the other is open to
 * strangers: the one is no news to either of them, and the other tells a stranger as much as a search does.
 */
export function refusalOfRequest(standing: Standing): AppError | undefined {
  if (standing.connections > 0) return conflict('You are already connected')
  if (standing.pendingBetween > 0) return conflict('A request is already pending')
  if (!standing.isOpen) return notFound('User')
  if (standing.pendingOfReceiver >= MAX_PENDING_PER_RECEIVER) {
    return conflict('This user cannot receive more requests')
  }
  if (standing.pendingOfSender >= MAX_PENDING_PER_SENDER)
    return conflict('You have too many pending requests')
  return undefined
}
