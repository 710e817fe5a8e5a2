import { useEffect, useRef, useState } from 'react'

type AnyFunction = (...values: unknown[]) => unknown

/** Functions that stay the same as long as the component is shown and do what the latest ones do, so that lines are not drawn anew. */
export function useStable<T extends object>(functions: T): T {
  const latest = useRef(functions)
  useEffect(() => {
    latest.current = functions
  })
  const [stable] = useState(() => {
    const run = (name: string): AnyFunction => Reflect.get(latest.current, name) as AnyFunction
    return Object.fromEntries(
      Object.keys(functions).map((name) => [name, (...values: unknown[]) => run(name)(...values)]),
    ) as T
  })
  return stable
}
