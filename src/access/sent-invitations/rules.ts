import { type AppError, tooMany } from '../../lib/errors'

/** Between two users, within so many hours. */
export const MAX_SENT = 20
export const WITHIN_HOURS = 24

/** 429 until the oldest invitation that counts is a day old. */
export const tooManyInvitations = (now: Date, freeAt: Date): AppError =>
  tooMany('Too many invitations', Math.max(1, Math.ceil((+freeAt - +now) / 1000)))
