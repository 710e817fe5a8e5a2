/** The user of a session, as far as the frame needs to know them. */
export interface SessionUser {
  readonly id: number
  readonly username: string
  readonly isAdmin: boolean
  readonly hasPasskeys: boolean
  /** What the identity provider is called, with which they may prove who they are; null where there is none. */
  readonly provider: string | null
}
