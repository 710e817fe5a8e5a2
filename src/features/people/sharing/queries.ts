import { and, eq, inArray } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { connections, settings, users } from '../../../db/schema'

/** What may be shown of a user in addition to their settings. */
const user = {
  id: users.id,
  networkName: users.networkName,
  email: users.email,
  dateOfBirth: users.dateOfBirth,
}

/** For each user: their profile, the toggles of their settings, and those of their connection to the viewer, if there is one. */
export const findProfiles = (db: Db | Tx, viewerId: number, userIds: readonly number[]) =>
  db
    .select({ user, settings, connection: connections })
    .from(users)
    .innerJoin(settings, eq(settings.userId, users.id))
    .leftJoin(connections, and(eq(connections.userId, users.id), eq(connections.otherUserId, viewerId)))
    .where(inArray(users.id, [...userIds]))

export type ProfileRow = Awaited<ReturnType<typeof findProfiles>>[number]
