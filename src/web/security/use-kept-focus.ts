import { useLayoutEffect, useRef } from 'react'

/** For the heading of a list: it takes the focus when the line that had it goes away. */
export function useKeptFocus(items: readonly unknown[] | undefined) {
  const heading = useRef<HTMLHeadingElement>(null)
  const count = items?.length ?? 0
  const before = useRef(count)
  useLayoutEffect(() => {
    const isLess = count < before.current
    before.current = count
    if (isLess && document.activeElement === document.body) heading.current?.focus()
  }, [count])
  return heading
}
