import { call } from '../api/call'
import { defineMessages } from '../messages/messages'
import { clearLockMark } from './lock-mark'

/** What comes back in the address of a sign-in at the identity provider that failed. */
export const signOnRefusals = defineMessages({
  en: {
    cancelled: 'You cancelled the sign-in.',
    expired: 'The sign-in took too long, or began in another window. Please try again.',
    provider_unavailable: 'The identity provider does not answer at the moment. Please try again later.',
    provider_refused: 'The identity provider did not confirm who you are. Please try again.',
    not_linked:
      'No account belongs to this sign-in. Sign in another way, and link it in the settings under Security.',
    already_linked: 'This sign-in is linked with an account already.',
    account_disabled: 'This account is switched off. An administrator can switch it on again.',
    account_locked: 'This account is locked after too many wrong attempts. Please try again later.',
    registration_failed: 'The account could not be made. An administrator can say more.',
  },
  de: {
    cancelled: 'Die Anmeldung wurde abgebrochen.',
    expired:
      'Die Anmeldung hat zu lange gedauert oder in einem anderen Fenster begonnen. Bitte noch einmal versuchen.',
    provider_unavailable:
      'Der Identitätsanbieter antwortet gerade nicht. Bitte später noch einmal versuchen.',
    provider_refused:
      'Der Identitätsanbieter hat die Identität nicht bestätigt. Bitte noch einmal versuchen.',
    not_linked:
      'Zu dieser Anmeldung gehört kein Konto. Bitte anders anmelden und sie in den Einstellungen unter Sicherheit verknüpfen.',
    already_linked: 'Diese Anmeldung ist schon mit einem Konto verknüpft.',
    account_disabled: 'Dieses Konto ist abgeschaltet. Die Administration kann es wieder einschalten.',
    account_locked:
      'Dieses Konto ist nach zu vielen falschen Versuchen gesperrt. Bitte später noch einmal versuchen.',
    registration_failed: 'Das Konto konnte nicht angelegt werden. Die Administration weiß mehr.',
  },
})

type SignOnCode = keyof (typeof signOnRefusals)['en']

/** The code in the query of an address; undefined where it is none of ours. */
export function signOnCode(search: string): SignOnCode | undefined {
  const given = new URLSearchParams(search).get('error')
  return SIGN_ON_CODES.find((code) => code === given)
}

const SIGN_ON_CODES = [
  'cancelled',
  'expired',
  'provider_unavailable',
  'provider_refused',
  'not_linked',
  'already_linked',
  'account_disabled',
  'account_locked',
  'registration_failed',
] as const satisfies readonly SignOnCode[]

/** Where a sign-in at the provider begins; the browser goes there itself. */
export const beginAddress = (next: string): string =>
  `/api/auth/oidc/begin?${new URLSearchParams({ next }).toString()}`

/** Where the user of a session proves who they are, which also unlocks it; the page opens anew afterwards. */
export const proofAddress = (): string =>
  `/api/auth/oidc/begin?${new URLSearchParams({
    purpose: 'reauthenticate',
    next: `${location.pathname}${location.search}`,
  }).toString()}`

/** Goes to the provider to unlock the session there. From here on the service alone says whether the screen is locked. */
export async function unlockAtProvider(): Promise<void> {
  await call('POST', 'auth/lock')
  clearLockMark()
  location.assign(proofAddress())
}
