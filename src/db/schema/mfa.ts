import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, oneOf, providerSession } from './columns'
import { users } from './users'

export const MFA_PURPOSES = ['sign_in', 'enforced_setup'] as const
export type MfaPurpose = (typeof MFA_PURPOSES)[number]

/** Short-lived tokens between the password and the second factor (contract: sign-in.second-factors). */
export const mfaTokens = pgTable(
  'mfa_tokens',
  {
    /** SHA-256 of the token in hex; the token itself is never stored. */
    tokenHash: text().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text({ enum: MFA_PURPOSES }).notNull(),
    attempts: integer().notNull().default(0),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    ...providerSession(),
  },
  (t) => [
    index('mfa_tokens_user_id_idx').on(t.userId),
    index('mfa_tokens_expires_at_idx').on(t.expiresAt),
    oneOf('mfa_tokens_purpose_check', t.purpose, MFA_PURPOSES),
    check('mfa_tokens_attempts_check', sql`${t.attempts} >= 0`),
  ],
)

/** TOTP secrets (RFC 6238), one per user. A secret is pending until a first code confirms it. */
export const totpCredentials = pgTable('totp_credentials', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Encrypted; the plaintext is base32. */
  secret: text().notNull(),
  createdAt: instant().notNull(),
  confirmedAt: instant(),
  /** The newest time step that was accepted; it and all earlier ones are used up. */
  lastStep: bigint({ mode: 'number' }),
})

/** One-time codes for users who have lost their authenticator. A used code is kept, so that using it again is recognised. */
export const backupCodes = pgTable(
  'backup_codes',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 in hex of the normalised code. */
    codeHash: text().notNull(),
    createdAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [primaryKey({ name: 'backup_codes_pkey', columns: [t.userId, t.codeHash] })],
)
