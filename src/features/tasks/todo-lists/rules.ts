import { type AppError, conflict } from '../../../lib/errors'

export const DEFAULT_COLOR = '#3b82f6'

interface StoredList {
  readonly isDefault: boolean
}

/** Returns an error when the list may not change in this way (contract: todos.lists). */
export const refusalOfChange = (
  { isDefault }: StoredList,
  { is_default }: { readonly is_default?: boolean },
): AppError | undefined =>
  isDefault && is_default === false ? conflict('The default list cannot be unset') : undefined

/** Returns an error when the list may not be deleted. */
export const refusalOfDeletion = ({ isDefault }: StoredList): AppError | undefined =>
  isDefault ? conflict('The default list cannot be deleted') : undefined
