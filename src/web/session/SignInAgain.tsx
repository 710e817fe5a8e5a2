import { useState } from 'react'
import { refusalOf } from '../api/refusal'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { FormAlert, SubmitButton } from '../parts/Form'
import { Icon } from '../parts/Icon'
import { useForm } from '../parts/use-form'
import { CodeForm } from '../second-factors/CodeForm'
import { OwnPassword } from './OwnPassword'
import { hasPasskeySupport, isPasskeyCancelled } from './passkey'
import type { Session } from './session'
import { type NextStep, signIn, signInWithPasskey } from './sign-in'
import { beginAddress } from './sign-on'
import { leave } from './sign-out'

type EndedSession = Extract<Session, { is: 'ended' }>

const messages = defineMessages({
  en: {
    title: 'Sign in again',
    why: (name: string) => `The session of ${name} has ended. What you typed is kept behind this dialog.`,
    signIn: 'Sign in',
    passkey: 'Sign in with a passkey',
    provider: (name: string) => `Sign in with ${name}`,
    other: 'Sign in as somebody else',
  },
  de: {
    title: 'Noch einmal anmelden',
    why: (name: string) =>
      `Die Sitzung von ${name} ist beendet. Was eingegeben wurde, bleibt hinter diesem Fenster stehen.`,
    signIn: 'Anmelden',
    passkey: 'Mit Passkey anmelden',
    provider: (name) => `Mit ${name} anmelden`,
    other: 'Mit anderem Konto anmelden',
  },
})

/** Stands over a page whose session ended while something was typed (contract: web.session-end). */
export function SignInAgain({ session }: { readonly session: EndedSession }) {
  const m = useMessages(messages)
  const [closedFor, setClosedFor] = useState<EndedSession>()
  // A refusal of something that is tried later brings a new session object, and the dialog back.
  if (closedFor === session) return null
  return (
    <Dialog title={m.title} onClose={() => setClosedFor(session)}>
      <div className="enter-form">
        <p>{m.why(session.user.username)}</p>
        {session.pending ? (
          <CodeForm token={session.pending.token} onInvalidToken={leave} />
        ) : (
          <Credentials session={session} />
        )}
        <Button kind="quiet" onClick={leave}>
          {m.other}
        </Button>
      </div>
    </Dialog>
  )
}

/** A second factor that has to be set up takes a page of its own. */
const follow = (step: NextStep) => step === 'set-up' && leave()

function Credentials({ session: { user } }: { readonly session: EndedSession }) {
  const m = useMessages(messages)
  const form = useForm(async ({ password = '' }) => void follow(await signIn(user.username, password)))
  const usePasskey = async () => {
    try {
      follow(await signInWithPasskey())
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal && !isPasskeyCancelled(error)) throw error
      form.refuse(refusal)
    }
  }
  return (
    <form {...form.props} className="enter-form">
      <FormAlert form={form} />
      <OwnPassword form={form} user={user} />
      {user.hasPassword && <SubmitButton form={form}>{m.signIn}</SubmitButton>}
      {user.hasPasskeys && hasPasskeySupport() && (
        <Button onClick={() => void usePasskey()}>
          <Icon name="passkey" />
          {m.passkey}
        </Button>
      )}
      {user.provider !== null && (
        <a
          href={beginAddress(`${location.pathname}${location.search}`)}
          className={`button button-${user.hasPassword ? 'secondary' : 'primary'}`}
        >
          {m.provider(user.provider)}
        </a>
      )}
    </form>
  )
}
