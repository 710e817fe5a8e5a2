import { useCallback, useEffect, useState } from 'react'
import { type Refusal, refusalOf } from './refusal'

interface AskedService<T> {
  readonly value?: T
  readonly refusal?: Refusal
}

/** Asks the service when the component appears and whenever `ask` changes; the last value stays until the next is there. */
export function useAnswer<T>(ask: () => Promise<T>): AskedService<T> & { readonly again: () => void } {
  const [asked, setAsked] = useState<AskedService<T>>({})
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isCurrent = true
    ask().then(
      (value) => isCurrent && setAsked({ value }),
      (error: unknown) => {
        const refusal = refusalOf(error)
        if (!refusal) throw error
        if (isCurrent) setAsked((before) => ({ ...before, refusal }))
      },
    )
    return () => {
      isCurrent = false
    }
  }, [ask, attempt])
  const again = useCallback(() => setAttempt((count) => count + 1), [])
  return { ...asked, again }
}
