import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { users } from '../../../db/schema'

const isOthers = async (tx: Tx, userId: number, condition: SQL): Promise<boolean> =>
  (
    await tx
      .select({ id: users.id })
      .from(users)
      .where(and(condition, ne(users.id, userId)))
      .limit(1)
  ).length > 0

/** Whether another user has the e-mail, ignoring case. */
export const isEmailTaken = (tx: Tx, userId: number, email: string): Promise<boolean> =>
  isOthers(tx, userId, eq(sql`lower(${users.email})`, sql`lower(${email})`))

/** Whether another user has the network name; network names are in lower case. */
export const isNetworkNameTaken = (tx: Tx, userId: number, networkName: string): Promise<boolean> =>
  isOthers(tx, userId, eq(users.networkName, networkName))
