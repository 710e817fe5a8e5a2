import { useCallback, useState } from 'react'
import type { ConfigView } from '../../features/administration/config/model'
import { refusalOf } from '../api/refusal'
import { useAnswer } from '../api/use-answer'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useRefusals } from '../messages/refusals'
import { announce } from '../parts/messages-store'
import { Switch } from '../parts/Checkbox'
import { Answered } from '../security/Answered'
import { AdminLayout } from './AdminLayout'
import { changeConfig, readConfig } from './data'

const messages = defineMessages({
  en: {
    lead: 'These settings hold for everybody who uses this service. Each takes effect at once.',
    allow_registration: 'Everybody may make an account',
    allow_registrationHint:
      'Whoever reaches the sign-in page can then register. Otherwise administrators make the accounts.',
    enforce_mfa_new_users: 'New users need a second factor',
    enforce_mfa_new_usersHint:
      'They set up an authenticator when they register. Accounts that exist stay as they are.',
    allow_passwordless: 'Sign-in without a password is allowed',
    allow_passwordlessHint: 'Users with a passkey may then turn off the sign-in by password for themselves.',
  },
  de: {
    lead: 'Diese Einstellungen gelten für alle, die den Dienst benutzen. Jede gilt sofort.',
    allow_registration: 'Alle dürfen ein Konto anlegen',
    allow_registrationHint:
      'Wer die Anmeldeseite erreicht, kann sich dann registrieren. Sonst legt die Administration die Konten an.',
    enforce_mfa_new_users: 'Neue Konten brauchen einen zweiten Faktor',
    enforce_mfa_new_usersHint:
      'Beim Registrieren wird eine Authentifizierungs-App eingerichtet. Bestehende Konten bleiben, wie sie sind.',
    allow_passwordless: 'Anmelden ohne Passwort ist erlaubt',
    allow_passwordlessHint:
      'Wer einen Passkey hat, darf dann für sich die Anmeldung mit dem Passwort abschalten.',
  },
})

const SWITCHES = ['allow_registration', 'enforce_mfa_new_users', 'allow_passwordless'] as const

/** What holds for the whole service. */
export function AdminSettingsPage() {
  return (
    <AdminLayout page="settings">
      <Config />
    </AdminLayout>
  )
}

function Config() {
  const m = useMessages(messages)
  const ask = useCallback(() => readConfig(), [])
  const asked = useAnswer(ask)
  return (
    <>
      <p className="settings-lead">{m.lead}</p>
      <Answered asked={asked}>{(config) => <Switches config={config} />}</Answered>
    </>
  )
}

function Switches({ config }: { readonly config: ConfigView }) {
  const m = useMessages(messages)
  const { sentence } = useRefusals()
  const [shown, setShown] = useState(config)
  const turn = async (name: keyof ConfigView, isOn: boolean) => {
    setShown((before) => ({ ...before, [name]: isOn }))
    try {
      await changeConfig({ [name]: isOn })
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      setShown((before) => ({ ...before, [name]: !isOn }))
      announce({ text: sentence(refusal), isError: true })
    }
  }
  return SWITCHES.map((name) => (
    <Switch
      key={name}
      label={m[name]}
      hint={m[`${name}Hint`]}
      checked={shown[name]}
      onChange={(isOn) => void turn(name, isOn)}
    />
  ))
}
