import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { refusalOf } from '../api/refusal'
import type { FormState } from '../parts/use-form'
import { hasPasskeySupport, isPasskeyCancelled } from '../session/passkey'
import { type NextStep, signInWithPasskey } from '../session/sign-in'

/** The service's challenge lives five minutes; a new one takes its place before. */
const RENEWED_AFTER_MS = 240_000

/**
 * Signing in with a passkey: by a button, and among the suggestions of the username's field. A browser runs one such request at
 * a time, so the button ends the suggestions, and they come back when it was given up.
 */
export function usePasskeys(form: FormState, onStep: (step: NextStep) => void) {
  const [isAsking, setAsking] = useState(false)
  const [round, setRound] = useState(0)
  const offering = useRef<AbortController>(undefined)
  const take = useEffectEvent(onStep)
  const tell = useEffectEvent(form.refuse)

  useEffect(() => {
    if (isAsking) return
    const controller = new AbortController()
    offering.current = controller
    const renewal = setTimeout(() => setRound((last) => last + 1), RENEWED_AFTER_MS)
    offer(controller.signal).then(
      (step) => step && take(step),
      // What the browser or the service has against a suggestion nobody asked for. A passkey that was chosen is another matter.
      (error: unknown) => refusalOf(error)?.status === 401 && tell(refusalOf(error)),
    )
    return () => {
      clearTimeout(renewal)
      controller.abort()
    }
  }, [isAsking, round])

  const ask = async () => {
    offering.current?.abort()
    setAsking(true)
    try {
      onStep(await signInWithPasskey())
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal && !isPasskeyCancelled(error)) throw error
      form.refuse(refusal)
    } finally {
      setAsking(false)
    }
  }
  return { isBusy: isAsking, onClick: () => void ask() }
}

async function offer(signal: AbortSignal): Promise<NextStep | undefined> {
  if (!hasPasskeySupport() || !(await PublicKeyCredential.isConditionalMediationAvailable())) return undefined
  return signal.aborted ? undefined : signInWithPasskey({ mediation: 'conditional', signal })
}
