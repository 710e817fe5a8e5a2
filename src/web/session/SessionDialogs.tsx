import { ConfirmItIsYou } from './ConfirmItIsYou'
import type { Session } from './session'
import { SignInAgain } from './SignInAgain'

/** What the session needs while pages are open: another sign-in, or a proof of who the user is. */
export function SessionDialogs({
  session,
}: {
  readonly session: Extract<Session, { is: 'signed-in' | 'ended' | 'must-change-password' }>
}) {
  return session.is === 'ended' ? <SignInAgain session={session} /> : <ConfirmItIsYou user={session.user} />
}
