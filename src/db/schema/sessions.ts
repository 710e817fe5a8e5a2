import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid, varchar } from 'drizzle-orm/pg-core'
import { instant, oneOf, providerSession } from './columns'
import { users } from './users'

export const AUTH_METHODS = [
  'password',
  'totp',
  'backup_code',
  'passkey',
  'setup',
  'registration',
  'oidc',
] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

/** Sessions (contract: sessions.row). */
export const sessions = pgTable(
  'sessions',
  {
    /** A random UUID in hex form. */
    id: varchar({ length: 32 }).primaryKey(),
    /** Identifies the session in lists, so that their readers learn no session id. */
    publicId: uuid().notNull().defaultRandom(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** Accurate to ten minutes. */
    lastSeenAt: instant().notNull(),
    revoked: boolean().notNull().default(false),
    ipAddress: varchar({ length: 45 }),
    userAgent: varchar({ length: 255 }),
    isLocked: boolean().notNull().default(false),
    lockedAt: instant(),
    authMethod: text({ enum: AUTH_METHODS }).notNull(),
    /** When the session last proved the user's identity: by a sign-in, password check or passkey. */
    authenticatedAt: instant().notNull(),
    ...providerSession(),
  },
  (t) => [
    uniqueIndex('sessions_public_id_key').on(t.publicId),
    index('sessions_user_id_idx').on(t.userId),
    index('sessions_expires_at_idx').on(t.expiresAt),
    index('sessions_oidc_subject_idx')
      .on(t.oidcSubject)
      .where(sql`${t.oidcSubject} is not null`),
    index('sessions_oidc_sid_idx')
      .on(t.oidcSid)
      .where(sql`${t.oidcSid} is not null`),
    oneOf('sessions_auth_method_check', t.authMethod, AUTH_METHODS),
  ],
)
