import { useEffect } from 'react'
import { useLocation, useParams, useSearch } from 'wouter'
import type { KeptKind } from '../store/kinds'
import { useKeys, useRealId } from '../store/use-store'
import { addressWith } from './addresses'
import { useOverAddress } from './over-page'

/**
 * The record of a kind that stands beside its list, as the address says. The address may have this device's id of what was just made;
 * it gets the service's as soon as there is one.
 */
export function useAddressed(kind: KeptKind) {
  const keyOf = useKeys(kind)
  const { id: asked } = useParams()
  const [path] = useLocation()
  const search = useSearch()
  const before = Number(asked)
  const id = useRealId(kind, before)
  const isOld = asked !== undefined && !Object.is(id, before)
  useNewAddress(isOld ? addressWith(path.replace(/[^/]+$/, String(id)), search) : undefined)
  return asked === undefined ? { id: undefined, key: undefined } : { id, key: keyOf(id) }
}

/** Puts an address in the place of the page's; what is open over the page stays open meanwhile. */
export function useNewAddress(address: string | undefined): void {
  const [, navigate] = useLocation()
  const isCovered = useOverAddress() !== undefined
  useEffect(() => {
    if (address !== undefined && !isCovered) navigate(address, { replace: true })
  }, [address, isCovered, navigate])
}
