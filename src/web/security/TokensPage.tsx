import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { SettingsLayout } from '../settings/SettingsLayout'
import { Tokens } from './Tokens'

const messages = defineMessages({
  en: {
    title: 'App passwords and access tokens',
    lead: 'An app password lets a phone or a calendar program sync, an access token lets a script use the API. Each opens only what you choose, and ends without the others.',
    none: 'There is none yet. Make one for each device, so that a lost one can be ended alone.',
  },
  de: {
    title: 'App-Passwörter und Zugriffstoken',
    lead: 'Mit einem App-Passwort gleicht ein Telefon oder Kalenderprogramm ab, mit einem Zugriffstoken nutzt ein Skript die API. Jedes öffnet nur, was gewählt ist, und endet für sich allein.',
    none: 'Noch nichts. Am besten eines für jedes Gerät, damit ein verlorenes sich allein beenden lässt.',
  },
})

const MADE = ['app', 'token'] as const

/** All that opens the account to programs. */
export function TokensPage() {
  const m = useMessages(messages)
  return (
    <SettingsLayout page="security" heading={m.title}>
      <p className="settings-lead">{m.lead}</p>
      <Tokens makes={MADE} none={m.none} />
    </SettingsLayout>
  )
}
