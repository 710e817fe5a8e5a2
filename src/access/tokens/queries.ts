import { and, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { prepared } from '../../db/prepared'
import { accessTokens, settings, users } from '../../db/schema'

const token = {
  id: accessTokens.id,
  userId: accessTokens.userId,
  scopes: accessTokens.scopes,
  lastUsedAt: accessTokens.lastUsedAt,
  username: users.username,
  role: users.role,
  mustChangePassword: users.mustChangePassword,
  mfaEnforcePending: users.mfaEnforcePending,
}

const isLive = and(
  eq(accessTokens.tokenHash, sql.placeholder('hash')),
  or(isNull(accessTokens.expiresAt), gt(accessTokens.expiresAt, sql.placeholder('now'))),
  eq(users.isActive, true),
)

/** Finds the unexpired token with this hash and its user, unless the user is deactivated; `now` is given in ISO 8601. */
export const findLive = prepared((db) =>
  db
    .select(token)
    .from(accessTokens)
    .innerJoin(users, eq(users.id, accessTokens.userId))
    .where(isLive)
    .prepare('access_tokens_find_live'),
)

/** Like `findLive`, with the user's settings and profile. */
export const findLiveWithOwner = prepared((db) =>
  db
    .select({
      ...token,
      settings,
      profile: { email: users.email, dateOfBirth: users.dateOfBirth, networkName: users.networkName },
    })
    .from(accessTokens)
    .innerJoin(users, eq(users.id, accessTokens.userId))
    .leftJoin(settings, eq(settings.userId, accessTokens.userId))
    .where(isLive)
    .prepare('access_tokens_find_live_with_owner'),
)

interface Use {
  readonly now: Date
  readonly ip: string
  /** A token that was used later than this is left alone, so that one of several parallel requests writes. */
  readonly before: Date
}

export async function noteUse(db: Db, id: number, { now, ip, before }: Use): Promise<void> {
  const isDue = or(isNull(accessTokens.lastUsedAt), lte(accessTokens.lastUsedAt, before))
  await db
    .update(accessTokens)
    .set({ lastUsedAt: now, lastUsedIp: ip })
    .where(and(eq(accessTokens.id, id), isDue))
}
