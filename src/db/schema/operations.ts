import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import { instant } from './columns'
import { users } from './users'

/** What users have done, for 30 days (contract: retries.operations). A row is written in the transaction of its change. */
export const operations = pgTable(
  'operations',
  {
    /** Version 7 (RFC 9562), so that the ids sort by time. */
    id: uuid().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The session, or `token-<id>`. */
    credential: text().notNull(),
    /** The operation's id in the OpenAPI document. */
    name: text().notNull(),
    /** `Idempotency-Key`, and a signature of the request that came with it. */
    key: varchar({ length: 128 }),
    fingerprint: text(),
    /** An import that writes in several transactions and has not ended. */
    isOpen: boolean().notNull().default(false),
    /** Of an operation with a key: the id in its answer, and the answer if it holds no record. */
    item: integer(),
    answer: jsonb(),
    /** The operation that has undone this one. */
    undoneBy: uuid(),
    createdAt: instant().notNull(),
  },
  (t) => [
    index('operations_user_id_idx').on(t.userId, t.id),
    uniqueIndex('operations_user_id_key_key')
      .on(t.userId, t.key)
      .where(sql`${t.key} is not null`),
    index('operations_undone_by_idx')
      .on(t.undoneBy)
      .where(sql`${t.undoneBy} is not null`),
  ],
)
