import { type AppError, conflict, notFound } from '../../../lib/errors'

const MAX_PENDING_PER_RECEIVER = 50
const MAX_PENDING_PER_SENDER = 20

/** Whose request it is: who sent it, or who received it. */
export type Side = 'sender' | 'receiver'

const STATUSES = ['pending', 'accepted', 'rejected', 'cancelled'] as const
type Status = (typeof STATUSES)[number]

/** What a side is shown: nobody is told of a rejection, so to its sender the request stays pending. */
export const shownStatus = (side: Side, status: Status): Status =>
  side === 'sender' && status === 'rejected' ? 'pending' : status

/** A receiver is shown nothing of a request that was taken back. */
const isShown = (side: Side, status: Status): boolean => side === 'sender' || status !== 'cancelled'

/** The statuses whose requests the side finds under `shown`, or in a list of all. */
export const statusesShownAs = (side: Side, shown: Status | undefined): Status[] =>
  STATUSES.filter(
    (status) => isShown(side, status) && (shown === undefined || shownStatus(side, status) === shown),
  )

/** 409 where the side has nothing left to settle. */
export const refusalOfSettling = (side: Side, status: Status): AppError | undefined =>
  shownStatus(side, status) === 'pending' ? undefined : conflict('This request is no longer pending')

/** What stands between somebody who asks and whom they ask; counts of what there is. */
export interface Standing {
  /** The other is active and accepts connections. */
  readonly isOpen: boolean
  readonly connections: number
  /** In either direction. */
  readonly pendingBetween: number
  readonly pendingOfReceiver: number
  /** As the sender sees them, but for one to the same receiver, which the new one would replace. */
  readonly pendingOfSender: number
}

/**
 * Why one may not ask (contract: connections.requests). What the two have with each other comes before whether the other is open to
 * strangers: the one is no news to either of them, and the other tells a stranger as much as a search does.
 */
export function refusalOfRequest(standing: Standing): AppError | 'absent' | undefined {
  if (standing.connections > 0) return conflict('You are already connected')
  if (standing.pendingBetween > 0) return alreadyPending()
  if (!standing.isOpen) return 'absent'
  if (standing.pendingOfReceiver >= MAX_PENDING_PER_RECEIVER) {
    return conflict('This user cannot receive more requests')
  }
  if (standing.pendingOfSender >= MAX_PENDING_PER_SENDER)
    return conflict('You have too many pending requests')
  return undefined
}

const alreadyPending = () => conflict('A request is already pending')

/** The refusal of who asks somebody that they do not find; `waits`: they see a pending request to that name. */
export const refusalOfAbsent = (waits: boolean): AppError => (waits ? alreadyPending() : notFound('User'))
