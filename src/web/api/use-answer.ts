import { useCallback, useEffect, useState } from 'react'
import { type Refusal, refusalOf } from './refusal'

interface AskedService<T> {
  readonly value?: T
  readonly refusal?: Refusal
}

interface KeptAnswer<T> extends AskedService<T> {
  /** Asks once more. */
  readonly again: () => void
  /** Takes into the value what a confirmed request of ours changed of it. */
  readonly amend: (change: (value: T) => T) => void
}

/** Asks the service when the component appears and whenever `ask` changes; the last value stays until the next is there. */
export function useAnswer<T>(ask: () => Promise<T>): KeptAnswer<T> {
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
  const amend = useCallback(
    (change: (value: T) => T) =>
      setAsked((before) =>
        before.value === undefined ? before : { ...before, value: change(before.value) },
      ),
    [],
  )
  return { ...asked, again, amend }
}
