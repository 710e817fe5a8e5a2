import type { ObjectEntry } from '../sources/rules'

/** People and groups have ids of their own each. */
export const isSame = (
  one: Pick<ObjectEntry, 'kind' | 'id'>,
  other: Pick<ObjectEntry, 'kind' | 'id'>,
): boolean => one.kind === other.kind && one.id === other.id
