import { useLocation, useSearch } from 'wouter'
import { addressWith } from '../app/addresses'

/** The filters of a list, which stand in the address: a link, a reload and the way back keep them. */
export function useAddressFilters(path: string) {
  const params = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()
  return {
    /** Nothing is an empty text. */
    get: (name: string) => params.get(name) ?? '',
    /** One of these values, or nothing. */
    among: <T extends string>(name: string, values: readonly T[]): T | '' =>
      values.find((value) => value === params.get(name)) ?? '',
    set: (name: string, value: string) => {
      if (value === '') params.delete(name)
      else params.set(name, value)
      navigate(addressWith(path, params.toString()), { replace: true })
    },
  }
}
