/** The most invitations from one user to another within `WITHIN_HOURS`. */
export const MAX_SENT = 20
export const WITHIN_HOURS = 24
