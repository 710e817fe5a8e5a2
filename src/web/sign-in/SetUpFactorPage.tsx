import { Redirect } from 'wouter'
import type { MfaSetupDoneView } from '../../features/identity/mfa-sign-in/model'
import type { TotpSetupView } from '../../features/identity/totp/model'
import { call } from '../api/call'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { AuthenticatorSetUp } from '../second-factors/AuthenticatorSetUp'
import { isInvalidToken } from '../second-factors/CodeForm'
import { endSecondStep, entered } from '../session/sign-in'
import { EnterCard } from './EnterCard'
import { UNFINISHED } from './SignInPage'
import { usePendingToken } from './use-pending'
import { useOnward } from './use-steps'

const messages = defineMessages({
  en: {
    title: 'Set up a second factor',
    lead: 'This Organiser asks for a code of an authenticator app beside the password.',
  },
  de: {
    title: 'Zweiten Faktor einrichten',
    lead: 'Dieser Organiser verlangt neben dem Passwort den Code einer Authentifizierungs-App.',
  },
})

/** The set-up of a second factor that an administrator requires before the first session. */
export function SetUpFactorPage() {
  const m = useMessages(messages)
  const onward = useOnward()
  const token = usePendingToken('set-up')
  if (token === undefined) return <Redirect to={onward(PATTERNS.signIn)} state={UNFINISHED} replace />
  return (
    <EnterCard title={m.title} lead={m.lead}>
      <AuthenticatorSetUp
        begin={() => begin(token)}
        confirm={(code) => confirm(token, code)}
        onDone={entered}
      />
    </EnterCard>
  )
}

const begin = (token: string) =>
  sent(call<TotpSetupView>('POST', 'auth/mfa-setup/begin', { body: { mfa_token: token } }))

const confirm = async (token: string, code: string) =>
  (await sent(call<MfaSetupDoneView>('POST', 'auth/mfa-setup/confirm', { body: { mfa_token: token, code } })))
    .backup_codes

/** An answer; a token that is used up or has expired leads back to the sign-in. */
async function sent<T>(answer: Promise<{ readonly body: T }>): Promise<T> {
  try {
    return (await answer).body
  } catch (error) {
    if (isInvalidToken(error)) endSecondStep()
    throw error
  }
}
