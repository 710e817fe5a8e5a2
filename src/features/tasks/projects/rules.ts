import { isRank, type Rank } from '../../../lib/ordering'

/** Checks the key of a list that the user arranges by hand. */
export const isRankKey = (key: unknown): key is readonly [rank: Rank] =>
  Array.isArray(key) && key.length === 1 && isRank(key[0])
