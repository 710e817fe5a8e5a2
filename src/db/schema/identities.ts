import { index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { id, instant, oneOf } from './columns'
import { users } from './users'

/** Accounts at the identity provider that are linked with a user (contract: oidc.identities). */
export const identities = pgTable(
  'identities',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As the provider's tokens name it. */
    issuer: text().notNull(),
    subject: text().notNull(),
    /** What the provider last said; only for the user to know the identity by. */
    name: text(),
    email: text(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (t) => [
    uniqueIndex('identities_issuer_subject_key').on(t.issuer, t.subject),
    index('identities_user_id_idx').on(t.userId),
  ],
)

export const OIDC_PURPOSES = ['sign-in', 'link', 'reauthenticate'] as const
export type OidcPurpose = (typeof OIDC_PURPOSES)[number]

/** Sign-ins that are under way at the identity provider. Reading one deletes it, so each is used once. */
export const oidcBegins = pgTable(
  'oidc_begins',
  {
    /** SHA-256 in hex of the state that goes through the browser. */
    stateHash: text().primaryKey(),
    /** SHA-256 in hex of the cookie of the browser that began. */
    browserHash: text().notNull(),
    nonce: text().notNull(),
    codeVerifier: text().notNull(),
    purpose: text({ enum: OIDC_PURPOSES }).notNull(),
    /** A path of this service. */
    next: text().notNull(),
    /** The session that began, unless it is a sign-in. */
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    sessionId: varchar({ length: 32 }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (t) => [
    index('oidc_begins_user_id_idx').on(t.userId),
    index('oidc_begins_expires_at_idx').on(t.expiresAt),
    oneOf('oidc_begins_purpose_check', t.purpose, OIDC_PURPOSES),
  ],
)
