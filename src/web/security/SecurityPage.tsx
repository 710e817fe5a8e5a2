import { Link } from 'wouter'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { SettingsLayout } from '../settings/SettingsLayout'
import { AuthenticatorSection } from './AuthenticatorSection'
import { PasskeySection } from './PasskeySection'
import { PasswordSection } from './PasswordSection'
import { ScreenLock } from './ScreenLock'
import { SignOnSection } from './SignOnSection'

const messages = defineMessages({
  en: {
    tokens: 'App passwords and access tokens',
    tokensHint: 'For phones, calendar programs and scripts, which never need the password of the account.',
    manage: 'Manage app passwords and access tokens',
  },
  de: {
    tokens: 'App-Passwörter und Zugriffstoken',
    tokensHint: 'Für Telefone, Kalenderprogramme und Skripte, die das Passwort des Kontos nie brauchen.',
    manage: 'App-Passwörter und Zugriffstoken verwalten',
  },
})

/** How the account is protected, and what else opens it. */
export function SecurityPage() {
  const m = useMessages(messages)
  return (
    <SettingsLayout page="security">
      <PasswordSection />
      <AuthenticatorSection />
      <PasskeySection />
      <SignOnSection />
      <section aria-labelledby="tokens-title">
        <h2 id="tokens-title">{m.tokens}</h2>
        <p>{m.tokensHint}</p>
        <p>
          <Link href={PATTERNS.settingsTokens}>{m.manage}</Link>
        </p>
      </section>
      <ScreenLock />
    </SettingsLayout>
  )
}
