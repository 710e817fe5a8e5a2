import { useCallback } from 'react'
import { Link } from 'wouter'
import { useAnswer } from '../api/use-answer'
import { PATTERNS } from '../app/addresses'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Answered } from '../security/Answered'
import { factLine } from '../security/fact-line'
import { useWritten } from '../time/use-written'
import { AdminLayout } from './AdminLayout'
import { AuditList } from './AuditLine'
import { readDashboard } from './data'
import { methodWords } from './user.messages'

const messages = defineMessages({
  en: {
    counts: 'Numbers',
    users: 'Users',
    active_users: 'Active users',
    admins: 'Administrators',
    locked_users: 'Locked accounts',
    active_sessions: 'Live sessions',
    logins: 'Last sign-ins',
    noLogins: 'Nobody is signed in.',
    recent: 'Last entries of the audit log',
    all: 'The whole audit log',
    from: (address: string) => `from ${address}`,
  },
  de: {
    counts: 'Zahlen',
    users: 'Konten',
    active_users: 'Aktive Konten',
    admins: 'Administrationskonten',
    locked_users: 'Gesperrte Konten',
    active_sessions: 'Laufende Sitzungen',
    logins: 'Letzte Anmeldungen',
    noLogins: 'Niemand ist angemeldet.',
    recent: 'Letzte Einträge des Protokolls',
    all: 'Das ganze Protokoll',
    from: (address) => `von ${address}`,
  },
})

const COUNTS = ['users', 'active_users', 'admins', 'locked_users', 'active_sessions'] as const

/** How the service stands: numbers, the last sign-ins, the last entries of the log. */
export function DashboardPage() {
  return (
    <AdminLayout page="overview">
      <Dashboard />
    </AdminLayout>
  )
}

function Dashboard() {
  const m = useMessages(messages)
  const locale = useLocale()
  const ask = useCallback(() => readDashboard(), [])
  const asked = useAnswer(ask)
  return (
    <Answered asked={asked}>
      {({ counts, recent_logins: logins, recent_audit: entries }) => (
        <>
          <dl className="admin-counts" aria-label={m.counts}>
            {COUNTS.map((name) => (
              <div key={name}>
                <dt>{m[name]}</dt>
                <dd>{counts[name].toLocaleString(locale)}</dd>
              </div>
            ))}
          </dl>
          <Logins logins={logins} />
          <section aria-labelledby="recent-title">
            <h2 id="recent-title">{m.recent}</h2>
            <AuditList label={m.recent} entries={entries} />
            <Link href={PATTERNS.adminAudit}>{m.all}</Link>
          </section>
        </>
      )}
    </Answered>
  )
}

function Logins({ logins }: { readonly logins: Awaited<ReturnType<typeof readDashboard>>['recent_logins'] }) {
  const m = useMessages(messages)
  const methods = useMessages(methodWords)
  const { moment } = useWritten()
  return (
    <section aria-labelledby="logins-title">
      <h2 id="logins-title">{m.logins}</h2>
      {logins.length === 0 && <p>{m.noLogins}</p>}
      <ul className="fact-lines" aria-labelledby="logins-title">
        {logins.map(({ username, at, ip_address: address, auth_method: method }) => (
          <li key={`${username} ${at} ${method}`}>
            <div>
              <p className="fact-name">{username}</p>
              <p>{factLine([moment(at), methods[method], ...(address === null ? [] : [m.from(address)])])}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
