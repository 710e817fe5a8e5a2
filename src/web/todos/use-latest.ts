import { useCallback, useLayoutEffect, useRef } from 'react'

/** A function that stays the same and does what the one of the last rendering does; for what is called by events. */
export function useLatest<A extends readonly unknown[]>(run: (...given: A) => void): (...given: A) => void {
  const latest = useRef(run)
  useLayoutEffect(() => {
    latest.current = run
  })
  return useCallback((...given: A) => latest.current(...given), [])
}
