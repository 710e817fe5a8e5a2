import { AppError } from '../../../lib/errors'
import { SHARES, type Tier } from '../occurrences/rules.tiers'
import { inOrder, MAX_BYTES, MAX_OCCURRENCES, type Placed, within } from './rules'

/** An item that may go into the response. */
export interface Weighed extends Placed {
  readonly tier: Tier
  readonly bytes: number
}

/** Collects items for a response until it is known which of them fit. */
export interface Basket<T extends Weighed> {
  /** @throws {AppError} 422 as soon as there are too many of the caller's own items. */
  readonly add: (item: T) => void
  /** Reports that a tier has more items that were not read. @throws {AppError} 422 when they are the caller's own. */
  readonly overflow: (tier: Tier) => void
  /** Items of the tier that start later, in epoch milliseconds, will not be in the response. */
  readonly latest: (tier: Tier) => number
  /** Returns the items of the response, in order. @throws {AppError} 422 for too many bytes. */
  readonly chosen: (bytesOf: (item: T) => number) => Choice<T>
}

interface Choice<T> {
  readonly items: T[]
  /** Whether items of invitations were left out. */
  readonly isTruncated: boolean
}

const INVITATIONS = ['answered', 'unanswered'] as const

const tooMuch = () => new AppError('invalid', 'Narrow the window')

/**
 * Without `first`, keeps all of the caller's own items, and fails when they are too many; with it, keeps that many. Invitations,
 * answered ones before the others, fill the room that is left, within their share, and never make the request fail.
 */
export function basketFor<T extends Weighed>(first?: number): Basket<T> {
  const room = first ?? Infinity
  const kept = {
    own: firstOf<T>(room),
    answered: firstOf<T>(Math.min(room, SHARES.answered.occurrences + 1)),
    unanswered: firstOf<T>(Math.min(room, SHARES.unanswered.occurrences + 1)),
  }
  let [bytes, isTruncated] = [0, false]

  return {
    add(item) {
      const same = kept[item.tier]
      same.add(item)
      if (item.tier !== 'own' || first !== undefined) return
      bytes += item.bytes
      if (same.size() > MAX_OCCURRENCES || bytes > MAX_BYTES) throw tooMuch()
    },
    overflow(tier) {
      if (tier !== 'own') isTruncated = true
      else if (first === undefined) throw tooMuch()
    },
    latest: (tier) => kept[tier].latest(),
    chosen(bytesOf) {
      const own = kept.own.first()
      if (first === undefined && own.reduce((sum, item) => sum + bytesOf(item), 0) > MAX_BYTES)
        throw tooMuch()
      const parts = [own]
      let [left, isCut] = [room - own.length, isTruncated]
      for (const tier of INVITATIONS) {
        const { occurrences, bytes: most } = SHARES[tier]
        const items = within(kept[tier].first(), { count: Math.min(left, occurrences), bytes: most }, bytesOf)
        isCut ||= items.length < kept[tier].size()
        left -= items.length
        parts.push(items)
      }
      const isMixed = parts.some((items, tier) => tier > 0 && items.length > 0)
      return { items: isMixed ? inOrder(parts.flat()) : own, isTruncated: isCut }
    },
  }
}

/** Keeps the first `most` items. */
function firstOf<T extends Placed>(most: number) {
  let items: T[] = []
  let [size, latest] = [0, Infinity]
  return {
    add(item: T): void {
      size++
      if (item.start > latest) return
      items.push(item)
      // Sorts only now and then, as that is slow.
      if (items.length < 4 * most + 1000) return
      items = inOrder(items).slice(0, most)
      latest = items.at(-1)?.start ?? latest
    },
    /** How many were added. */
    size: () => size,
    latest: () => latest,
    first: (): T[] => inOrder(items).slice(0, most),
  }
}
