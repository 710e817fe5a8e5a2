import { useLayoutEffect, useRef } from 'react'

/** Hands the focus on when an element goes away with it: to its neighbour in the list, else to the heading of the page. */
export function useHandingOn<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      const next = element.nextElementSibling ?? element.previousElementSibling
      const target =
        next?.querySelector<HTMLElement>('button, a, input') ?? document.querySelector<HTMLElement>('main h1')
      target?.focus({ preventScroll: true })
    }
  }, [])
  return ref
}
