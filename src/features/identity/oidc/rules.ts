import type { ProvedIdentity, ProviderFailure, ProviderSettings } from '../../../lib/ports/identity-provider'
import { nfkd } from '../../../lib/text'
import { addMinutes, addSeconds } from '../../../lib/time/time'
import { isEmail } from '../../../lib/wire/schema'

export const OIDC_PURPOSES = ['sign-in', 'link', 'reauthenticate'] as const
export type Purpose = (typeof OIDC_PURPOSES)[number]

/** What the address of a refusal says; the details are in the log and the audit log. */
export type RefusalCode =
  | 'cancelled'
  | 'expired'
  | 'provider_unavailable'
  | 'provider_refused'
  | 'not_linked'
  | 'already_linked'
  | 'account_disabled'
  | 'account_locked'
  | 'registration_failed'

export const CODE_OF = {
  cancelled: 'cancelled',
  unavailable: 'provider_unavailable',
  refused: 'provider_refused',
} as const satisfies Record<ProviderFailure['failure'], RefusalCode>

const LIFETIME_MINUTES = 10

export const expiryOf = (now: Date): Date => addMinutes(now, LIFETIME_MINUTES)

/** Between the provider's clock and ours. */
const LEEWAY_SECONDS = 60

/** Whether the user proved themselves to the provider after the request for that. */
export const isProvedSince = ({ authenticatedAt }: ProvedIdentity, begunAt: Date): boolean =>
  authenticatedAt !== null && authenticatedAt >= addSeconds(begunAt, -LEEWAY_SECONDS)

const START_OF: Readonly<Record<Purpose, string>> = {
  'sign-in': '/',
  link: '/settings/security',
  reauthenticate: '/',
}

const MAX_NEXT = 2000

/**
 * Paths that are no page of this service: another origin, which `//` names also where `..` has made it, and the API, where a link of
 * another site would come from this one.
 */
const NO_PAGE = /^\/(?:\/|api(?:\/|$))/

/** The page to go on to: `asked` where it is one of this service, else where people start from (contract: oidc.begin). */
export function nextOf(asked: string | undefined, purpose: Purpose): string {
  const home = 'http://here.invalid'
  const url = asked?.startsWith('/') && asked.length <= MAX_NEXT ? URL.parse(asked, home) : null
  // A browser takes `//host` and `/\host` for another origin, and so does URL.
  if (url?.origin !== home || NO_PAGE.test(url.pathname)) return START_OF[purpose]
  return `${url.pathname}${url.search}${url.hash}`
}

/** Where a refusal leads: somebody who is signed in stays so. */
export const refusedAt = (purpose: Purpose, code: RefusalCode): string =>
  `${purpose === 'sign-in' ? '/sign-in' : '/settings/security'}?error=${code}`

/** Where the second factor is proved, or set up. The token is in the fragment, which no server sees. */
export function factorAt(
  page: '/second-factor' | '/second-factor/set-up',
  token: string,
  next: string,
): string {
  const fragment = new URLSearchParams({ mfa_token: token, ...(next !== START_OF['sign-in'] && { next }) })
  return `${page}#${fragment.toString()}`
}

/** The values of RFC 8176 that say that more than a password was proved. */
const SECOND_FACTORS = new Set(['mfa', 'otp', 'hwk', 'fpt'])

/** Whether the provider's sign-in counts as two factors (contract: oidc.second-factors). */
export function countsAsTwo(mfa: ProviderSettings['mfa'], { methods }: ProvedIdentity): boolean {
  if (mfa === 'amr') return methods.some((method) => SECOND_FACTORS.has(method))
  return mfa === 'trust'
}

/** The e-mail of a new account: only one that the provider has verified. */
export const emailFor = ({ email, isEmailVerified }: ProvedIdentity): string | null =>
  email !== null && isEmailVerified && isEmail(email) ? email : null

const [LEAST, MOST] = [3, 32]
const CANDIDATES = 100
const withoutEnds = (text: string) => text.replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')

/**
 * The usernames to try for somebody whom the provider calls `wanted`, best first: what of it a username may hold, then with
 * numeric suffixes.
 */
export function usernameCandidates(wanted: string | null): string[] {
  const plain = nfkd((wanted ?? '').slice(0, 200).split('@')[0] ?? '').replaceAll(/\p{M}/gu, '')
  const valid = withoutEnds(withoutEnds(plain.replaceAll(/[^A-Za-z0-9._-]+/g, '-')).slice(0, MOST))
  const base = valid.length < LEAST ? 'user' : valid
  const suffixed = Array.from({ length: CANDIDATES }, (_, index) => {
    const suffix = String(index + 2)
    return `${withoutEnds(base.slice(0, MOST - suffix.length))}${suffix}`
  })
  return [base, ...suffixed]
}
