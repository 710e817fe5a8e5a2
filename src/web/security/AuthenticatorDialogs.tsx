import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Field } from '../parts/Field'
import { PasswordField } from '../parts/PasswordField'
import { type FormState, useForm } from '../parts/use-form'
import { ClockWarning } from '../second-factors/ClockWarning'
import { withoutSpaces } from '../second-factors/CodeForm'
import { useSignedIn } from '../session/use-session'
import { FormDialog } from '../parts/FormDialog'
import { disableTotp, renewBackupCodes } from './data'

const messages = defineMessages({
  en: {
    turnOff: 'Turn off the authenticator',
    off: 'Turn off',
    offWhy: 'Afterwards the password alone signs you in, and the backup codes no longer work.',
    password: 'Password',
    code: 'Code',
    codeHint: 'Six digits of the authenticator, or a backup code if it is lost.',
    renew: 'New backup codes',
    renewWhy: 'The old codes no longer work, used or not.',
    get: 'Get new codes',
  },
  de: {
    turnOff: 'Authentifizierungs-App ausschalten',
    off: 'Ausschalten',
    offWhy: 'Danach genügt beim Anmelden das Passwort, und die Ersatzcodes gelten nicht mehr.',
    password: 'Passwort',
    code: 'Code',
    codeHint: 'Sechs Ziffern der App oder, wenn sie verloren ist, ein Ersatzcode.',
    renew: 'Neue Ersatzcodes',
    renewWhy: 'Die alten Codes gelten dann nicht mehr, ob benutzt oder nicht.',
    get: 'Neue Codes holen',
  },
})

interface TurnOffProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

export function TurnOffDialog({ onDone, onClose }: TurnOffProps) {
  const m = useMessages(messages)
  const form = useForm(async ({ password = '', code = '' }) => {
    await disableTotp(password, withoutSpaces(code))
    onClose()
    onDone()
  })
  return (
    <FormDialog title={m.turnOff} action={m.off} isDangerous form={form} onClose={onClose}>
      <p>{m.offWhy}</p>
      <ClockWarning />
      <OwnPassword form={form} />
      <Field
        label={m.code}
        hint={m.codeHint}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        required
        problem={form.problems['code']}
      />
    </FormDialog>
  )
}

interface RenewCodesProps {
  readonly onCodes: (codes: readonly string[]) => void
  readonly onClose: () => void
}

export function RenewCodesDialog({ onCodes, onClose }: RenewCodesProps) {
  const m = useMessages(messages)
  const form = useForm(async ({ password = '' }) => {
    const codes = await renewBackupCodes(password)
    onClose()
    onCodes(codes)
  })
  return (
    <FormDialog title={m.renew} action={m.get} form={form} onClose={onClose}>
      <p>{m.renewWhy}</p>
      <OwnPassword form={form} />
    </FormDialog>
  )
}

/** The password of the account, which some changes take besides a recent proof. */
export function OwnPassword({ form }: { readonly form: FormState }) {
  const m = useMessages(messages)
  const { user } = useSignedIn()
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <PasswordField
        label={m.password}
        name="password"
        autoComplete="current-password"
        required
        data-autofocus
        problem={form.problems['password']}
      />
    </>
  )
}
