import { type AppError, conflict } from '../../../lib/errors'
import { isRank, type Rank } from '../../../lib/ordering'

export const DEFAULT_COLOR = '#3b82f6'

/** Checks the key of the list, which the user arranges by hand. */
export const isRankKey = (key: unknown): key is readonly [rank: Rank] =>
  Array.isArray(key) && key.length === 1 && isRank(key[0])

/** Returns an error when the address book may not be deleted (contract: people.books). */
export const refusalOfDeletion = ({ isDefault }: { readonly isDefault: boolean }): AppError | undefined =>
  isDefault ? conflict('The default address book cannot be deleted') : undefined
