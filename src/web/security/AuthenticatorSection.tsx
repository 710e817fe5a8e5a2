import { useRef, useState } from 'react'
import type { TotpSetupView, TotpStatusView } from '../../features/identity/totp/model'
import { useAnswer } from '../api/use-answer'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { announce } from '../parts/messages-store'
import { AuthenticatorSteps } from '../second-factors/AuthenticatorSetUp'
import { BackupCodes } from '../second-factors/BackupCodes'
import { ClockWarning } from '../second-factors/ClockWarning'
import { useWritten } from '../time/use-written'
import { Answered } from './Answered'
import { RenewCodesDialog, TurnOffDialog } from './AuthenticatorDialogs'
import { confirmTotp, readTotp, setUpTotp } from './data'
import { useAction } from './use-action'
import { usePageLeft } from './use-page-left'

const messages = defineMessages({
  en: {
    title: 'Authenticator app',
    why: 'With it, a code of the app on your phone is asked for as well when you sign in: a stolen password alone opens nothing.',
    setUp: 'Set up an authenticator',
    since: (date: string) => `On since ${date}.`,
    left: (count: number) =>
      count === 0 ? 'No backup code is left.' : `${count} of 10 backup codes are left.`,
    few: 'Get new ones before the last is used: without them, a lost phone locks you out.',
    renew: 'New backup codes',
    turnOff: 'Turn off',
    required: 'An administrator requires a second factor, so it cannot be turned off here.',
    isOn: 'The authenticator is on.',
    isOff: 'The authenticator is off.',
    renewed: 'The new backup codes hold, the old ones no longer do.',
  },
  de: {
    title: 'Authentifizierungs-App',
    why: 'Damit wird beim Anmelden auch ein Code der App auf dem Telefon verlangt: Ein gestohlenes Passwort allein öffnet nichts.',
    setUp: 'Authentifizierungs-App einrichten',
    since: (date) => `Eingeschaltet seit ${date}.`,
    left: (count) =>
      count === 0 ? 'Es ist kein Ersatzcode mehr übrig.' : `${count} von 10 Ersatzcodes sind übrig.`,
    few: 'Neue holen, bevor der letzte verbraucht ist: Ohne sie sperrt ein verlorenes Telefon aus.',
    renew: 'Neue Ersatzcodes',
    turnOff: 'Ausschalten',
    required: 'Die Administration verlangt einen zweiten Faktor; er lässt sich hier nicht ausschalten.',
    isOn: 'Die Authentifizierungs-App ist eingeschaltet.',
    isOff: 'Die Authentifizierungs-App ist ausgeschaltet.',
    renewed: 'Die neuen Ersatzcodes gelten, die alten nicht mehr.',
  },
})

/** What the section shows: how it stands, or a secret on its way to the user (contract: web.secrets). */
type AuthenticatorStep =
  | { readonly is: 'status' }
  | { readonly is: 'set-up'; readonly secret: TotpSetupView }
  | { readonly is: 'codes'; readonly codes: readonly string[] }

const STATUS: AuthenticatorStep = { is: 'status' }

/** Turns a second factor on and off, and renews its backup codes. */
export function AuthenticatorSection() {
  const m = useMessages(messages)
  const heading = useRef<HTMLHeadingElement>(null)
  const asked = useAnswer(readTotp)
  const [step, setStep] = useState(STATUS)
  usePageLeft(() => setStep(STATUS))
  const backTo = (told?: string) => {
    setStep(STATUS)
    asked.again()
    heading.current?.focus()
    if (told !== undefined) announce({ text: told })
  }
  return (
    <section aria-labelledby="authenticator-title">
      <h2 id="authenticator-title" ref={heading} tabIndex={-1}>
        {m.title}
      </h2>
      {step.is === 'set-up' && (
        <AuthenticatorSteps
          secret={step.secret}
          confirm={confirmTotp}
          onDone={() => backTo(m.isOn)}
          onCancel={() => backTo()}
        />
      )}
      {step.is === 'codes' && <BackupCodes codes={step.codes} onDone={() => backTo(m.renewed)} />}
      {step.is === 'status' && (
        <Answered asked={asked}>
          {(status) =>
            status.enabled ? (
              <IsOn
                status={status}
                onOff={() => backTo(m.isOff)}
                onCodes={(codes) => setStep({ is: 'codes', codes })}
              />
            ) : (
              <IsOff onSecret={(secret) => setStep({ is: 'set-up', secret })} />
            )
          }
        </Answered>
      )}
    </section>
  )
}

function IsOff({ onSecret }: { readonly onSecret: (secret: TotpSetupView) => void }) {
  const m = useMessages(messages)
  const { isBusy, problem, run } = useAction()
  return (
    <>
      <p>{m.why}</p>
      <ClockWarning />
      <Button isBusy={isBusy} onClick={() => run(async () => onSecret(await setUpTotp()))}>
        {m.setUp}
      </Button>
      <p role="alert" className="field-problem">
        {problem}
      </p>
    </>
  )
}

interface IsOnProps {
  readonly status: TotpStatusView
  readonly onOff: () => void
  readonly onCodes: (codes: readonly string[]) => void
}

/** From here on new codes are urgent. */
const FEW_CODES = 3

function IsOn({ status, onOff, onCodes }: IsOnProps) {
  const m = useMessages(messages)
  const { date } = useWritten()
  const [opened, open] = useState<'off' | 'renew'>()
  const { confirmed_at: since, backup_codes_remaining: left, required: isRequired } = status
  const close = () => open(undefined)
  return (
    <>
      {since !== null && <p>{m.since(date(since))}</p>}
      <p>
        {m.left(left)} {left <= FEW_CODES && m.few}
      </p>
      {isRequired && <p className="settings-lead">{m.required}</p>}
      <div className="actions">
        <Button onClick={() => open('renew')}>{m.renew}</Button>
        {!isRequired && <Button onClick={() => open('off')}>{m.turnOff}</Button>}
      </div>
      {opened === 'off' && <TurnOffDialog onDone={onOff} onClose={close} />}
      {opened === 'renew' && <RenewCodesDialog onCodes={onCodes} onClose={close} />}
    </>
  )
}
