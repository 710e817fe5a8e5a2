import type { NotificationView } from '../../features/notifications/notifications/model'
import { useLanguage } from '../messages/language'
import { defineMessages, type Language, textsIn } from '../messages/messages'

/** What each kind is called. */
const titles = defineMessages({
  en: {
    connection_request: 'Connection request',
    connection_accepted: 'Connection accepted',
    calendar_invite: 'Calendar offered',
    calendar_invite_accepted: 'Calendar accepted',
    event_invite: 'Event invitation',
    event_response: 'Invitation answered',
    event_changed: 'Event changed',
    event_cancelled: 'Event cancelled',
  },
  de: {
    connection_request: 'Kontaktanfrage',
    connection_accepted: 'Kontakt angenommen',
    calendar_invite: 'Kalender angeboten',
    calendar_invite_accepted: 'Kalender angenommen',
    event_invite: 'Einladung',
    event_response: 'Antwort auf eine Einladung',
    event_changed: 'Termin geändert',
    event_cancelled: 'Termin abgesagt',
  },
})

/** The sentences of the service, which speaks English. */
const sentences = defineMessages({
  en: {
    wantsToConnect: (who: string) => `${who} would like to connect with you.`,
    connected: (who: string) => `${who} accepted your request: you are connected now.`,
    offers: (who: string, calendar: string) => `${who} would like to share “${calendar}” with you.`,
    hasCalendar: (who: string, calendar: string) => `${who} has “${calendar}” now.`,
    invites: (who: string, event: string) => `${who} invited you to “${event}”.`,
    moved: (event: string) => `At another time: “${event}”.`,
    restMoved: (event: string) => `At another time: the rest of “${event}”.`,
    oneMoved: (event: string) => `At another time: one occurrence of “${event}”.`,
    cancelled: (event: string) => `Cancelled: “${event}”.`,
    restCancelled: (event: string) => `Cancelled: the rest of “${event}”.`,
    oneCancelled: (event: string) => `Cancelled: one occurrence of “${event}”.`,
    origin: (from: string, program: string) =>
      `It came from ${from} with ${program}. If that was somebody else: change the password and end all other sessions.`,
  },
  de: {
    wantsToConnect: (who) => `${who} möchte in Kontakt treten.`,
    connected: (who) => `${who} hat die Anfrage angenommen.`,
    offers: (who, calendar) => `${who} möchte den Kalender „${calendar}“ teilen.`,
    hasCalendar: (who, calendar) => `${who} hat jetzt den Kalender „${calendar}“.`,
    invites: (who, event) => `${who} lädt ein: „${event}“.`,
    moved: (event) => `Zu anderer Zeit: „${event}“.`,
    restMoved: (event) => `Zu anderer Zeit: alle weiteren Termine von „${event}“.`,
    oneMoved: (event) => `Zu anderer Zeit: ein Termin von „${event}“.`,
    cancelled: (event) => `Abgesagt: „${event}“.`,
    restCancelled: (event) => `Abgesagt: alle weiteren Termine von „${event}“.`,
    oneCancelled: (event) => `Abgesagt: ein Termin von „${event}“.`,
    origin: (from, program) =>
      `Es kam von ${from} mit ${program}. Wenn das jemand anders war: Passwort ändern und alle anderen Sitzungen beenden.`,
  },
})

/** What concerns the safety of the account. */
const safety = defineMessages({
  en: {
    'A calendar has a new feed': 'A calendar has a new secret address',
    'A passkey was added to your account': 'A passkey was added',
    'Your account has a new access token': 'There is a new access token',
    'Your authenticator was switched off': 'The authenticator was switched off',
    'You have new backup codes': 'There are new backup codes',
    'Your e-mail address was changed': 'The e-mail address was changed',
    'Your push target was changed': 'The push target was changed',
    'Your calendar was shared': 'A calendar was shared',
  },
  de: {
    'A calendar has a new feed': 'Ein Kalender hat eine neue geheime Adresse',
    'A passkey was added to your account': 'Ein Passkey kam hinzu',
    'Your account has a new access token': 'Es gibt ein neues Zugriffstoken',
    'Your authenticator was switched off': 'Die Authenticator-App wurde abgeschaltet',
    'You have new backup codes': 'Es gibt neue Ersatzcodes',
    'Your e-mail address was changed': 'Die E-Mail-Adresse wurde geändert',
    'Your push target was changed': 'Das Ziel der Push-Nachrichten wurde geändert',
    'Your calendar was shared': 'Ein Kalender wurde geteilt',
  },
})
const isSafety = (title: string): title is keyof (typeof safety)['en'] => title in safety.en

type Sentence = keyof (typeof sentences)['en']

const PATTERNS: ReadonlyArray<readonly [pattern: RegExp, sentence: Sentence]> = [
  [/^(.+) would like to connect with you\.$/, 'wantsToConnect'],
  [/^(.+) accepted your request: you are connected now\.$/, 'connected'],
  [/^(.+) would like to share “(.+)” with you\.$/, 'offers'],
  [/^(.+) has “(.+)” now\.$/, 'hasCalendar'],
  [/^(.+?) invited you to “(.+)”\.$/, 'invites'],
  [/^At another time: “(.+)”\.$/, 'moved'],
  [/^At another time: the rest of “(.+)”\.$/, 'restMoved'],
  [/^At another time: one occurrence of “(.+)”\.$/, 'oneMoved'],
  [/^Cancelled: “(.+)”\.$/, 'cancelled'],
  [/^Cancelled: the rest of “(.+)”\.$/, 'restCancelled'],
  [/^Cancelled: one occurrence of “(.+)”\.$/, 'oneCancelled'],
  [/ from (\S+|an unknown address) with ([^,.]+).* If that was not you/, 'origin'],
]

function messageIn(message: string, language: Language): string {
  if (language === 'en') return message
  for (const [pattern, sentence] of PATTERNS) {
    const [, first = '', second = ''] = pattern.exec(message) ?? []
    if (first !== '') return textsIn(sentences, language)[sentence](first, second)
  }
  return message
}

function titleIn({ type, title }: NotificationView, language: Language): string {
  if (isSafety(title)) return textsIn(safety, language)[title]
  return type === 'security' || type === 'system' ? title : textsIn(titles, language)[type]
}

/** What a notification says, in the user's language where it is one of the usual sentences. */
export function useNotificationWords() {
  const { language } = useLanguage()
  return (notification: NotificationView) => ({
    title: titleIn(notification, language),
    message: messageIn(notification.message, language),
  })
}
