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

/** An item that may go into the response. */
export interface Weighed extends Placed {
  /** Whether it comes from an unanswered invitation: then other users decide how many of these there are. */
  readonly isUnanswered: boolean
  readonly bytes: number
}

/** Collects items for a response until it is known which of them fit. */
export interface Basket<T extends Weighed> {
  /** @throws {AppError} 422 as soon as there are too many of the caller's own items. */
  readonly add: (item: T) => void
  /** Reports that more items exist that were not read. @throws {AppError} 422 when they are the caller's own. */
  readonly overflow: (isUnanswered: boolean) => void
  /** The caller's own items that start later, in epoch milliseconds, will not be in the response. */
  readonly latest: () => number
  /** Returns the items of the response, in order. @throws {AppError} 422 for too many bytes. */
  readonly chosen: (bytesOf: (item: T) => number) => Choice<T>
}

interface Choice<T> {
  readonly items: T[]
  /** Whether items of unanswered invitations were left out. */
  readonly isTruncated: boolean
}

const tooMuch = () => new AppError('invalid', 'Narrow the window')

/**
 * With `first`, keeps that many of the caller's own items; without it keeps all, and fails when they are too many. Unanswered
 * invitations fill the room that is left, within limits of their own, and never make the request fail.
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

/** Keeps at least the first `count`; sorts only now and then, as that is slow. */
const pruned = <T extends Placed>(items: T[], count: number): T[] =>
  items.length < 4 * count + 1000 ? items : inOrder(items).slice(0, count)
