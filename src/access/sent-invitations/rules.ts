import { type AppError, tooMany } from '../../lib/errors'

/** The most invitations from one user to another within `WITHIN_HOURS`. */
export const MAX_SENT = 20
export const WITHIN_HOURS = 24

/** The 429 until `freeAt`, when the oldest counted invitation is a day old. */
export const tooManyInvitations = (now: Date, freeAt: Date): AppError =>
  tooMany('Too many invitations', Math.max(1, Math.ceil((+freeAt - +now) / 1000)))
