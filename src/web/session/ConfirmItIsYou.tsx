import { useEffect, useId } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { FormAlert, SubmitButton } from '../parts/Form'
import { Icon } from '../parts/Icon'
import { PasswordField } from '../parts/PasswordField'
import { hasPasskeySupport } from './passkey'
import { endProof } from './reauthenticate'
import type { SessionUser } from './session-user'
import { proofAddress } from './sign-on'
import { useProof } from './use-proof'

const messages = defineMessages({
  en: {
    title: 'Confirm it is you',
    why: 'This changes how your account is protected. What you asked for goes on as soon as you have confirmed.',
    password: 'Password',
    confirm: 'Confirm',
    passkey: 'Use a passkey',
    provider: (name: string) => `Confirm with ${name}`,
    cancel: 'Cancel',
  },
  de: {
    title: 'Identität bestätigen',
    why: 'Das ändert den Schutz des Kontos. Nach der Bestätigung geht es von selbst weiter.',
    password: 'Passwort',
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
          {user.hasPasskeys && hasPasskeySupport() && (
            <Button {...passkey}>
              <Icon name="passkey" />
              {m.passkey}
            </Button>
          )}
          {user.provider && (
            <a href={proofAddress()} className="button button-secondary">
              {m.provider(user.provider)}
            </a>
          )}
          <SubmitButton form={form} formId={id}>
            {m.confirm}
          </SubmitButton>
        </>
      }
    >
      <form {...form.props} id={id} className="enter-form">
        <p>{m.why}</p>
        <FormAlert form={form} />
        <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
        <PasswordField
          label={m.password}
          name="password"
          autoComplete="current-password"
          required
          data-autofocus
          problem={form.problems['password']}
        />
      </form>
    </Dialog>
  )
}
