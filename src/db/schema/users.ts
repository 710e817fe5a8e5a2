import { sql } from 'drizzle-orm'
import { boolean, check, date, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, oneOf, timestamps } from './columns'

export const ROLES = ['admin', 'standard'] as const
export type Role = (typeof ROLES)[number]

/** Users (contract: accounts.user). */
export const users = pgTable(
  'users',
  {
    id: id(),
    username: text().notNull(),
    /** PHC string of Argon2id, or a legacy bcrypt hash until the user's next sign-in. */
    passwordHash: text().notNull(),
    role: text({ enum: ROLES }).notNull(),
    isActive: boolean().notNull().default(true),
    failedLoginCount: integer().notNull().default(0),
    /** Set by wrong passwords. */
    lockedUntil: instant(),
    failedMfaCount: integer().notNull().default(0),
    /** Set by wrong second factors. Either lock locks the account. */
    mfaLockedUntil: instant(),
    lastLoginAt: instant(),
    lastPasswordChangeAt: instant(),
    mustChangePassword: boolean().notNull().default(false),
    /** Until then, the password is a temporary one; afterwards, it is invalid. */
    temporaryPasswordExpiresAt: instant(),
    /** The temporary password was given on the machine itself: it signs in even where only the identity provider does. */
    passwordByOperator: boolean().notNull().default(false),
    /** Lasting: an administrator or the system configuration requires a second factor of this user. */
    mfaRequired: boolean().notNull().default(false),
    totpEnabled: boolean().notNull().default(false),
    mfaEnforcePending: boolean()
      .notNull()
      .generatedAlwaysAs(sql`mfa_required and not totp_enabled`),
    passwordlessEnabled: boolean().notNull().default(false),
    /**
     * The user handle for passkeys (WebAuthn Level 3, section 14.6.1): 32 random bytes in base64url, generated with the first
     * passkey.
     */
    webauthnHandle: text(),
    email: text(),
    dateOfBirth: date({ mode: 'string' }),
    /** The public handle, by which other users find and see the user. */
    networkName: text().notNull(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('users_username_key').on(sql`lower(${t.username})`),
    uniqueIndex('users_email_key').on(sql`lower(${t.email})`),
    uniqueIndex('users_network_name_key').on(t.networkName),
    uniqueIndex('users_webauthn_handle_key').on(t.webauthnHandle),
    oneOf('users_role_check', t.role, ROLES),
    check('users_failed_login_count_check', sql`${t.failedLoginCount} >= 0`),
    check('users_failed_mfa_count_check', sql`${t.failedMfaCount} >= 0`),
    check('users_network_name_check', sql`${t.networkName} = lower(${t.networkName})`),
  ],
)
