import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { usePages } from '../api/use-pages'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { EmptyState } from '../parts/EmptyState'
import { Field } from '../parts/Field'
import { PagedList } from '../parts/PagedList'
import { Select } from '../parts/Select'
import { readDate } from '../time/days'
import { useZone } from '../time/use-zone'
import { AdminLayout } from './AdminLayout'
import { auditWords } from './audit-words'
import { AuditLine } from './AuditLine'
import { readAudit } from './data'

const messages = defineMessages({
  en: { action: 'What happened', all: 'Everything', from: 'From', to: 'Until', list: 'Entries', none: 'No entries fit',
    one: 'Only what one user did shows.', only: (name: string) => `Only what ${name} did shows.`, everybody: 'Show everybody' },
  de: { action: 'Was geschah', all: 'Alles', from: 'Von', to: 'Bis', list: 'Einträge', none: 'Kein Eintrag passt',
    one: 'Zu sehen ist nur, was ein Konto getan hat.', only: (name: string) => `Zu sehen ist nur, was ${name} getan hat.`, everybody: 'Alle zeigen' },
}) // prettier-ignore

/** What happened in the service, newest first. */
export function AuditPage() {
  return (
    <AdminLayout page="audit">
      <Audit />
    </AdminLayout>
  )
}

function Audit() {
  const m = useMessages(messages)
  const words = useMessages(auditWords)
  const { get, set } = useFilters()
  const pages = usePages(useReading(get))
  const { items } = pages
  const lines = useMemo(() => items?.map((entry) => ({ key: String(entry.id), entry })), [items])
  const actions = Object.entries(words).map(([value, label]) => ({ value, label }))
  return (
    <>
      <div className="admin-filters">
        <Select
          label={m.action}
          value={get('action')}
          onChange={(value) => set('action', value)}
          options={[{ value: '', label: m.all }, ...actions]}
        />
        <Field
          label={m.from}
          type="date"
          defaultValue={get('from')}
          onChange={({ target }) => set('from', target.value)}
        />
        <Field
          label={m.to}
          type="date"
          defaultValue={get('to')}
          onChange={({ target }) => set('to', target.value)}
        />
      </div>
      {get('actor_id') !== '' && (
        <OneActor name={items?.[0]?.actor_username} onEverybody={() => set('actor_id', '')} />
      )}
      <PagedList
        label={m.list}
        lines={lines}
        lineHeight={84}
        pages={pages}
        empty={<EmptyState icon="administration" title={m.none} />}
      >
        {({ entry }) => <AuditLine entry={entry} />}
      </PagedList>
    </>
  )
}

interface OneActorProps {
  /** Unknown where nothing shows. */
  readonly name: string | null | undefined
  readonly onEverybody: () => void
}

function OneActor({ name, onEverybody }: OneActorProps) {
  const m = useMessages(messages)
  const leave = () => {
    document.querySelector<HTMLElement>('main h1')?.focus()
    onEverybody()
  }
  return (
    <p>
      {name == null ? m.one : m.only(name)} <Button onClick={leave}>{m.everybody}</Button>
    </p>
  )
}

/** The filters stand in the address. */
function useFilters() {
  const params = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()
  const set = (name: string, value: string) => {
    if (value === '') params.delete(name)
    else params.set(name, value)
    navigate(params.size === 0 ? PATTERNS.adminAudit : `${PATTERNS.adminAudit}?${params}`, { replace: true })
  }
  return { get: (name: string) => params.get(name) ?? '', set }
}

function useReading(get: (name: string) => string) {
  const zone = useZone()
  const [action, actor, from, to] = [get('action'), get('actor_id'), get('from'), get('to')]
  return useCallback(
    async (cursor?: string) => {
      const instant = (day: Temporal.PlainDate | undefined) =>
        day?.toZonedDateTime(zone).toInstant().toString() ?? ''
      const filters = {
        action,
        actor_id: /^\d+$/.test(actor) ? actor : '',
        from: instant(readDate(from)),
        // The last day counts too.
        to: instant(readDate(to)?.add({ days: 1 })),
      }
      const page = await readAudit(filters, cursor)
      return { items: page.entries, next: page.next_cursor }
    },
    [action, actor, from, to, zone],
  )
}
