import { useMemo } from 'react'
import { Link } from 'wouter'
import { usePages } from '../api/use-pages'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { EmptyState } from '../parts/EmptyState'
import { PagedList } from '../parts/PagedList'
import { PageHeading } from '../parts/PageHeading'
import { ChangeLine } from './ChangeLine'
import { messages } from './changes.messages'
import { readOperations } from './data'
import { isTold } from './operation-words'

/** What the user has done, on any device and by any program, each with a way back (contract: web.trash). */
export function RecentChangesPage() {
  const m = useMessages(messages)
  const pages = usePages(readOperations)
  const { items } = pages
  const lines = useMemo(
    () => items?.filter(isTold).map((operation) => ({ key: operation.id, operation })),
    [items],
  )
  return (
    <div className="trash">
      <PageHeading>{m.title}</PageHeading>
      <p className="settings-lead">
        {m.lead} <Link href={PATTERNS.trash}>{m.trash}</Link>
      </p>
      <PagedList label={m.title} lines={lines} pages={pages} empty={<Nothing />}>
        {({ operation }) => <ChangeLine operation={operation} />}
      </PagedList>
    </div>
  )
}

function Nothing() {
  const m = useMessages(messages)
  return (
    <EmptyState icon="undo" title={m.none}>
      <p>{m.noneHint}</p>
    </EmptyState>
  )
}
