import { useEffect, useId } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { FormAlert, SubmitButton } from '../parts/Form'
import { Icon } from '../parts/Icon'
import { OwnPassword } from './OwnPassword'
import { hasPasskeySupport } from './passkey'
import { endProof } from './reauthenticate'
import type { SessionUser } from './session-user'
import { proofAddress } from './sign-on'
import { useProof } from './use-proof'

const messages = defineMessages({
  en: {
    title: 'Confirm it is you',
    why: 'This changes how your account is protected. What you asked for goes on as soon as you have confirmed.',
    whyProvider: (name: string) =>
      `This changes how your account is protected. ${name} asks who you are and leads back to this page; then do it once more.`,
    confirm: 'Confirm',
    passkey: 'Use a passkey',
    provider: (name: string) => `Confirm with ${name}`,
    cancel: 'Cancel',
  },
  de: {
    title: 'Identität bestätigen',
    why: 'Das ändert den Schutz des Kontos. Nach der Bestätigung geht es von selbst weiter.',
    whyProvider: (name) =>
      `Das ändert den Schutz des Kontos. ${name} fragt, wer da ist, und führt auf diese Seite zurück; danach bitte noch einmal versuchen.`,
    confirm: 'Bestätigen',
    passkey: 'Passkey verwenden',
    provider: (name) => `Mit ${name} bestätigen`,
    cancel: 'Abbrechen',
  },
})

/** Asks for a proof while requests wait for one (contract: web.proof). */
export function ConfirmItIsYou({ user }: { readonly user: SessionUser }) {
  const m = useMessages(messages)
  const id = useId()
  const { form, passkey } = useProof(() => endProof(true))
  const { provider, hasPassword } = user
  const hasPasskeys = user.hasPasskeys && hasPasskeySupport()
  const hasProviderOnly = provider !== null && !hasPassword && !hasPasskeys
  // Leaving the page, or locking it, gives the requests up.
  useEffect(() => () => endProof(false), [])
  return (
    <Dialog
      title={m.title}
      onClose={() => endProof(false)}
      footer={
        <>
          <Button kind="quiet" onClick={() => endProof(false)}>
            {m.cancel}
          </Button>
          {hasPasskeys && (
            <Button {...passkey} data-autofocus={hasPassword ? undefined : true}>
              <Icon name="passkey" />
              {m.passkey}
            </Button>
          )}
          {provider !== null && <ProviderProof name={provider} isAlone={hasProviderOnly} />}
          {hasPassword && (
            <SubmitButton form={form} formId={id}>
              {m.confirm}
            </SubmitButton>
          )}
        </>
      }
    >
      <form {...form.props} id={id} className="enter-form">
        <p>{hasProviderOnly ? m.whyProvider(provider) : m.why}</p>
        <FormAlert form={form} />
        <OwnPassword form={form} user={user} />
      </form>
    </Dialog>
  )
}

interface ProviderProofProps {
  readonly name: string
  /** Nothing else proves who the user is. */
  readonly isAlone: boolean
}

/** The way to the identity provider, which leads back to a new page. */
function ProviderProof({ name, isAlone }: ProviderProofProps) {
  const m = useMessages(messages)
  return (
    <a
      href={proofAddress()}
      className={`button button-${isAlone ? 'primary' : 'secondary'}`}
      data-autofocus={isAlone || undefined}
    >
      {m.provider(name)}
    </a>
  )
}
