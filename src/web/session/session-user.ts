/** The user of a session, as far as the frame needs to know them. */
export interface SessionUser {
  readonly id: number
  readonly username: string
  readonly isAdmin: boolean
  readonly hasPasskeys: boolean
}
