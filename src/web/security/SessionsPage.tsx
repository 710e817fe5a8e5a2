import { useState } from 'react'
import type { SessionView } from '../../features/identity/active-sessions/model'
import { useAnswer } from '../api/use-answer'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { SettingsLayout } from '../settings/SettingsLayout'
import { useWritten } from '../time/use-written'
import { Answered } from './Answered'
import { readSessions } from './data'
import { useDeviceName } from './devices'
import { factLine } from './fact-line'
import { EndOthersDialog, EndSessionDialog } from './SessionsDialogs'
import { useKeptFocus } from './use-kept-focus'

const messages = defineMessages({
  en: {
    lead: 'Where your account is signed in. End what you do not know, and change the password then.',
    list: 'Sessions',
    here: 'This device',
    locked: 'Screen locked',
    seen: (at: string) => `Last seen ${at}`,
    now: 'In use now',
    from: (address: string) => `from ${address}`,
    began: (date: string, how: string) => `signed in ${date} ${how}`,
    password: 'with the password',
    totp: 'with password and authenticator',
    backup_code: 'with password and backup code',
    passkey: 'with a passkey',
    setup: 'when the account was made',
    registration: 'when the account was made',
    oidc: 'with single sign-on',
    signOut: (device: string) => `Sign out ${device}`,
    end: 'Sign out',
    others: 'Sign out all others',
    alone: 'Your account is signed in nowhere else.',
  },
  de: {
    lead: 'Wo das Konto angemeldet ist. Unbekanntes beenden und danach das Passwort ändern.',
    list: 'Sitzungen',
    here: 'Dieses Gerät',
    locked: 'Bildschirm gesperrt',
    seen: (at) => `Zuletzt gesehen: ${at}`,
    now: 'Gerade in Gebrauch',
    from: (address) => `von ${address}`,
    began: (date, how) => `angemeldet am ${date} ${how}`,
    password: 'mit dem Passwort',
    totp: 'mit Passwort und Authentifizierungs-App',
    backup_code: 'mit Passwort und Ersatzcode',
    passkey: 'mit einem Passkey',
    setup: 'beim Anlegen des Kontos',
    registration: 'beim Anlegen des Kontos',
    oidc: 'mit Single Sign-on',
    signOut: (device) => `${device} abmelden`,
    end: 'Abmelden',
    others: 'Alle anderen abmelden',
    alone: 'Sonst ist das Konto nirgends angemeldet.',
  },
})

/** All sessions of the account, this one first, each of the others with its end. */
export function SessionsPage() {
  const m = useMessages(messages)
  const asked = useAnswer(readSessions)
  const heading = useKeptFocus(asked.value)
  return (
    <SettingsLayout page="sessions">
      <p className="settings-lead">{m.lead}</p>
      <section aria-labelledby="sessions-title">
        <h2 id="sessions-title" ref={heading} tabIndex={-1} className="visually-hidden">
          {m.list}
        </h2>
        <Answered asked={asked}>
          {(sessions) => <SessionList sessions={sessions} onChanged={asked.again} />}
        </Answered>
      </section>
    </SettingsLayout>
  )
}

interface SessionListProps {
  readonly sessions: readonly SessionView[]
  readonly onChanged: () => void
}

function SessionList({ sessions, onChanged }: SessionListProps) {
  const m = useMessages(messages)
  const [isEnding, setEnding] = useState(false)
  const others = sessions.filter(({ is_current }) => !is_current)
  return (
    <>
      <ul className="fact-lines" aria-labelledby="sessions-title">
        {[...sessions.filter(({ is_current }) => is_current), ...others].map((session) => (
          <SessionLine key={session.id} session={session} onChanged={onChanged} />
        ))}
      </ul>
      {others.length === 0 ? (
        <p className="settings-lead">{m.alone}</p>
      ) : (
        <Button onClick={() => setEnding(true)}>{m.others}</Button>
      )}
      {isEnding && (
        <EndOthersDialog count={others.length} onDone={onChanged} onClose={() => setEnding(false)} />
      )}
    </>
  )
}

interface SessionLineProps {
  readonly session: SessionView
  readonly onChanged: () => void
}

function SessionLine({ session, onChanged }: SessionLineProps) {
  const m = useMessages(messages)
  const { date, moment } = useWritten()
  const [isEnding, setEnding] = useState(false)
  const device = useDeviceName()(session.user_agent)
  const { is_current: isHere, ip_address: address } = session
  const facts = [
    isHere ? m.now : m.seen(moment(session.last_seen_at)),
    ...(address === null ? [] : [m.from(address)]),
    m.began(date(session.created_at), m[session.auth_method]),
    ...(session.is_locked ? [m.locked] : []),
  ]
  return (
    <li>
      <div>
        <p className="fact-name">
          {device} {isHere && <span className="fact-mark">{m.here}</span>}
        </p>
        <p>{factLine(facts)}</p>
      </div>
      {!isHere && (
        <Button aria-label={m.signOut(device)} onClick={() => setEnding(true)}>
          {m.end}
        </Button>
      )}
      {isEnding && (
        <EndSessionDialog
          id={session.id}
          device={device}
          onDone={onChanged}
          onClose={() => setEnding(false)}
        />
      )}
    </li>
  )
}
