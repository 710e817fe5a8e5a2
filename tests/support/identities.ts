import { identities } from '../../src/db/schema'
import type { Harness } from './harness'

const ISSUER = 'https://provider.example'

/** The environment of a service with an identity provider, which is out of reach. */
export const PROVIDER_ENV = { OIDC_ISSUER: ISSUER, OIDC_CLIENT_ID: 'organiser' }

/** Links somebody at the provider with a user. Returns the identity's id. */
export async function linkIdentity({ db, clock }: Pick<Harness, 'db' | 'clock'>, userId: number) {
  const [row] = await db
    .insert(identities)
    .values({ userId, issuer: ISSUER, subject: crypto.randomUUID(), createdAt: clock.now() })
    .returning()
  if (!row) throw new Error('no row')
  return row.id
}
