import { useCallback, useMemo, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { TrashItemView } from '../../features/overview/trash/model'
import { usePages } from '../api/use-pages'
import { addressWith, PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { EmptyState } from '../parts/EmptyState'
import { PagedList } from '../parts/PagedList'
import { PageHeading } from '../parts/PageHeading'
import { Select } from '../parts/Select'
import { Status } from '../parts/Status'
import { DeleteDialog, EmptyDialog } from './Deletions'
import { readTrash } from './data'
import { messages } from './trash.messages'
import { TrashLine } from './TrashLine'
import { useTrashActions } from './use-trash-actions'
import { kindNames, TRASHED_KINDS, type TrashedKind } from './words'

/** What was deleted, until it comes back or its time is over (contract: web.trash). */
export function TrashPage() {
  const m = useMessages(messages)
  const kind = useKind()
  const read = useCallback((cursor: string | undefined) => readTrash(kind, cursor), [kind])
  const pages = usePages(read)
  const { problems, restoring, bringBack, remove, empty } = useTrashActions(pages.change)
  const [asked, ask] = useState<TrashItemView | 'all'>()
  const { items, hasMore } = pages
  const lines = useMemo(() => items?.map((item) => ({ key: String(item.id), item })), [items])
  const close = () => ask(undefined)
  return (
    <div className="trash">
      <div className="settings-head">
        <PageHeading>{m.title}</PageHeading>
        {items && items.length > 0 && <Button onClick={() => ask('all')}>{m.empty}</Button>}
      </div>
      <p className="settings-lead">
        {m.lead} <Link href={PATTERNS.recentChanges}>{m.changes}</Link>
      </p>
      <KindFilter kind={kind} />
      <Status label={m.count}>{items && m.counted(items.length, hasMore)}</Status>
      <PagedList
        label={m.title}
        lines={lines}
        pages={pages}
        empty={<Nothing isFiltered={kind !== undefined} />}
      >
        {({ item }) => (
          <TrashLine
            item={item}
            problem={problems.get(item.id)}
            isBusy={restoring === item.id}
            onRestore={() => void bringBack(item)}
            onDelete={() => ask(item)}
          />
        )}
      </PagedList>
      {asked === 'all' && (
        <EmptyDialog
          count={items?.length ?? 0}
          isMore={hasMore || kind !== undefined}
          empty={empty}
          onClose={close}
        />
      )}
      {asked && asked !== 'all' && <DeleteDialog item={asked} remove={remove} onClose={close} />}
    </div>
  )
}

/** The kind that the address asks for. */
function useKind(): TrashedKind | undefined {
  const asked = new URLSearchParams(useSearch()).get('type')
  return TRASHED_KINDS.find((each) => each === asked)
}

function KindFilter({ kind }: { readonly kind: TrashedKind | undefined }) {
  const m = useMessages(messages)
  const names = useMessages(kindNames)
  const [, navigate] = useLocation()
  return (
    <Select
      label={m.kind}
      value={kind ?? ''}
      onChange={(value) =>
        navigate(addressWith(PATTERNS.trash, value === '' ? '' : `type=${value}`), { replace: true })
      }
      options={[
        { value: '', label: m.everything },
        ...TRASHED_KINDS.map((value) => ({ value, label: names[value] })),
      ]}
    />
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const m = useMessages(messages)
  return (
    <EmptyState icon="delete" title={isFiltered ? m.noneOfKind : m.none}>
      <p>{m.noneHint}</p>
    </EmptyState>
  )
}
