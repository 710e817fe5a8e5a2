import { type ReactNode, useCallback, useEffect, useId } from 'react'
import { Link, useParams } from 'wouter'
import { useAnswer } from '../api/use-answer'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { Answered } from '../security/Answered'
import { useDeviceName } from '../security/devices'
import { factLine } from '../security/fact-line'
import { useSignedIn } from '../session/use-session'
import { useWritten } from '../time/use-written'
import { ActionButtons } from './ActionButtons'
import { adminMessages } from './admin-pages'
import { AdminLayout } from './AdminLayout'
import { readSessions, readUser, type User } from './data'
import { PasswordReset } from './PasswordReset'
import { accountActions, sessionActions, signInActions, tokenActions } from './user-actions'
import { factsOf, marksOf } from './user-facts'
import { methodWords, userMessages } from './user.messages'
import { UserDeletion } from './UserDeletion'

const GONE: ReadonlySet<number> = new Set([404, 422])

/** One user, with everything that an administrator can do to the account. */
export function UserPage() {
  const { id = '' } = useParams()
  const m = useMessages(userMessages)
  const titles = useMessages(adminMessages)
  const { user: self } = useSignedIn()
  const ask = useCallback(async () => (self.isAdmin ? readUser(Number(id)) : undefined), [id, self.isAdmin])
  const asked = useAnswer(ask)
  if (GONE.has(asked.refusal?.status ?? 0))
    return (
      <AdminLayout page="users" heading={m.gone}>
        <p>{m.goneHint}</p>
        <Link href={PATTERNS.adminUsers} className="button button-secondary">
          {m.back}
        </Link>
      </AdminLayout>
    )
  return (
    <AdminLayout key={id} page="users" heading={asked.value?.username ?? titles.users}>
      <Answered asked={asked}>{(user) => user && <Account user={user} onChanged={asked.again} />}</Answered>
    </AdminLayout>
  )
}

interface AccountProps {
  readonly user: User
  readonly onChanged: () => void
}

function Account({ user, onChanged }: AccountProps) {
  const m = useMessages(userMessages)
  const written = useWritten()
  const { user: self } = useSignedIn()
  const isOwn = self.id === user.id
  const { username, counts } = user
  useKeptPlace(user)
  return (
    <>
      <div className="admin-facts">
        <Marks user={user} />
        <p>{factLine([...factsOf(user, m, written), m.made(written.moment(user.created_at))])}</p>
        <p>{m.has(counts.events, counts.todos, counts.people, counts.projects)}</p>
        <Link href={`${PATTERNS.adminAudit}?actor_id=${user.id}`}>{m.log}</Link>
      </div>
      <Section title={m.access}>
        {isOwn && <p>{m.ownHint}</p>}
        <ActionButtons username={username} actions={accountActions(user, m, isOwn)} onDone={onChanged}>
          {!isOwn && <UserDeletion user={user} />}
        </ActionButtons>
      </Section>
      <Section title={m.signIn}>
        <p>{factLine([m.passkeys(user.passkey_count)])}</p>
        <ActionButtons username={username} actions={signInActions(user, m)} onDone={onChanged}>
          <PasswordReset user={user} onDone={onChanged} />
        </ActionButtons>
      </Section>
      <Sessions user={user} onChanged={onChanged} />
      <Section title={m.tokens}>
        <p>{m.tokenCount(user.token_count)}</p>
        <ActionButtons username={username} actions={tokenActions(user, m)} onDone={onChanged} />
      </Section>
    </>
  )
}

/** A button that goes with what it did hands the focus to the heading. */
function useKeptPlace(user: User): void {
  useEffect(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus()
  }, [user])
}

function Marks({ user }: { readonly user: User }) {
  const m = useMessages(userMessages)
  const { user: self } = useSignedIn()
  const marks = [...(self.id === user.id ? [m.you] : []), ...marksOf(user, m)]
  return (
    <p className="admin-marks">
      {marks.map((mark) => (
        <span key={mark} className="fact-mark">
          {mark}
        </span>
      ))}
    </p>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

function Sessions({ user, onChanged }: AccountProps) {
  const { user: self } = useSignedIn()
  const m = useMessages(userMessages)
  const methods = useMessages(methodWords)
  const { moment } = useWritten()
  const deviceName = useDeviceName()
  // They are read again with the user.
  const ask = useCallback(() => readSessions(user.id), [user])
  const asked = useAnswer(ask)
  return (
    <Section title={m.sessions}>
      <Answered asked={asked}>
        {({ sessions }) => (
          <>
            {sessions.length === 0 && <p>{m.noSessions}</p>}
            <ul className="fact-lines" aria-label={m.sessions}>
              {sessions.map((session) => (
                <li key={session.id}>
                  <div>
                    <p className="fact-name">{deviceName(session.user_agent)}</p>
                    <p>
                      {factLine([
                        ...(session.is_current ? [m.here] : []),
                        m.sessionSeen(moment(session.last_seen_at)),
                        methods[session.auth_method],
                        ...(session.ip_address === null ? [] : [m.from(session.ip_address)]),
                      ])}
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          </>
        )}
      </Answered>
      <ActionButtons
        username={user.username}
        actions={sessionActions(user, m, self.id === user.id)}
        onDone={onChanged}
      />
    </Section>
  )
}
