import { type AppError, conflict } from '../../../lib/errors'

export const MAX_INVITATIONS = 20

/** Returns a 409 when the event would have too many invitations. */
export const refusalOfNumber = (invitations: number): AppError | undefined =>
  invitations > MAX_INVITATIONS
    ? conflict(`An event can have at most ${MAX_INVITATIONS} invitations`)
    : undefined

const ANSWERS = { Going: 'is going to', Tentative: 'may come to', Declined: 'declined' } as const

/** The answer as a sentence for the organiser; `day` is given when the answer is to one occurrence. */
export const toSentence = (
  networkName: string,
  response: keyof typeof ANSWERS,
  subject: { readonly title: string; readonly day?: string },
): string =>
  `${networkName} ${ANSWERS[response]} “${subject.title}”${subject.day === undefined ? '' : ` on ${subject.day}`}.`
