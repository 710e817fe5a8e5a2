import type { Deps } from '../../../deps'
import { inTransaction } from '../../../db/transaction'
import { AppError, forbidden } from '../../../lib/errors'
import type {
  IdentityProvider,
  ProviderFailure,
  ProviderSettings,
} from '../../../lib/ports/identity-provider'
import { sha256Hex } from '../../../lib/text'
import {
  type Caller,
  type CurrentSession,
  hasRecentProof,
  lockUserOf,
  notRecent,
} from '../../../access/sessions/service'
import { findSession } from '../../../access/sessions/service.checks'
import { inBatches, type IsStopping } from '../../../db/batches'
import * as q from './queries'
import { CODE_OF, expiryOf, nextOf, type Purpose, refusedAt } from './rules'
import { noteRefusal } from './service.refusals'

/** @throws {AppError} 404 where no provider is configured. */
export function providerOf({ config, identityProvider }: Pick<Deps, 'config' | 'identityProvider'>): {
  readonly provider: IdentityProvider
  readonly settings: ProviderSettings
} {
  if (!config.oidc || !identityProvider) throw new AppError('not_found', 'Not found')
  return { provider: identityProvider, settings: config.oidc }
}

/** The cookie that binds a sign-in at the provider to its browser: each sign-in has its own. */
interface BrowserCookie {
  readonly name: string
  readonly value: string
}

export const cookieNameOf = (stateHash: string): string => `oidc-${stateHash.slice(0, 16)}`

interface Begin extends Caller {
  readonly purpose: Purpose
  readonly next: string | undefined
  /** The value of the session cookie; `null` when the request has several. */
  readonly token: string | null | undefined
}

interface Begun {
  /** Where the browser goes. */
  readonly location: string
  /** Undefined when the provider cannot be asked. */
  readonly cookie?: BrowserCookie
}

const SECRET_BYTES = 32

/**
 * Begins a sign-in at the provider (contract: oidc.begin). To link an identity takes a recent session; a locked one may prove
 * itself.
 * @throws {AppError} 404, and 401, 403 or 423 for a session that may not do that.
 */
export async function begin(deps: Deps, { purpose, next, token, ...caller }: Begin): Promise<Begun> {
  const { provider } = providerOf(deps)
  const session = purpose === 'sign-in' ? null : await sessionFor(deps, purpose, token)
  const draw = () => deps.random.bytes(SECRET_BYTES).toBase64({ alphabet: 'base64url', omitPadding: true })
  const binding = { state: draw(), nonce: draw(), codeVerifier: draw() }
  const isReauthentication = purpose === 'reauthenticate'
  const location = await provider.authorizationUrl({ ...binding, isReauthentication })
  if (typeof location !== 'string') return { location: await refuse(deps, purpose, location, caller) }
  const [stateHash, browser] = [await sha256Hex(binding.state), draw()]
  const browserHash = await sha256Hex(browser)
  await inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    if (session) await lockUserOf(tx, session, now)
    await q.insertBegin(tx, {
      stateHash,
      browserHash,
      nonce: binding.nonce,
      codeVerifier: binding.codeVerifier,
      purpose,
      next: nextOf(next, purpose),
      userId: session?.userId ?? null,
      sessionId: session?.id ?? null,
      createdAt: now,
      expiresAt: expiryOf(now),
    })
  })
  return { location, cookie: { name: cookieNameOf(stateHash), value: browser } }
}

async function sessionFor(deps: Deps, purpose: Purpose, token: Begin['token']): Promise<CurrentSession> {
  const session = await findSession(deps, token)
  if (session instanceof AppError) throw session
  const refusal = purpose === 'link' ? refusalToLink(session, deps.clock.now()) : undefined
  if (refusal) throw refusal
  return session
}

/** The checks that the session of a route with `recent` passes, in their order (contract: http.order). */
const refusalToLink = (session: CurrentSession, now: Date): AppError | undefined =>
  refusalOfBarred(session) ?? (hasRecentProof(session, now) ? undefined : notRecent())

/** Why the session may do nothing but prove itself, or change its password. */
export function refusalOfBarred({ state, mustChangePassword }: CurrentSession): AppError | undefined {
  if (state?.isLocked) return new AppError('locked', 'Session is locked', { code: 'session_locked' })
  return mustChangePassword ? forbidden('Password change required', 'password_change_required') : undefined
}

async function refuse(
  deps: Deps,
  purpose: Purpose,
  { failure, reason }: ProviderFailure,
  { ip }: Caller,
): Promise<string> {
  const code = CODE_OF[failure]
  await inTransaction(deps.db, (tx) => noteRefusal(tx, deps, { purpose, code, reason, userId: null, ip }))
  return refusedAt(purpose, code)
}

/** Deletes sign-ins that never came back. Returns how many. */
export const purgeBegins = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> => inBatches(db, (tx, limit) => q.purge(tx, clock.now(), limit), isStopping)
