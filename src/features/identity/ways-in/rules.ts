import { type AppError, forbidden } from '../../../lib/errors'
import type { ProviderSettings } from '../../../lib/ports/identity-provider'
import { NO_PASSWORD } from '../passwords/rules'

/** What may let a user in. */
export interface Ways {
  readonly passwordHash: string
  readonly passwordlessEnabled: boolean
  readonly passkeys: number
  /** The issuers of the user's identities. */
  readonly issuers: readonly string[]
}

/** The provider of the configuration, if there is one. */
type Door = Pick<ProviderSettings, 'issuer' | 'isOnly'> | undefined

/** Whether something lets the user in (contract: oidc.last-way). */
export function isLetIn(ways: Ways, door: Door): boolean {
  if (door && ways.issuers.some((issuer) => isSame(issuer, door.issuer))) return true
  if (door?.isOnly) return false
  return ways.passkeys > 0 || (ways.passwordHash !== NO_PASSWORD && !ways.passwordlessEnabled)
}

/** A token may name the issuer with another spelling of the same URL, such as a slash at its end. */
const isSame = (one: string, other: string) => URL.parse(one)?.href === URL.parse(other)?.href

/** Returns a 403 where only the identity provider lets people in (contract: oidc.only). */
export const refusalOfLocal = (
  provider: Pick<ProviderSettings, 'name' | 'isOnly'> | undefined,
): AppError | undefined => (provider?.isOnly ? forbidden(`Sign in with ${provider.name}`) : undefined)
