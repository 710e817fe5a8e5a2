import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { AppError } from '../../../lib/errors'
import type { ProvedIdentity } from '../../../lib/ports/identity-provider'
import { sha256Hex } from '../../../lib/text'
import { type Caller, lockUserOf, proveSession } from '../../../access/sessions/service'
import { findSession } from '../../../access/sessions/service.checks'
import { findIdentity, linkIdentity, noteUse } from '../identities/service'
import type { SignedIn } from '../sign-in/service'
import * as q from './queries'
import { CODE_OF, factorAt, isProvedSince, type Purpose, refusedAt } from './rules'
import { cookieNameOf, providerOf, refusalOfBarred } from './service.begin'
import { noteRefusal, type RefusedSignOn } from './service.refusals'
import { signInWith } from './service.sign-in'

interface Return extends Caller {
  /** The parameters of the address to which the provider sent the browser. */
  readonly answer: URLSearchParams
  readonly cookieOf: (name: string) => string | undefined
  /** The value of the session cookie; `null` when the request has several. */
  readonly token: string | null | undefined
}

interface Returned {
  /** Where the browser goes. */
  readonly location: string
  /** The cookie that has had its time; undefined without a state. */
  readonly usedCookie?: string
  readonly userId?: number
  /** For the session cookie, when a session was opened. */
  readonly token?: string
  /** What the location brings to the page of the second factor. */
  readonly mfaToken?: string
}

/**
 * Ends a sign-in at the provider (contract: oidc.callback). What was begun is used up first, so that nothing comes twice; then
 * the provider is asked, outside of any transaction.
 * @throws {AppError} 404 where no provider is configured.
 */
export async function comeBack(deps: Deps, given: Return): Promise<Returned> {
  const { provider } = providerOf(deps)
  const { answer, cookieOf, token, ...caller } = given
  const state = answer.get('state') ?? ''
  const stateHash = await sha256Hex(state)
  const usedCookie = cookieNameOf(stateHash)
  const browserHash = await sha256Hex(cookieOf(usedCookie) ?? '')
  const begun = await q.takeBegin(deps.db, stateHash, browserHash)
  const purpose = begun?.purpose ?? 'sign-in'
  const refuse = async (refused: RefusedSignOn): Promise<Returned> => {
    const { ip } = caller
    await inTransaction(deps.db, async (tx) => noteRefusal(tx, deps, { ...refused, purpose, ip }))
    return { location: refusedAt(purpose, refused.code), usedCookie }
  }
  if (!begun || begun.expiresAt <= deps.clock.now()) {
    return refuse({ code: 'expired', reason: begun ? 'too_late' : 'unknown_state', userId: null })
  }
  const { nonce, codeVerifier } = begun
  const proved = await provider.redeem(answer, { state, nonce, codeVerifier })
  if ('failure' in proved) {
    return refuse({ code: CODE_OF[proved.failure], reason: proved.reason, userId: null })
  }
  const outcome = await OUTCOMES[purpose](deps, proved, { begun, token, ...caller })
  if ('code' in outcome) return refuse(outcome)
  return { ...whereTo(outcome, begun.next), usedCookie, userId: outcome.userId }
}

interface Coming extends Caller {
  readonly begun: q.BeginRow
  readonly token: Return['token']
}

/** Proved: the session is recent, or has another identity. */
type Completion = SignedIn | { readonly userId: number } | RefusedSignOn

const OUTCOMES: Readonly<
  Record<Purpose, (deps: Deps, proved: ProvedIdentity, coming: Coming) => Promise<Completion>>
> = {
  'sign-in': (deps, proved, { ip, userAgent }) => signInWith(deps, proved, { ip, userAgent }),
  link: (deps, proved, coming) => inSession(deps, coming, link(proved, coming)),
  reauthenticate: (deps, proved, coming) => inSession(deps, coming, prove(proved, coming)),
}

type InSession = (tx: Tx, key: { id: string; userId: number }, now: Date) => Promise<Completion>

/** Runs `work` in the session that began, if it is still the browser's, and to link was not locked meanwhile. */
async function inSession(deps: Deps, { begun, token }: Coming, work: InSession): Promise<Completion> {
  const session = await findSession(deps, token)
  if (session instanceof AppError || session.id !== begun.sessionId) {
    return { code: 'expired', reason: 'other_session', userId: null }
  }
  if (begun.purpose === 'link' && refusalOfBarred(session)) {
    return { code: 'expired', reason: 'session_barred', userId: session.userId }
  }
  const { id, userId } = session
  return inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    await lockUserOf(tx, session, now)
    return work(tx, { id, userId }, now)
  })
}

const link =
  (proved: ProvedIdentity, { ip, userAgent }: Coming): InSession =>
  async (tx, { userId }, now) =>
    (await linkIdentity(tx, userId, proved, { ip, userAgent, now }))
      ? { userId }
      : { code: 'already_linked', reason: 'already_linked', userId }

const prove =
  (proved: ProvedIdentity, { ip, begun }: Coming): InSession =>
  async (tx, session, now) => {
    const { userId } = session
    const identity = await findIdentity(tx, proved)
    if (identity?.userId !== userId) return { code: 'not_linked', reason: 'other_identity', userId }
    if (!isProvedSince(proved, begun.createdAt)) {
      return { code: 'provider_refused', reason: 'claim auth_time', userId }
    }
    await noteUse(tx, identity.id, proved, now)
    await proveSession(tx, session, { ip, now })
    return { userId }
  }

function whereTo(outcome: SignedIn | { readonly userId: number }, next: string): Returned {
  if (!('view' in outcome)) return { location: next }
  const { view, token } = outcome
  if (!view.authenticated) {
    const page = 'totp_required' in view ? '/second-factor' : '/second-factor/set-up'
    return { location: factorAt(page, view.mfa_token, next), mfaToken: view.mfa_token }
  }
  return token === undefined ? { location: next } : { location: next, token }
}
