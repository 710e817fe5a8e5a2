import { useState } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Switch } from '../parts/Checkbox'
import { announce } from '../parts/messages-store'
import { useForm } from '../parts/use-form'
import { OwnPassword } from '../session/OwnPassword'
import { useSignedIn } from '../session/use-session'
import { FormDialog } from '../parts/FormDialog'
import { disablePasswordless, enablePasswordless } from './data'
import { useAction } from './use-action'

/** The service asks for so many, so that losing one locks nobody out (contract: passkeys.passwordless). */
export const MIN_PASSKEYS = 2

const messages = defineMessages({
  en: {
    label: 'Sign in without a password',
    condition: (count: number) =>
      `Only your passkeys sign you in then, and a stolen password opens nothing. It takes two passkeys, so that losing one does not lock you out; you have ${count}.`,
    isOnHint: 'Only your passkeys sign you in. You keep at least two. Turning it off takes one of them.',
    turnOn: 'Turn on',
    why: 'From now on a passkey is asked for at every sign-in. Your other sessions go on.',
    on: 'Only passkeys sign you in now.',
    off: 'The password signs you in again.',
    offWithout: 'A password that you set signs you in, too.',
    failed: 'This browser could not ask for a passkey here.',
  },
  de: {
    label: 'Ohne Passwort anmelden',
    condition: (count) =>
      `Dann melden nur noch die eigenen Passkeys an, und ein gestohlenes Passwort öffnet nichts. Es braucht zwei Passkeys, damit der Verlust von einem nicht aussperrt; vorhanden: ${count}.`,
    isOnHint:
      'Nur die eigenen Passkeys melden an. Mindestens zwei bleiben. Zum Ausschalten wird einer davon gebraucht.',
    turnOn: 'Einschalten',
    why: 'Ab jetzt wird bei jeder Anmeldung ein Passkey verlangt. Andere Sitzungen laufen weiter.',
    on: 'Jetzt melden nur noch Passkeys an.',
    off: 'Das Passwort meldet wieder an.',
    offWithout: 'Ein Passwort, das noch festgelegt wird, meldet ebenfalls an.',
    failed: 'Dieser Browser konnte hier keinen Passkey abfragen.',
  },
})

interface PasswordlessSwitchProps {
  readonly isOn: boolean
  /** How many the account has. */
  readonly passkeys: number
  readonly onChanged: () => void
}

/** Whether passkeys alone sign in. Turning it on takes the password, where there is one, turning it off a passkey. */
export function PasswordlessSwitch({ isOn, passkeys, onChanged }: PasswordlessSwitchProps) {
  const m = useMessages(messages)
  const { user } = useSignedIn()
  const [isAsking, setAsking] = useState(false)
  const { isBusy, problem, run } = useAction((error) =>
    error instanceof DOMException ? m.failed : undefined,
  )
  const turnOff = async () => {
    await disablePasswordless()
    announce({ text: user.hasPassword ? m.off : m.offWithout })
    onChanged()
  }
  return (
    <div>
      <Switch
        label={m.label}
        hint={isOn ? m.isOnHint : m.condition(passkeys)}
        checked={isOn}
        disabled={!isOn && passkeys < MIN_PASSKEYS}
        aria-busy={isBusy || undefined}
        onChange={() => (isOn ? run(turnOff) : setAsking(true))}
      />
      <p role="alert" className="field-problem">
        {problem}
      </p>
      {isAsking && <TurnOnDialog onDone={onChanged} onClose={() => setAsking(false)} />}
    </div>
  )
}

interface TurnOnProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

function TurnOnDialog({ onDone, onClose }: TurnOnProps) {
  const m = useMessages(messages)
  const { user } = useSignedIn()
  const form = useForm(async ({ password }) => {
    await enablePasswordless(password)
    announce({ text: m.on })
    onClose()
    onDone()
  })
  return (
    <FormDialog title={m.label} action={m.turnOn} form={form} onClose={onClose}>
      <p>{m.why}</p>
      <OwnPassword form={form} user={user} />
    </FormDialog>
  )
}
