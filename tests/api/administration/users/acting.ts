import { desc, eq } from 'drizzle-orm'
import { auditLog, mfaTokens, webauthnChallenges } from '../../../../src/db/schema'
import { addMinutes } from '../../../../src/lib/time/time'
import { sessionsOf } from '../../../support/accounts'
import { type Harness } from '../../../support/harness'

export const USERS = '/api/admin/users'

export const liveSessions = async (h: Harness, userId: number) =>
  (await sessionsOf(h, userId)).filter(({ revoked }) => !revoked).length

/** The newest audit entry. */
export async function lastAudit(h: Harness) {
  const [entry] = await h.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  return entry && { action: entry.action, actorId: entry.actorId, detail: entry.detail, ip: entry.ip }
}

/** A sign-in of each kind that is under way. */
export async function beginChallenges(h: Harness, userId: number) {
  const at = { createdAt: h.clock.now(), expiresAt: addMinutes(h.clock.now(), 5) }
  const hash = crypto.randomUUID()
  await h.db.insert(mfaTokens).values({ tokenHash: hash, userId, purpose: 'sign_in', ...at })
  await h.db.insert(webauthnChallenges).values({ challengeHash: hash, userId, purpose: 'sign_in', ...at })
}

export const countChallenges = async (h: Harness, userId: number) =>
  (await h.db.$count(mfaTokens, eq(mfaTokens.userId, userId))) +
  (await h.db.$count(webauthnChallenges, eq(webauthnChallenges.userId, userId)))
