import { AppError } from '../../../lib/errors'
import {
  inOrder,
  MAX_BYTES,
  MAX_OCCURRENCES,
  MAX_UNANSWERED,
  MAX_UNANSWERED_BYTES,
  type Placed,
  within,
} from './rules'

/** What may go into an answer. */
export interface Weighed extends Placed {
  /** Of an invitation that is not answered: somebody else decides how much of it there is. */
  readonly isUnanswered: boolean
  readonly bytes: number
}

/** What is found for an answer, until it is known what of it fits. */
export interface Basket<T extends Weighed> {
  /** @throws {AppError} 422 as soon as there is too much of what is the caller's. */
  readonly add: (item: T) => void
  /** There is more that nobody has looked at. @throws {AppError} 422 where it is the caller's. */
  readonly overflow: (isUnanswered: boolean) => void
  /** What is the caller's and starts later, in epoch milliseconds, is not in the answer. */
  readonly latest: () => number
  /** What the answer holds, in order. @throws {AppError} 422 for too many bytes. */
  readonly chosen: (bytesOf: (item: T) => number) => Choice<T>
}

interface Choice<T> {
  readonly items: T[]
  /** Whether something of unanswered invitations is left out. */
  readonly isTruncated: boolean
}

const tooMuch = () => new AppError('invalid', 'Narrow the window')

/**
 * With `first` the first of what is the caller's, else all of it, which then must not be too much. Unanswered invitations take
 * the room that is left, up to bounds of their own, and never fail the answer.
 */
export function basketFor<T extends Weighed>(first?: number): Basket<T> {
  const mostUnanswered = Math.min(first ?? MAX_UNANSWERED, MAX_UNANSWERED)
  let [own, unanswered]: [T[], T[]] = [[], []]
  let [bytes, isTruncated, latest] = [0, false, Number.POSITIVE_INFINITY]

  function addOwn(item: T): void {
    if (item.start > latest) return
    own.push(item)
    bytes += item.bytes
    if (first === undefined) {
      if (own.length > MAX_OCCURRENCES || bytes > MAX_BYTES) throw tooMuch()
      return
    }
    const kept = pruned(own, first)
    if (kept !== own) latest = kept.at(-1)?.start ?? latest
    own = kept
  }

  return {
    add(item) {
      if (!item.isUnanswered) return addOwn(item)
      unanswered.push(item)
      unanswered = pruned(unanswered, mostUnanswered + 1)
    },
    overflow(isUnanswered) {
      if (isUnanswered) isTruncated = true
      else if (first === undefined) throw tooMuch()
    },
    latest: () => latest,
    chosen(bytesOf) {
      const mine = inOrder(own).slice(0, first)
      const total = first === undefined ? mine.reduce((sum, item) => sum + bytesOf(item), 0) : 0
      if (total > MAX_BYTES) throw tooMuch()
      const room = first === undefined ? MAX_UNANSWERED : Math.min(mostUnanswered, first - mine.length)
      const bounds = { count: room, bytes: MAX_UNANSWERED_BYTES }
      const others = within(inOrder(unanswered), bounds, bytesOf)
      return {
        items: others.length === 0 ? mine : inOrder([...mine, ...others]),
        isTruncated: isTruncated || others.length < unanswered.length,
      }
    },
  }
}

/** At least the first `count`; now and then no more. */
const pruned = <T extends Placed>(items: T[], count: number): T[] =>
  items.length < 4 * count + 1000 ? items : inOrder(items).slice(0, count)
