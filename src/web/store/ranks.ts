import { isLocal } from './commands'

/** Ranks are decimal numbers of any length, so that a place between two others is never lost to rounding. */
const fractionOf = (rank: string) => rank.split('.')[1] ?? ''
const scaled = (rank: string, digits: number): bigint =>
  BigInt(rank.replace('.', '') + '0'.repeat(digits - fractionOf(rank).length))

function compareRanks(one: string, other: string): number {
  if (one === other) return 0
  const digits = Math.max(fractionOf(one).length, fractionOf(other).length)
  return scaled(one, digits) < scaled(other, digits) ? -1 : 1
}

/** A rank for the time until the service has chosen its own: between two neighbours, or before or after all. */
export function rankBetween(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return after === undefined ? '1' : String(Math.floor(Number(after)) - 1)
  if (after === undefined) return String(Math.floor(Number(before)) + 1)
  const digits = Math.max(fractionOf(before).length, fractionOf(after).length) + 1
  const middle = (scaled(before, digits) + scaled(after, digits)) / 2n
  const text = String(middle < 0n ? -middle : middle).padStart(digits + 1, '0')
  return `${middle < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

interface Ranked {
  readonly rank: string
  readonly created_at: string
}

/** Records in their order; what was made at once and is still on its way, by when it was made. */
export function inOrder<T extends Ranked>(records: readonly T[]): readonly T[] {
  // Thousands of them are compared as numbers, and by all their digits only where these are equal.
  return records
    .map((record) => ({ record, rough: Number(record.rank) }))
    .toSorted((one, other) => one.rough - other.rough || byDigits(one.record, other.record))
    .map(({ record }) => record)
}

const byDigits = (one: Ranked, other: Ranked): number =>
  compareRanks(one.rank, other.rank) ||
  (one.created_at < other.created_at ? -1 : Number(one.created_at > other.created_at))

type Aged = Pick<Ranked, 'created_at'> & { readonly id: number }

/** Those that were made first come first; what is still on its way comes last. */
export const byAge = (one: Aged, other: Aged): number =>
  isLocal(one.id) && isLocal(other.id)
    ? Temporal.Instant.compare(one.created_at, other.created_at)
    : Number(isLocal(one.id)) - Number(isLocal(other.id)) || one.id - other.id
