import { defineMessages } from '../messages/messages'

export const SWITCHES = ['allow_registration', 'enforce_mfa_new_users', 'allow_passwordless'] as const

/** What the settings of the service are called, and what follows from each. */
export const configMessages = defineMessages({
  en: {
    allow_registration: 'Everybody may make an account',
    allow_registrationHint:
      'Whoever reaches the sign-in page can then register. Otherwise administrators make the accounts.',
    enforce_mfa_new_users: 'Whoever registers needs a second factor',
    enforce_mfa_new_usersHint:
      'They set up an authenticator when they register. Accounts that exist stay as they are, and those that administrators make are not asked.',
    allow_passwordless: 'Sign-in without a password is allowed',
    allow_passwordlessHint:
      'Users with two passkeys may then turn off the sign-in by password for themselves.',
  },
  de: {
    allow_registration: 'Alle dürfen ein Konto anlegen',
    allow_registrationHint:
      'Wer die Anmeldeseite erreicht, kann sich dann registrieren. Sonst legt die Administration die Konten an.',
    enforce_mfa_new_users: 'Wer sich registriert, braucht einen zweiten Faktor',
    enforce_mfa_new_usersHint:
      'Beim Registrieren wird eine Authentifizierungs-App eingerichtet. Bestehende Konten bleiben, wie sie sind, und von der Administration angelegte werden nicht gefragt.',
    allow_passwordless: 'Anmelden ohne Passwort ist erlaubt',
    allow_passwordlessHint:
      'Wer zwei Passkeys hat, darf dann für sich die Anmeldung mit dem Passwort abschalten.',
  },
})
