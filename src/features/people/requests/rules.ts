import { type AppError, conflict, notFound } from '../../../lib/errors'

const MAX_PENDING_PER_RECEIVER = 50
const MAX_PENDING_PER_SENDER = 20
/** Requests from one user to another, within so many hours. */
export const MAX_SENT = 20
export const WITHIN_HOURS = 24

/** The side of a request on which a user is. */
export type Side = 'sender' | 'receiver'

const STATUSES = ['pending', 'accepted', 'rejected', 'cancelled'] as const
type Status = (typeof STATUSES)[number]

/** The status that a side is shown. A rejection is kept secret, so to its sender the request stays pending. */
export const shownStatus = (side: Side, status: Status): Status =>
  side === 'sender' && status === 'rejected' ? 'pending' : status

/** A receiver no longer sees a request that was cancelled. */
const isShown = (side: Side, status: Status): boolean => side === 'sender' || status !== 'cancelled'

/** The stored statuses of the requests that a side sees as `shown`, or sees at all when `shown` is undefined. */
export const statusesShownAs = (side: Side, shown: Status | undefined): Status[] =>
  STATUSES.filter(
    (status) => isShown(side, status) && (shown === undefined || shownStatus(side, status) === shown),
  )

/** Returns a 409 unless the request is pending, as this side sees it. */
export const refusalOfSettling = (side: Side, status: Status): AppError | undefined =>
  shownStatus(side, status) === 'pending' ? undefined : conflict('This request is no longer pending')

/** What matters when one user asks another to connect; the numbers are counts. */
export interface Standing {
  /** The receiver is active and accepts connections. */
  readonly isOpen: boolean
  readonly connections: number
  /** Requests in either direction. */
  readonly pendingBetween: number
  readonly pendingOfReceiver: number
  /** As the sender sees them, without those to the same receiver, which the new one replaces. */
  readonly pendingOfSender: number
}

/**
 * Returns why a user may not send this request (contract: connections.requests). An existing connection or request is checked
 * before `isOpen`: both users know of it anyway, whereas `isOpen` tells a stranger no more than a search does.
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

/** Returns the error for a receiver that cannot be found. `waits`: the sender still sees a pending request to that name. */
export const refusalOfAbsent = (waits: boolean): AppError => (waits ? alreadyPending() : notFound('User'))
