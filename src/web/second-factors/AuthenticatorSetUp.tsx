import { useEffect, useState } from 'react'
import type { TotpSetupView } from '../../features/identity/totp/model'
import { type Refusal, refusalOf } from '../api/refusal'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useRefusals } from '../messages/refusals'
import { Button } from '../parts/Button'
import { CopyButton } from '../parts/CopyButton'
import { fetched, useFetched } from '../parts/fetched'
import { Field } from '../parts/Field'
import { FormAlert, SubmitButton } from '../parts/Form'
import { MissingNote, missingOf } from '../parts/Missing'
import { useForm } from '../parts/use-form'
import { BackupCodes } from './BackupCodes'
import { ClockWarning } from './ClockWarning'
import { withoutSpaces } from './CodeForm'

const qrCode = fetched(() => import('./QrCode'))

const messages = defineMessages({
  en: {
    scan: 'Scan this with an authenticator app, such as Aegis, 2FAS or Google Authenticator.',
    qr: 'QR code for the authenticator app',
    here: 'Open it in the authenticator app of this device',
    type: 'Or type this key into the app:',
    key: 'the key',
    code: 'Code',
    hint: 'The six digits that the app shows then.',
    turnOn: 'Turn on',
    again: 'Try again',
    cancel: 'Cancel',
  },
  de: {
    scan: 'Mit einer Authentifizierungs-App scannen, etwa Aegis, 2FAS oder Google Authenticator.',
    qr: 'QR-Code für die Authentifizierungs-App',
    here: 'In der Authentifizierungs-App dieses Geräts öffnen',
    type: 'Oder diesen Schlüssel in die App eingeben:',
    key: 'Schlüssel',
    code: 'Code',
    hint: 'Die sechs Ziffern, die die App dann zeigt.',
    turnOn: 'Einschalten',
    again: 'Noch einmal versuchen',
    cancel: 'Abbrechen',
  },
})

interface AuthenticatorSetUpProps {
  /** Asks the service for a new secret. */
  readonly begin: () => Promise<TotpSetupView>
  /** Turns it on with its first code; returns the backup codes. */
  readonly confirm: (code: string) => Promise<readonly string[]>
  /** The user has the backup codes. */
  readonly onDone: () => Promise<void> | void
}

/** From a new secret over its first code to the backup codes (contract: web.backup-codes). */
export function AuthenticatorSetUp({ begin, confirm, onDone }: AuthenticatorSetUpProps) {
  const m = useMessages(messages)
  const words = useRefusals()
  const [secret, setSecret] = useState<TotpSetupView>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    // Starting again replaces the secret, so only what the last start brought may be shown.
    let isLast = true
    begin().then(
      (view) => isLast && setSecret(view),
      (error: unknown) => isLast && setRefusal(refusalOf(error)),
    )
    return () => void (isLast = false)
    // A new function of the parent is no reason for a new secret.
  }, [attempt])
  if (secret) return <AuthenticatorSteps secret={secret} confirm={confirm} onDone={onDone} />
  if (!refusal) return null
  return (
    <div className="enter-form">
      <p role="alert" className="form-alert">
        {words.sentence(refusal)}
      </p>
      <Button
        onClick={() => {
          setRefusal(undefined)
          setAttempt(attempt + 1)
        }}
      >
        {m.again}
      </Button>
    </div>
  )
}

interface AuthenticatorStepsProps extends Omit<AuthenticatorSetUpProps, 'begin'> {
  readonly secret: TotpSetupView
  /** Gives the set-up up, as long as it is not on. */
  readonly onCancel?: () => void
}

/** From the first code of a secret to the backup codes. */
export function AuthenticatorSteps({ secret, confirm, onDone, onCancel }: AuthenticatorStepsProps) {
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes) return <BackupCodes codes={codes} onDone={onDone} />
  const take = async (code: string) => setCodes(await confirm(code))
  return <Key secret={secret} onCode={take} onCancel={onCancel} />
}

interface KeyProps {
  readonly secret: TotpSetupView
  readonly onCode: (code: string) => Promise<void>
  readonly onCancel: (() => void) | undefined
}

function Key({ secret: { secret, otpauth_uri }, onCode, onCancel }: KeyProps) {
  const m = useMessages(messages)
  const form = useForm(({ code = '' }) => onCode(withoutSpaces(code)))
  return (
    <form {...form.props} className="enter-form">
      <p>{m.scan}</p>
      <div className="qr-place">
        <QrCode text={otpauth_uri} name={m.qr} />
      </div>
      <p>
        <a href={otpauth_uri}>{m.here}</a>
      </p>
      <p>{m.type}</p>
      <p className="secret">
        <code translate="no">{inFours(secret)}</code>
        <CopyButton text={secret} what={m.key} />
      </p>
      <ClockWarning />
      <FormAlert form={form} />
      <Field
        label={m.code}
        hint={m.hint}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        autoFocus
        problem={form.problems['code']}
      />
      <SubmitButton form={form}>{m.turnOn}</SubmitButton>
      {onCancel && (
        <Button kind="quiet" onClick={onCancel}>
          {m.cancel}
        </Button>
      )}
    </form>
  )
}

/** The key below it does as well, so a code that does not come hinders nobody. */
function QrCode(props: { readonly text: string; readonly name: string }) {
  const part = useFetched(qrCode)
  if (part.is === 'missing') return <MissingNote {...missingOf(qrCode, part.reason)} />
  return part.is === 'there' ? <part.value.QrCode {...props} /> : null
}

const inFours = (secret: string): string => (secret.match(/.{1,4}/g) ?? []).join(' ')
