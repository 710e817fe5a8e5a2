import { type AppError, conflict } from '../../../lib/errors'

export const MAX_INVITATIONS = 20

/** 409 for an event that would have that many invitations. */
export const refusalOfNumber = (invitations: number): AppError | undefined =>
  invitations > MAX_INVITATIONS
    ? conflict(`An event can have at most ${MAX_INVITATIONS} invitations`)
    : undefined

const ANSWERS = { Going: 'is going to', Tentative: 'may come to', Declined: 'declined' } as const

/** An answer as its organiser reads it; `day` is that of the occurrence which alone it is for. */
export const toSentence = (
  networkName: string,
  response: keyof typeof ANSWERS,
  subject: { readonly title: string; readonly day?: string },
): string =>
  `${networkName} ${ANSWERS[response]} “${subject.title}”${subject.day === undefined ? '' : ` on ${subject.day}`}.`
