import { useRef, useState } from 'react'
import { refusalOf } from '../api/refusal'
import { useRefusals } from '../messages/refusals'
import { isPasskeyCancelled } from '../session/passkey'

/** What a person began and gave up needs no words: a proof of who they are, or the browser's own dialog for passkeys. */
const isGivenUp = (error: unknown): boolean =>
  isPasskeyCancelled(error) || refusalOf(error)?.code === 'reauthentication_required'

/**
 * Runs what a button asks for, one at a time. `tell` has words for what a browser throws; what nobody has words for is thrown on.
 */
export function useAction(tell: (error: unknown) => string | undefined = () => undefined) {
  const { sentence } = useRefusals()
  const isRunning = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const problemOf = (error: unknown): string | undefined => {
    if (isGivenUp(error)) return undefined
    const refusal = refusalOf(error)
    const words = refusal ? sentence(refusal) : tell(error)
    if (words === undefined) throw error
    return words
  }
  const attempt = async (action: () => Promise<void>) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      await action()
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { isBusy, problem, run: (action: () => Promise<void>) => void attempt(action) }
}
