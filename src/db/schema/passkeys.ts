import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { id, instant, oneOf } from './columns'
import { users } from './users'

export const DEVICE_TYPES = ['singleDevice', 'multiDevice'] as const

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** WebAuthn credentials (Web Authentication Level 3, section 4 "credential record"). */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** base64url, as the browser reports it. */
    credentialId: text().notNull(),
    /** COSE key. */
    publicKey: bytea().notNull(),
    signCount: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull(),
    deviceType: text({ enum: DEVICE_TYPES }).notNull(),
    backedUp: boolean().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (t) => [
    uniqueIndex('passkeys_credential_id_key').on(t.credentialId),
    index('passkeys_user_id_idx').on(t.userId),
    oneOf('passkeys_device_type_check', t.deviceType, DEVICE_TYPES),
    check('passkeys_sign_count_check', sql`${t.signCount} between 0 and 4294967295`),
  ],
)

export const WEBAUTHN_PURPOSES = ['registration', 'sign_in', 'passwordless_disable'] as const
export type WebauthnPurpose = (typeof WEBAUTHN_PURPOSES)[number]

/** Challenges of running WebAuthn ceremonies. Reading a challenge deletes it, so each is used once. */
export const webauthnChallenges = pgTable(
  'webauthn_challenges',
  {
    /** SHA-256 in hex of the challenge as written in `clientDataJSON`. */
    challengeHash: text().primaryKey(),
    purpose: text({ enum: WEBAUTHN_PURPOSES }).notNull(),
    /** The user of the ceremony; null while unknown. */
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (t) => [
    index('webauthn_challenges_user_id_idx').on(t.userId),
    index('webauthn_challenges_expires_at_idx').on(t.expiresAt),
    oneOf('webauthn_challenges_purpose_check', t.purpose, WEBAUTHN_PURPOSES),
  ],
)
