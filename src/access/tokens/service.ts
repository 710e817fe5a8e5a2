import type { Deps } from '../../deps'
import { forbidden } from '../../lib/errors'
import { isAppPassword, isScope } from '../../lib/scopes'
import { toTokenKey } from '../sessions/rules'
import type { CurrentSession, Owner, TokenGrant } from '../sessions/service'
import * as q from './queries'
import { usedBefore } from './rules'

export interface CurrentToken {
  readonly session: CurrentSession & { readonly token: TokenGrant }
  /** Whether its use is to be noted. */
  readonly isUseDue: boolean
  /** Whether its user has to set up a second factor first. */
  readonly isMfaDue: boolean
}

/**
 * Finds the live token with this hash, as what acts in the place of a session (contract: tokens.use). `withOwner` loads the
 * user's settings and profile in the same query. Undefined for a token that is unknown, has expired, belongs to a deactivated
 * user or is an app password.
 */
export async function findToken(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  hash: string,
  { withOwner = false }: { readonly withOwner?: boolean | undefined } = {},
): Promise<CurrentToken | undefined> {
  const now = clock.now()
  const key = { hash, now: now.toISOString() }
  if (!withOwner) return toCurrent((await q.findLive(db).execute(key))[0], now)
  const [row] = await q.findLiveWithOwner(db).execute(key)
  const found = toCurrent(row, now)
  if (!row || !found) return undefined
  return { ...found, session: { ...found.session, owner: { settings: row.settings, profile: row.profile } } }
}

type LiveToken = Awaited<ReturnType<ReturnType<typeof q.findLive>['execute']>>[number]

function toCurrent(row: LiveToken | undefined, now: Date, isForDav = false): CurrentToken | undefined {
  const scopes = row?.scopes.filter(isScope)
  if (!row || !scopes || isAppPassword(scopes) !== isForDav) return undefined
  const { id, userId, username, role, mustChangePassword, mfaEnforcePending, lastUsedAt } = row
  const token = { id, scopes }
  return {
    session: { id: toTokenKey(id), userId, username, role, mustChangePassword, token },
    isUseDue: lastUsedAt === null || lastUsedAt <= usedBefore(now),
    isMfaDue: mfaEnforcePending,
  }
}

/** The user of an app password, which opens /dav and nothing else (contract: dav.sign-in). */
export interface AppPasswordUser extends Omit<CurrentToken, 'isMfaDue'> {
  readonly owner: Owner
}

/**
 * Finds the live app password with this hash, if it belongs to the user of this name, in any case, or e-mail. Undefined also while its user has to
 * change their password.
 */
export async function findAppPassword(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  hash: string,
  user: string,
): Promise<AppPasswordUser | undefined> {
  const now = clock.now()
  const [row] = await q.findLiveWithOwner(db).execute({ hash, now: now.toISOString() })
  const found = toCurrent(row, now, true)
  if (!row || !found || row.mustChangePassword) return undefined
  const { settings, profile } = row
  const name = user.normalize('NFC').toLowerCase()
  if (name !== row.username.toLowerCase() && name !== profile.email?.toLowerCase()) return undefined
  return { session: found.session, isUseDue: found.isUseDue, owner: { settings, profile } }
}

/** The 403 of a token whose user has to set up a second factor. */
export const mfaSetupRequired = () => forbidden('MFA setup required', 'mfa_setup_required')

/** Notes when and from where a token was used last, at most once a minute. */
export function noteUse({ db, clock }: Pick<Deps, 'db' | 'clock'>, tokenId: number, ip: string) {
  const now = clock.now()
  return q.noteUse(db, tokenId, { now, ip, before: usedBefore(now) })
}
