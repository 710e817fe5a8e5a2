import { useCallback, useMemo, useState } from 'react'
import { usePages } from '../api/use-pages'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { EmptyState } from '../parts/EmptyState'
import { Field } from '../parts/Field'
import { PagedList } from '../parts/PagedList'
import { Select } from '../parts/Select'
import { Status } from '../parts/Status'
import { useSettled } from '../search/use-found'
import { factLine } from '../security/fact-line'
import { useWritten } from '../time/use-written'
import { adminMessages } from './admin-pages'
import { AdminLayout } from './AdminLayout'
import { readUsers, type UserView } from './data'
import { NewUserDialog } from './NewUserDialog'
import { factsOf, marksOf } from './user-facts'
import { userMessages } from './user.messages'
import { UserLink } from './UserLink'

const SETTLES_AFTER_MS = 200

interface UserFilters {
  readonly typed: string
  readonly role: '' | 'admin' | 'standard'
  readonly active: '' | 'true' | 'false'
}

/** All users, to find one. */
export function UsersPage() {
  return (
    <AdminLayout page="users">
      <Users />
    </AdminLayout>
  )
}

function Users() {
  const m = useMessages(userMessages)
  const names = useMessages(adminMessages)
  const [filters, setFilters] = useState<UserFilters>({ typed: '', role: '', active: '' })
  const { typed, role, active } = filters
  const [isAdding, setAdding] = useState(false)
  const [total, setTotal] = useState<number>()
  const q = useSettled(typed.trim(), SETTLES_AFTER_MS)
  const read = useCallback(
    async (cursor?: string) => {
      const page = await readUsers({ q, role, is_active: active }, cursor)
      setTotal(page.total)
      return { items: page.users, next: page.next_cursor }
    },
    [q, role, active],
  )
  const pages = usePages(read)
  const { items } = pages
  const lines = useMemo(() => items?.map((user) => ({ key: String(user.id), user })), [items])
  return (
    <>
      <Filters value={filters} onChange={setFilters} />
      <Button kind="primary" onClick={() => setAdding(true)}>
        {m.add}
      </Button>
      <Status isVisible>{total === undefined ? undefined : m.count(total)}</Status>
      <PagedList
        label={names.users}
        lines={lines}
        lineHeight={66}
        pages={pages}
        empty={<EmptyState icon="people" title={m.none} />}
      >
        {({ user }) => <UserLine user={user} />}
      </PagedList>
      {isAdding && <NewUserDialog onClose={() => setAdding(false)} />}
    </>
  )
}

interface FiltersProps {
  readonly value: UserFilters
  readonly onChange: (value: UserFilters) => void
}

function Filters({ value, onChange }: FiltersProps) {
  const m = useMessages(userMessages)
  return (
    <div className="admin-filters">
      <Field
        type="search"
        label={m.search}
        value={value.typed}
        maxLength={254}
        onChange={({ target }) => onChange({ ...value, typed: target.value })}
      />
      <Select
        label={m.role}
        value={value.role}
        onChange={(role) => onChange({ ...value, role })}
        options={[
          { value: '', label: m.all },
          { value: 'admin', label: m.admin },
          { value: 'standard', label: m.standard },
        ]}
      />
      <Select
        label={m.state}
        value={value.active}
        onChange={(active) => onChange({ ...value, active })}
        options={[
          { value: '', label: m.all },
          { value: 'true', label: m.active },
          { value: 'false', label: m.disabled },
        ]}
      />
    </div>
  )
}

function UserLine({ user }: { readonly user: UserView }) {
  const m = useMessages(userMessages)
  const written = useWritten()
  return (
    <div className="fact-line">
      <div>
        <p className="fact-name">
          <UserLink id={user.id}>{user.username}</UserLink>
        </p>
        <p>{factLine(factsOf(user, m, written))}</p>
      </div>
      {marksOf(user, m).map((mark) => (
        <span key={mark} className="fact-mark">
          {mark}
        </span>
      ))}
    </div>
  )
}
