import type { Ref } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { factLine } from '../security/fact-line'
import { useWritten } from '../time/use-written'
import { auditWords } from './audit-words'
import type { AuditEntry } from './data'

const messages = defineMessages({
  en: { nobody: 'Nobody who is known', from: (address: string) => `from ${address}` },
  de: { nobody: 'Niemand Bekanntes', from: (address) => `von ${address}` },
})

interface AuditLinesProps {
  readonly label: string
  readonly entries: readonly AuditEntry[]
  readonly listRef?: Ref<HTMLUListElement>
}

/** Entries of the audit log in words, with their details as they were written. */
export function AuditLines({ label, entries, listRef }: AuditLinesProps) {
  const m = useMessages(messages)
  const words = useMessages(auditWords)
  const { moment } = useWritten()
  return (
    <ul ref={listRef} className="fact-lines" aria-label={label}>
      {entries.map(({ id, action, actor_username: actor, detail, ip, created_at: at }) => (
        <li key={id} tabIndex={-1}>
          <div>
            <p className="fact-name">
              {Object.hasOwn(words, action) ? words[action as keyof typeof words] : <code>{action}</code>}
            </p>
            <p>{factLine([actor ?? m.nobody, moment(at), ...(ip === null ? [] : [m.from(ip)])])}</p>
            {detail !== null && (
              <p>
                <code>{detailOf(detail)}</code>
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

const detailOf = (detail: Readonly<Record<string, unknown>>): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
