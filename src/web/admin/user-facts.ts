import type { useWritten } from '../time/use-written'
import type { UserView } from './data'
import type { UserTexts } from './user.messages'

/** What stands out of a user: role and state, in words. */
export const marksOf = (user: UserView, m: UserTexts): readonly string[] => {
  const { mfa_enforce_pending: isPending, totp_enabled: hasFactor } = user
  const marks: ReadonlyArray<readonly [boolean, string]> = [
    [user.role === 'admin', m.admin],
    [!user.is_active, m.disabled],
    [user.locked_until !== null, m.locked],
    [user.must_change_password, m.mustChange],
    [isPending, m.pending],
    [hasFactor, m.factor],
    [user.passwordless_enabled, m.passwordless],
  ]
  return marks.flatMap(([holds, text]) => (holds ? [text] : []))
}

export const factsOf = (
  user: UserView,
  m: UserTexts,
  { moment }: ReturnType<typeof useWritten>,
): readonly string[] => [
  ...(user.email === null ? [] : [user.email]),
  user.last_login_at === null ? m.never : m.seen(moment(user.last_login_at)),
  ...(user.locked_until === null ? [] : [m.lockedUntil(moment(user.locked_until))]),
]
