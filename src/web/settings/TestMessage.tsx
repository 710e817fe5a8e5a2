import { useState } from 'react'
import { call } from '../api/call'
import { type Refusal, refusalOf } from '../api/refusal'
import { useMessages } from '../messages/language'
import { useRefusals } from '../messages/refusals'
import { Button } from '../parts/Button'
import { Status } from '../parts/Status'
import { messages } from './push.messages'

type TestOutcome = 'sent' | Refusal

/** Tries whether messages arrive, also while they are switched off. */
export function TestMessage({ hasTarget }: { readonly hasTarget: boolean }) {
  const m = useMessages(messages)
  const words = useTestWords()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<TestOutcome>()
  const send = async () => {
    setBusy(true)
    setOutcome(undefined)
    try {
      await call('POST', 'settings/ntfy/test')
      setOutcome('sent')
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      setOutcome(refusal)
    } finally {
      setBusy(false)
    }
  }
  const isRefused = outcome !== undefined && outcome !== 'sent'
  return (
    <div className="settings-test">
      <Button onClick={() => void send()} isBusy={isBusy} disabled={!hasTarget}>
        {m.test}
      </Button>
      <Status isVisible>{hasTarget ? outcome === 'sent' && m.testSent : m.testNeedsTarget}</Status>
      <p role="alert" className="field-problem">
        {isRefused && words(outcome)}
      </p>
    </div>
  )
}

/** Says why a test message did not arrive, by what the push server answered. */
function useTestWords() {
  const m = useMessages(messages)
  const { sentence } = useRefusals()
  return (refusal: Refusal): string => {
    if (refusal.code === 'push_unreachable') return m.testUnreachable
    const status = /^push_status_(\d+)$/.exec(refusal.code ?? '')?.[1]
    if (status === undefined) return sentence(refusal)
    if (status === '401' || status === '403') return m.testForbidden
    return status === '429' ? m.testTooMany : m.testRefused(status)
  }
}
