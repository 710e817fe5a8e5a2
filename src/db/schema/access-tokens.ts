import { index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { id, instant } from './columns'
import { users } from './users'

/** Tokens with which programs act for a user (contract: tokens.form). Revoking one deletes its row. */
export const accessTokens = pgTable(
  'access_tokens',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    scopes: text().array().notNull(),
    /** SHA-256 in hex of the whole text, so that reading the database lets nobody in. */
    tokenHash: text().notNull(),
    /** The beginning of the secret part, by which its owner knows it again. */
    prefix: varchar({ length: 8 }).notNull(),
    createdAt: instant().notNull(),
    /** Null: never. */
    expiresAt: instant(),
    /** Accurate to a minute; null until the first use. */
    lastUsedAt: instant(),
    lastUsedIp: varchar({ length: 45 }),
  },
  (t) => [
    uniqueIndex('access_tokens_token_hash_key').on(t.tokenHash),
    index('access_tokens_user_id_idx').on(t.userId),
    index('access_tokens_expires_at_idx').on(t.expiresAt),
  ],
)
