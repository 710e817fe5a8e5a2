import { PATTERNS } from '../app/addresses'
import type { Pending } from './pending'

const STEPS: Readonly<Record<string, Pending['step']>> = {
  [PATTERNS.secondFactor]: 'code',
  [PATTERNS.secondFactorSetUp]: 'set-up',
}

/** The beginning of the token that the service gave to this browser; it goes at once. */
function takeOwnBeginning(): string | undefined {
  const [, beginning] = /(?:^|; )sign-in-step=([^;]+)/.exec(document.cookie) ?? []
  if (beginning !== undefined) document.cookie = 'sign-in-step=; max-age=0; path=/second-factor'
  return beginning
}

/**
 * The step that a sign-in at the identity provider still needs, which the fragment of the address brings. The token leaves the
 * address at once, and where to go in the end stays. A token of another browser is left alone: whoever made such a link would get
 * its reader into their own account.
 */
export function takeBroughtStep(): Pending | undefined {
  const step = STEPS[location.pathname]
  const fragment = new URLSearchParams(location.hash.slice(1))
  const token = fragment.get('mfa_token')
  if (!step || token === null) return undefined
  const next = fragment.get('next')
  const search = next === null ? '' : `?${new URLSearchParams({ next })}`
  history.replaceState(history.state, '', `${location.pathname}${search}`)
  const beginning = takeOwnBeginning()
  return beginning !== undefined && token.startsWith(beginning) ? { step, token } : undefined
}
