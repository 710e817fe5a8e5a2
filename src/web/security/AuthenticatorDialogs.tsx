import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Field } from '../parts/Field'
import { useForm } from '../parts/use-form'
import { ClockWarning } from '../second-factors/ClockWarning'
import { withoutSpaces } from '../second-factors/CodeForm'
import { OwnPassword } from '../session/OwnPassword'
import { useSignedIn } from '../session/use-session'
import { FormDialog } from '../parts/FormDialog'
import { disableTotp, renewBackupCodes } from './data'

const messages = defineMessages({
  en: {
    turnOff: 'Turn off the authenticator',
    off: 'Turn off',
    offWhy: 'Afterwards no code is asked for when you sign in, and the backup codes no longer work.',
    code: 'Code',
    codeHint: 'Six digits of the authenticator, or a backup code if it is lost.',
    renew: 'New backup codes',
    renewWhy: 'The old codes no longer work, used or not.',
    get: 'Get new codes',
  },
  de: {
    turnOff: 'Authentifizierungs-App ausschalten',
    off: 'Ausschalten',
    offWhy: 'Danach wird beim Anmelden kein Code mehr verlangt, und die Ersatzcodes gelten nicht mehr.',
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
  const { user } = useSignedIn()
  const form = useForm(async ({ password, code = '' }) => {
    await disableTotp(password, withoutSpaces(code))
    onClose()
    onDone()
  })
  return (
    <FormDialog title={m.turnOff} action={m.off} isDangerous form={form} onClose={onClose}>
      <p>{m.offWhy}</p>
      <ClockWarning />
      <OwnPassword form={form} user={user} />
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
  const { user } = useSignedIn()
  const form = useForm(async ({ password }) => {
    const codes = await renewBackupCodes(password)
    onClose()
    onCodes(codes)
  })
  return (
    <FormDialog title={m.renew} action={m.get} form={form} onClose={onClose}>
      <p>{m.renewWhy}</p>
      <OwnPassword form={form} user={user} />
    </FormDialog>
  )
}
