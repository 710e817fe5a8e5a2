import { Link, Redirect } from 'wouter'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { CodeForm } from '../second-factors/CodeForm'
import { endSecondStep } from '../session/sign-in'
import { EnterCard } from './EnterCard'
import { UNFINISHED } from './SignInPage'
import { usePendingToken } from './use-pending'
import { useOnward } from './use-steps'

const messages = defineMessages({
  en: {
    title: 'Second step',
    lead: 'The first step is done. One more proof, and you are in.',
    back: 'Back to sign-in',
  },
  de: {
    title: 'Zweiter Schritt',
    lead: 'Der erste Schritt ist getan. Jetzt fehlt nur noch ein Nachweis.',
    back: 'Zurück zur Anmeldung',
  },
})

/** Asks for the second factor. Its token lives in memory, so a reload leads back to the sign-in. */
export function SecondFactorPage() {
  const m = useMessages(messages)
  const onward = useOnward()
  const token = usePendingToken('code')
  if (token === undefined) return <Redirect to={onward(PATTERNS.signIn)} state={UNFINISHED} replace />
  return (
    <EnterCard title={m.title} lead={m.lead} foot={<Link href={onward(PATTERNS.signIn)}>{m.back}</Link>}>
      <CodeForm token={token} onInvalidToken={endSecondStep} />
    </EnterCard>
  )
}
