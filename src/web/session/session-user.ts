/** The user of a session, as far as the frame needs to know them. */
export interface SessionUser {
  readonly id: number
  readonly username: string
  readonly isAdmin: boolean
  /** Whether a password proves who they are: they have one, and the service takes it. */
  readonly hasPassword: boolean
  /** Whether a passkey proves who they are. */
  readonly hasPasskeys: boolean
  /** What the identity provider is called, with which they may prove who they are; null where there is none. */
  readonly provider: string | null
  /** Whether only the provider lets people in, so that neither passwords nor passkeys prove anything. */
  readonly isProviderOnly: boolean
}
