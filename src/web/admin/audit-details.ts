import { useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { useScopeWords } from '../security/token-scopes'
import { configMessages } from './config.messages'
import type { AuditEntry } from './data'
import { methodWords, userMessages } from './user.messages'

/** Why something was refused, by the service's names. */
const reasons = defineMessages({
  en: {
    unknown_username: 'Nobody has the username that was typed', invalid_password: 'The password was wrong',
    account_disabled: 'The account is disabled', account_locked: 'The account is locked',
    passwordless_enabled: 'The account signs in without a password', invalid_code: 'The code was wrong',
    malformed_credential: 'The passkey’s answer could not be read', unknown_challenge: 'The attempt had ended already',
    expired_challenge: 'The attempt took too long', challenge_of_another_purpose: 'The attempt was for something else',
    challenge_of_another_user: 'The passkey belongs to somebody else', cross_origin: 'Another site asked for it',
    unknown_credential: 'The passkey is not known', wrong_user_handle: 'The passkey belongs to somebody else',
    invalid_assertion: 'The passkey’s answer was not right', backup_eligibility_changed: 'The passkey is not the one that was registered',
    counter_regressed: 'The passkey may have been copied',
    cancelled: 'It was cancelled at the provider', expired: 'The attempt took too long',
    provider_unavailable: 'The provider could not be reached', provider_refused: 'The provider’s answer was not accepted',
    already_linked: 'It is connected with another account', not_linked: 'It is connected with no account',
    registration_failed: 'The account could not be made',
  },
  de: {
    unknown_username: 'Den eingegebenen Benutzernamen gibt es nicht', invalid_password: 'Das Passwort war falsch',
    account_disabled: 'Das Konto ist abgeschaltet', account_locked: 'Das Konto ist gesperrt',
    passwordless_enabled: 'Das Konto meldet sich ohne Passwort an', invalid_code: 'Der Code war falsch',
    malformed_credential: 'Die Antwort des Passkeys war nicht lesbar', unknown_challenge: 'Der Versuch war schon zu Ende',
    expired_challenge: 'Der Versuch hat zu lange gedauert', challenge_of_another_purpose: 'Der Versuch galt etwas anderem',
    challenge_of_another_user: 'Der Passkey gehört zu einem anderen Konto', cross_origin: 'Eine andere Website hat danach gefragt',
    unknown_credential: 'Der Passkey ist unbekannt', wrong_user_handle: 'Der Passkey gehört zu einem anderen Konto',
    invalid_assertion: 'Die Antwort des Passkeys stimmte nicht', backup_eligibility_changed: 'Der Passkey ist nicht der eingetragene',
    counter_regressed: 'Der Passkey wurde vielleicht kopiert',
    cancelled: 'Es wurde beim Anbieter abgebrochen', expired: 'Der Versuch hat zu lange gedauert',
    provider_unavailable: 'Der Anbieter war nicht erreichbar', provider_refused: 'Die Antwort des Anbieters wurde nicht angenommen',
    already_linked: 'Es ist mit einem anderen Konto verbunden', not_linked: 'Es ist mit keinem Konto verbunden',
    registration_failed: 'Das Konto konnte nicht angelegt werden',
  },
}) // prettier-ignore

const messages = defineMessages({
  en: {
    role: (role: string) => `Role: ${role}`,
    turned: (setting: string, isOn: boolean) => `${setting}: ${isOn ? 'on' : 'off'}`,
    ended: (sessions: number) => counted(sessions, '1 session ended', `${sessions} sessions ended`),
    called: (name: string) => `“${name}”`,
    email: 'Another account has the e-mail address',
    network_name: 'Another account has the network name',
    passkey: (id: number) => `Passkey number ${id}`,
    calendar: (id: number) => `Calendar number ${id}`,
    request: (id: number) => `Request number ${id}`,
  },
  de: {
    role: (role) => `Rolle: ${role}`,
    turned: (setting, isOn) => `${setting}: ${isOn ? 'ein' : 'aus'}`,
    ended: (sessions) => counted(sessions, 'Eine Sitzung beendet', `${sessions} Sitzungen beendet`),
    called: (name) => `„${name}“`,
    email: 'Ein anderes Konto hat die E-Mail-Adresse',
    network_name: 'Ein anderes Konto hat den Netzwerknamen',
    passkey: (id) => `Passkey Nummer ${id}`,
    calendar: (id) => `Kalender Nummer ${id}`,
    request: (id) => `Anfrage Nummer ${id}`,
  },
})

type Detail = NonNullable<AuditEntry['detail']>
/** Says one field of the details; nothing where the entry says it otherwise, undefined where the value has no words. */
type Say = (value: unknown) => string | readonly string[] | undefined

const ifText = (words: (text: string) => string | undefined) => (value: unknown) =>
  typeof value === 'string' ? words(value) : undefined
const ifNumber = (words: (number: number) => string) => (value: unknown) =>
  typeof value === 'number' ? words(value) : undefined
const among = (texts: Readonly<Record<string, unknown>>) =>
  ifText((name) => (Object.hasOwn(texts, name) && typeof texts[name] === 'string' ? texts[name] : undefined))

/** What stands in the entry already: whom it is about, and ids of what has a name. */
const SAID: Say = () => []

/** Returns a function that says in words what an entry of the audit log tells beside who, what and whom. */
export function useDetailWords(): (detail: Detail) => readonly string[] {
  const m = useMessages(messages)
  const settings = useMessages(configMessages)
  const roles = useMessages(userMessages)
  const [because, methods, scopes] = [useMessages(reasons), useMessages(methodWords), useScopeWords()]
  const turned =
    (name: 'allow_registration' | 'enforce_mfa_new_users' | 'allow_passwordless') => (value: unknown) =>
      typeof value === 'boolean' ? m.turned(settings[name], value) : undefined
  const says: Readonly<Record<string, Say>> = {
    user_id: SAID,
    username: SAID,
    receiver_id: SAID,
    block_id: SAID,
    token_id: SAID,
    identity_id: SAID,
    purpose: SAID,
    code: among(because),
    issuer: ifText((issuer) => issuer),
    role: ifText((role) => m.role(role === 'admin' ? roles.admin : roles.standard)),
    reason: among(because),
    method: among(methods),
    field: among({ email: m.email, network_name: m.network_name }),
    name: ifText(m.called),
    scopes: (value) => (Array.isArray(value) ? scopes({ scopes: value }) : undefined),
    revoked: ifNumber(m.ended),
    passkey_id: ifNumber(m.passkey),
    calendar_id: ifNumber(m.calendar),
    request_id: ifNumber(m.request),
    allow_registration: turned('allow_registration'),
    enforce_mfa_new_users: turned('enforce_mfa_new_users'),
    allow_passwordless: turned('allow_passwordless'),
  }
  const wordsOf = (name: string, value: unknown) =>
    (Object.hasOwn(says, name) ? says[name]?.(value) : undefined) ?? `${name}: ${JSON.stringify(value)}`
  return (detail) =>
    Object.entries(detail).flatMap(([name, value]) =>
      // Beside a code, the reason is for whoever looks after the provider.
      name === 'reason' && 'code' in detail && typeof value === 'string'
        ? `(${value})`
        : wordsOf(name, value),
    )
}
