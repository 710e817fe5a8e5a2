import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { EmptyState } from '../parts/EmptyState'
import { Field } from '../parts/Field'
import { Select } from '../parts/Select'
import { Status } from '../parts/Status'
import { useSettled } from '../search/use-found'
import { Answered } from '../security/Answered'
import { factLine } from '../security/fact-line'
import { useWritten } from '../time/use-written'
import { AdminLayout } from './AdminLayout'
import { readUsers, type UserView } from './data'
import { MoreButton } from './MoreButton'
import { NewUserDialog } from './NewUserDialog'
import { usePages } from './use-pages'
import { factsOf, marksOf } from './user-facts'
import { userMessages } from './user.messages'

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
  return (
    <>
      <Filters value={filters} onChange={setFilters} />
      <Button kind="primary" onClick={() => setAdding(true)}>
        {m.add}
      </Button>
      <Status isVisible>{total === undefined ? undefined : m.count(total)}</Status>
      <UserList pages={pages} />
      <MoreButton {...pages} />
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

function UserList({ pages }: { readonly pages: ReturnType<typeof usePages<UserView>> }) {
  const m = useMessages(userMessages)
  return (
    <Answered asked={pages.first}>
      {() => (
        <>
          {pages.items.length === 0 && <EmptyState icon="people" title={m.none} />}
          <ul ref={pages.list} className="fact-lines" aria-label={m.search}>
            {pages.items.map((user) => (
              <UserLine key={user.id} user={user} />
            ))}
          </ul>
        </>
      )}
    </Answered>
  )
}

function UserLine({ user }: { readonly user: UserView }) {
  const m = useMessages(userMessages)
  const written = useWritten()
  return (
    <li>
      <div>
        <p className="fact-name">
          <Link href={PATTERNS.adminUser.replace(':id', String(user.id))}>{user.username}</Link>
        </p>
        <p>{factLine(factsOf(user, m, written))}</p>
      </div>
      {marksOf(user, m).map((mark) => (
        <span key={mark} className="fact-mark">
          {mark}
        </span>
      ))}
    </li>
  )
}
