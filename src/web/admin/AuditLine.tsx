import { Fragment, type ReactNode } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { ItemList } from '../parts/ItemList'
import { useWritten } from '../time/use-written'
import { useDetailWords } from './audit-details'
import { auditWords } from './audit-words'
import type { AuditEntry } from './data'
import { UserLink } from './UserLink'

const messages = defineMessages({
  en: {
    unknown: 'Somebody unknown',
    deleted: 'A deleted account',
    operator: 'A command on the server',
    from: (address: string) => `from ${address}`,
    account: 'Account:',
    number: (id: number) => `number ${id}`,
  },
  de: {
    unknown: 'Unbekannt',
    deleted: 'Ein gelöschtes Konto',
    operator: 'Ein Befehl auf dem Server',
    from: (address) => `von ${address}`,
    account: 'Konto:',
    number: (id) => `Nummer ${id}`,
  },
})

/** An entry of the audit log in words: what was done, by whom, when and from where, and to whom. */
export function AuditLine({ entry }: { readonly entry: AuditEntry }) {
  const m = useMessages(messages)
  const words = useMessages(auditWords)
  const details = useDetailWords()
  const { moment } = useWritten()
  const { action, detail, ip, created_at: at } = entry
  const isFromServer = entry.actor_id === null && ip === UNKNOWN
  return (
    <div className="fact-line">
      <div>
        <p className="fact-name">
          {Object.hasOwn(words, action) ? words[action as keyof typeof words] : <code>{action}</code>}
        </p>
        <Facts
          facts={[<Actor entry={entry} />, moment(at), ...(ip === null || isFromServer ? [] : [m.from(ip)])]}
        />
        {detail !== null && <Facts facts={[...aboutOf(entry, m), ...details(detail)]} />}
      </div>
    </div>
  )
}

/** What the service writes where there is no address, as for a command on the server. */
const UNKNOWN = 'unknown'

/** Short facts in a line, some of which are links; it never begins with what stands between them. */
function Facts({ facts }: { readonly facts: readonly ReactNode[] }) {
  if (facts.length === 0) return null
  return (
    <p>
      {facts.map((fact, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- facts have no other name, and never change their places
        <Fragment key={place}>
          {place > 0 && '\u00a0· '}
          {fact}
        </Fragment>
      ))}
    </p>
  )
}

/** Who did it. An account that was deleted since has left no name. */
function Actor({ entry }: { readonly entry: AuditEntry }) {
  const m = useMessages(messages)
  const { actor_id: id, actor_username: name, detail, ip } = entry
  if (id !== null && name !== null) return <UserLink id={id}>{name}</UserLink>
  if (ip === UNKNOWN) return m.operator
  const { reason } = detail ?? {}
  return reason === 'unknown_username' || entry.action === 'auth.passkey_login_failed' ? m.unknown : m.deleted
}

const DELETIONS: ReadonlySet<string> = new Set(['admin.user_deleted', 'auth.account_deleted'])

/** Whom it was done to, as a link to an account that may still be there. */
function aboutOf(
  { action, detail }: AuditEntry,
  m: { account: string; number: (id: number) => string },
): ReactNode[] {
  const id = detail?.['user_id'] ?? detail?.['receiver_id']
  if (typeof id !== 'number') return []
  const username = detail?.['username']
  const name = typeof username === 'string' ? username : m.number(id)
  return [
    <>
      {m.account} {DELETIONS.has(action) ? name : <UserLink id={id}>{name}</UserLink>}
    </>,
  ]
}

interface AuditListProps {
  readonly label: string
  readonly entries: readonly AuditEntry[]
}

/** A few entries of the audit log. */
export function AuditList({ label, entries }: AuditListProps) {
  return (
    <ItemList
      label={label}
      items={entries.map((entry) => ({ key: String(entry.id), entry }))}
      lineHeight={84}
    >
      {({ entry }) => <AuditLine entry={entry} />}
    </ItemList>
  )
}
