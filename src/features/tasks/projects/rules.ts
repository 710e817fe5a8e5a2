import { isRank, type Rank } from '../../../lib/ordering'

/** Recognises keys of lists that are arranged by hand. */
export const isRankKey = (key: unknown): key is readonly [rank: Rank] =>
  Array.isArray(key) && key.length === 1 && isRank(key[0])
