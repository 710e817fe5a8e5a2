import { isStorable } from '../../lib/text'

/** Keys of lists in the order of the network name, which is unique. */
export type NetworkNameKey = readonly [networkName: string]

export const isNetworkNameKey = (key: unknown): key is NetworkNameKey =>
  Array.isArray(key) && key.length === 1 && typeof key[0] === 'string' && isStorable(key[0])
