import type { PersonView } from '../../features/people/people/model'
import { pathOf } from '../api/call'
import { History } from '../history/History'
import { isLocal } from '../store/commands'
import { nameOf } from './names'

const FIELDS = [
  'first_name',
  'last_name',
  'nickname',
  'birthday',
  'email',
  'phone',
  'mobile',
  'company',
  'job_title',
  'address',
  'category',
  'book_id',
  'notes',
  'is_favourite',
]

/** The history of a person. Who is still being made has none. */
export function PersonHistory({ person }: { readonly person: PersonView }) {
  if (isLocal(person.id)) return null
  return (
    <div className="event-more">
      <History
        record={{ kind: 'person', id: person.id }}
        path={pathOf`people/${person.id}`}
        title={nameOf(person)}
        fields={FIELDS}
      />
    </div>
  )
}
