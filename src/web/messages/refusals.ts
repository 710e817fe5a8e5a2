import { useMemo } from 'react'
import type { Refusal } from '../api/refusal'
import { useLanguage } from './language'
import { counted, defineMessages, type Language, type Messages, textsIn } from './messages'
import { details, fieldDetails } from './refusal-details'

const sentences = defineMessages({
  en: {
    offline: 'The service could not be reached. What you typed is kept: try again when you are online.',
    busy: 'The service is busy or restarting. What you typed is kept: try again in a moment.',
    failed: 'Something went wrong. What you typed is kept: try again.',
    tooMany: (wait: string) => `Too many attempts. The next one is possible in ${wait}.`,
    seconds: (count: number) => counted(count, '1 second', `${count} seconds`),
    minutes: (count: number) => `${count} minutes`,
    hours: (count: number) => `${count} hours`,
    accountLocked: (minutes: number) =>
      `Too many wrong attempts. This account is locked for ${minutes} more ${counted(minutes, 'minute', 'minutes')}.`,
    'Incorrect username or password': 'The username or the password is not right.',
    'Incorrect password': 'The password is not right.',
    'Account is disabled. Please contact an administrator.':
      'This account is switched off. An administrator can switch it on again.',
    'Password sign-in is disabled for this account. Use a passkey.':
      'This account signs in with a passkey only.',
    'Passkey authentication failed': 'This passkey was not accepted.',
    'Invalid verification code': 'This code is not right, or it was used already.',
    'Invalid or expired MFA token': 'The second step took too long. Please sign in once more.',
    'Registration is closed': 'New accounts are not open at the moment.',
    'Registration could not be completed':
      'The account could not be made. The username or the e-mail address may be taken: try others.',
    'Setup has already been completed': 'The first account exists already. Please sign in.',
    'Recent authentication required': 'This needs a confirmation that it is you.',
    onlyProvider: (name: string) => `Only ${name} opens accounts here.`,
    'Before setup only localhost, an IP address or the host of PUBLIC_URL is answered':
      'The first account can be made only at the address that the service printed at its start.',
    'Cross-origin request rejected':
      'The service was called under an address that is not its own. Open the address that it printed at its start.',
  },
  de: {
    offline: 'Der Dienst ist nicht erreichbar. Die Eingaben bleiben stehen und lassen sich später absenden.',
    busy: 'Der Dienst ist ausgelastet oder startet neu. Die Eingaben bleiben stehen; bitte gleich noch einmal versuchen.',
    failed: 'Etwas ist schiefgegangen. Die Eingaben bleiben stehen; bitte noch einmal versuchen.',
    tooMany: (wait: string) => `Zu viele Versuche. Der nächste ist in ${wait} möglich.`,
    seconds: (count: number) => counted(count, '1 Sekunde', `${count} Sekunden`),
    minutes: (count: number) => `${count} Minuten`,
    hours: (count: number) => `${count} Stunden`,
    accountLocked: (minutes: number) =>
      `Zu viele falsche Versuche. Das Konto ist noch ${minutes} ${counted(minutes, 'Minute', 'Minuten')} gesperrt.`,
    'Incorrect username or password': 'Benutzername oder Passwort stimmt nicht.',
    'Incorrect password': 'Das Passwort stimmt nicht.',
    'Account is disabled. Please contact an administrator.':
      'Dieses Konto ist abgeschaltet. Die Administration kann es wieder einschalten.',
    'Password sign-in is disabled for this account. Use a passkey.':
      'Dieses Konto wird nur mit einem Passkey geöffnet.',
    'Passkey authentication failed': 'Dieser Passkey wurde nicht angenommen.',
    'Invalid verification code': 'Dieser Code stimmt nicht oder wurde schon benutzt.',
    'Invalid or expired MFA token': 'Der zweite Schritt hat zu lange gedauert. Bitte noch einmal anmelden.',
    'Registration is closed': 'Neue Konten sind zurzeit nicht möglich.',
    'Registration could not be completed':
      'Das Konto konnte nicht angelegt werden. Vielleicht sind Benutzername oder E-Mail-Adresse vergeben; bitte andere versuchen.',
    'Setup has already been completed': 'Das erste Konto gibt es schon. Bitte anmelden.',
    'Recent authentication required': 'Dafür ist eine Bestätigung der Identität nötig.',
    onlyProvider: (name: string) => `Konten öffnet hier nur ${name}.`,
    'Before setup only localhost, an IP address or the host of PUBLIC_URL is answered':
      'Das erste Konto lässt sich nur unter der Adresse anlegen, die der Dienst beim Start ausgegeben hat.',
    'Cross-origin request rejected':
      'Der Dienst wurde unter einer fremden Adresse aufgerufen. Bitte die Adresse öffnen, die er beim Start ausgegeben hat.',
  },
})

const problems = defineMessages({
  en: {
    'is required': 'Fill this in.',
    'must not be empty': 'Fill this in.',
    'is not valid': 'This is not valid.',
    'is too common': 'This password is among the common ones. Choose another.',
    'must not contain the username': 'The password must not contain the username.',
    'must differ from the old one': 'The new password must differ from the old one.',
    'must be an email address': 'This is not an e-mail address.',
    'must not be in the future': 'This day is in the future.',
    'must be letters, digits, dots, underscores and hyphens, with a letter or digit at both ends':
      'Only letters, digits, dots, underscores and hyphens, with a letter or digit at both ends.',
    atLeast: (count: number) => `At least ${count} characters.`,
    atMost: (count: number) => `At most ${count} characters.`,
  },
  de: {
    'is required': 'Bitte ausfüllen.',
    'must not be empty': 'Bitte ausfüllen.',
    'is not valid': 'Das ist nicht gültig.',
    'is too common': 'Dieses Passwort ist zu gebräuchlich. Bitte ein anderes wählen.',
    'must not contain the username': 'Das Passwort darf den Benutzernamen nicht enthalten.',
    'must differ from the old one': 'Das neue Passwort muss sich vom alten unterscheiden.',
    'must be an email address': 'Das ist keine E-Mail-Adresse.',
    'must not be in the future': 'Dieser Tag liegt in der Zukunft.',
    'must be letters, digits, dots, underscores and hyphens, with a letter or digit at both ends':
      'Nur Buchstaben, Ziffern, Punkte, Unter- und Bindestriche, am Anfang und Ende ein Buchstabe oder eine Ziffer.',
    atLeast: (count: number) => `Mindestens ${count} Zeichen.`,
    atMost: (count: number) => `Höchstens ${count} Zeichen.`,
  },
})

/** What a status says, where the service's own sentence has no translation. */
const statuses = defineMessages({
  en: {
    400: 'The service did not understand this.',
    403: 'You may not do this.',
    404: 'This is gone.',
    409: 'This does not fit what is there already.',
    410: 'This is gone.',
    412: 'It was changed meanwhile.',
    413: 'This is too large.',
    415: 'The service does not take this kind of file.',
    422: 'Something in it was not accepted.',
    429: 'Too many requests. Try again in a moment.',
    other: 'The service did not accept this.',
    with: (_: string, detail: string) => detail,
  },
  de: {
    400: 'Der Dienst hat das nicht verstanden.',
    403: 'Dafür fehlt die Berechtigung.',
    404: 'Das gibt es nicht mehr.',
    409: 'Das passt nicht zu dem, was schon da ist.',
    410: 'Das gibt es nicht mehr.',
    412: 'Es wurde inzwischen geändert.',
    413: 'Das ist zu groß.',
    415: 'Diese Art von Datei nimmt der Dienst nicht an.',
    422: 'Etwas daran wurde nicht angenommen.',
    429: 'Zu viele Anfragen. Bitte gleich noch einmal versuchen.',
    other: 'Der Dienst hat das nicht angenommen.',
    with: (general: string, detail: string) => `${general} (Meldung des Dienstes: „${detail}“)`,
  },
})

type Sentences = Messages<Readonly<Record<string, string>>>
const learnt = new Set<Sentences>()
/** Adds translations of what the service says to one place alone; they are fetched with its pages. */
export const learnRefusals = (texts: Sentences): void => void learnt.add(texts)
const learntIn = (language: Language) => [...learnt].map((texts) => textsIn(texts, language))

/** The text under a sentence of the service's own; undefined for functions and unknown sentences. */
function known(
  sentence: string,
  ...catalogues: ReadonlyArray<Readonly<Record<string, unknown>>>
): string | undefined {
  const found = catalogues.map((texts) => (Object.hasOwn(texts, sentence) ? texts[sentence] : undefined))
  return found.find((text) => typeof text === 'string')
}

/** The minutes that an account stays locked (contract: accounts.lockout). */
const LOCKED = /^Account locked\. Try again in (\d+) minutes?\.$/
/** Where passwords and passkeys prove nothing (contract: oidc.only). */
const ONLY_PROVIDER = /^Sign in with (.+)$/
const LENGTH = /^must be at (least|most) (\d+) characters$/
const NOT_FOUND = /^[A-Z][a-z ]+ not found$/
const MOST_OCCURRENCES = /^An event can have at most (\d+) changed or deleted occurrences$/
const MOST_INVITATIONS = /^An event can have at most (\d+) invitations$/
const TOO_MANY = /^You have too many /
const MORE_EVENTS = /^has more than (\d+) events$/

/** What a refusal says as a whole, in the user's language (contract: web.refusals). */
export function refusalSentence(refusal: Refusal, language: Language): string {
  const { status, detail, retryAfterSeconds, errors } = refusal
  const texts = textsIn(sentences, language)
  if (status === 0) return texts.offline
  if (status === 503) return texts.busy
  if (status >= 500) return texts.failed
  if (status === 429 && retryAfterSeconds !== undefined)
    return texts.tooMany(waitIn(texts, retryAfterSeconds))
  if (errors.length > 0) return errors.map(({ message }) => fieldProblem(message, language)).join(' ')
  return detailIn(language, detail) ?? statusSentence(refusal, language)
}

const [MINUTE, HOUR] = [60, 3600]

/** A time to wait, in a unit in which people count it. */
function waitIn(texts: (typeof sentences)['de'], seconds: number): string {
  if (seconds < 2 * MINUTE) return texts.seconds(seconds)
  return seconds < 2 * HOUR
    ? texts.minutes(Math.ceil(seconds / MINUTE))
    : texts.hours(Math.ceil(seconds / HOUR))
}

function detailIn(language: Language, detail: string): string | undefined {
  const [texts, more] = [textsIn(sentences, language), textsIn(details, language)]
  const found = (pattern: RegExp) => pattern.exec(detail)?.[1]
  const minutes = found(LOCKED)
  if (minutes !== undefined) return texts.accountLocked(Number(minutes))
  const provider = found(ONLY_PROVIDER)
  if (provider !== undefined) return texts.onlyProvider(provider)
  const occurrences = found(MOST_OCCURRENCES)
  if (occurrences !== undefined) return more.mostOccurrences(occurrences)
  const invitations = found(MOST_INVITATIONS)
  if (invitations !== undefined) return more.mostInvitations(invitations)
  return (
    known(detail, texts, more, ...learntIn(language)) ?? (TOO_MANY.test(detail) ? more.tooMany : undefined)
  )
}

function statusSentence({ status, detail }: Refusal, language: Language): string {
  const texts = textsIn(statuses, language)
  const general = known(String(status), texts) ?? texts.other
  return detail === '' || NOT_FOUND.test(detail) ? general : texts.with(general, detail)
}

/** What is wrong with one field, in the user's language. */
function fieldProblem(message: string, language: Language): string {
  const [texts, more] = [textsIn(problems, language), textsIn(fieldDetails, language)]
  const [, bound, count] = LENGTH.exec(message) ?? []
  if (count !== undefined)
    return bound === 'least' ? texts.atLeast(Number(count)) : texts.atMost(Number(count))
  const [, events] = MORE_EVENTS.exec(message) ?? []
  if (events !== undefined) return more.moreEvents(events)
  const words = known(message, texts, more, ...learntIn(language))
  if (words !== undefined) return words
  const { 422: general, with: withDetail } = textsIn(statuses, language)
  return withDetail(general, message)
}

/** The service speaks English: what it says in the user's language. `sentence` tells a refusal as a whole, `problem` what is wrong with one field. */
export function useRefusals() {
  const { language } = useLanguage()
  return useMemo(
    () => ({
      sentence: (refusal: Refusal): string => refusalSentence(refusal, language),
      problem: (message: string): string => fieldProblem(message, language),
    }),
    [language],
  )
}
