import { useCallback, useMemo, useState } from 'react'
import { usePages } from '../api/use-pages'
import { PATTERNS } from '../app/addresses'
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
import { useAddressFilters } from './use-address-filters'
import { factsOf, marksOf } from './user-facts'
import { userMessages } from './user.messages'
import { UserLink } from './UserLink'

const SETTLES_AFTER_MS = 200

const ROLES = ['admin', 'standard'] as const
const ACTIVE = ['true', 'false'] as const

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
  const filters = useAddressFilters(PATTERNS.adminUsers)
  const [role, active] = [filters.among('role', ROLES), filters.among('is_active', ACTIVE)]
  const [isAdding, setAdding] = useState(false)
  const [total, setTotal] = useState<number>()
  const q = useSettled(filters.get('q').trim(), SETTLES_AFTER_MS)
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
      <Filters filters={filters} />
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

function Filters({ filters }: { readonly filters: ReturnType<typeof useAddressFilters> }) {
  const m = useMessages(userMessages)
  return (
    <div className="admin-filters">
      <Field
        type="search"
        label={m.search}
        value={filters.get('q')}
        maxLength={254}
        onChange={({ target }) => filters.set('q', target.value)}
      />
      <Select
        label={m.role}
        value={filters.among('role', ROLES)}
        onChange={(role) => filters.set('role', role)}
        options={[
          { value: '', label: m.all },
          { value: 'admin', label: m.admin },
          { value: 'standard', label: m.standard },
        ]}
      />
      <Select
        label={m.state}
        value={filters.among('is_active', ACTIVE)}
        onChange={(active) => filters.set('is_active', active)}
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
