import { eq } from 'drizzle-orm'
import { sessions } from '../../../../src/db/schema'
import { addMinutes } from '../../../../src/lib/time/time'
import type { Actor, Harness } from '../../../support/harness'

/** A provider that nobody asks. */
export const PROVIDER = {
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'organiser',
  OIDC_NAME: 'Home',
  AUTH_RATE_LIMIT: 'off',
}
export const PROVIDER_ONLY = { ...PROVIDER, OIDC_ONLY: 'on' }

export const NOT_RECENT = {
  status: 403,
  body: { detail: 'Recent authentication required', code: 'reauthentication_required' },
}
export const ONLY = { status: 403, body: { detail: 'Sign in with Home' } }
export const WRONG = { status: 401, body: { detail: 'Incorrect password' } }

/** The session is there for an hour by now, and nobody has proved anything since. */
export const age = (service: Harness, { sid }: Actor) =>
  service.db
    .update(sessions)
    .set({ authenticatedAt: addMinutes(service.clock.now(), -60) })
    .where(eq(sessions.id, sid))
