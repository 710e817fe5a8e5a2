import type { PersonView } from '../../features/people/people/model'
import { listConnectedUsers } from '../../features/people/connections/service'
import { displayName } from '../../lib/person-name'
import type { Assistant } from '../assistant'
import { type AssistantItem, present, told } from './item'

/** People as an assistant is told of them; what connected users share is theirs. */
export async function personItems(
  { deps, session }: Assistant,
  people: readonly PersonView[],
): Promise<AssistantItem[]> {
  const isLinked = people.some(({ shared_profile }) => shared_profile !== null)
  const connected = isLinked ? await listConnectedUsers(deps, session.userId) : []
  const names = new Map(connected.map(({ userId, networkName }) => [userId, networkName]))
  return people.map((person) => personItem(person, names.get(person.linked_user_id ?? 0) ?? 'somebody else'))
}

const personItem = (person: PersonView, by: string): AssistantItem => ({
  type: 'person',
  id: person.id,
  version: person.version,
  ...present({
    title: nameOf(person),
    nickname: told(person.nickname, null),
    email: person.email,
    phone: person.phone,
    mobile: person.mobile,
    address: told(person.address, null),
    company: told(person.company, null),
    job_title: told(person.job_title, null),
    birthday: person.birthday,
    age: person.age,
    category: person.category,
    notes: told(person.notes, null),
    is_favourite: person.is_favourite || null,
    book_id: person.book_id,
    linked_user_id: person.linked_user_id,
    shared_profile: sharedOf(person, by),
  }),
})

const nameOf = ({ first_name, last_name, nickname }: PersonView): string =>
  displayName({ firstName: first_name, lastName: last_name, nickname })

/** What the connected user shares: null where that is nothing. */
function sharedOf({ shared_profile }: PersonView, by: string) {
  const shared = present(
    Object.fromEntries(
      Object.entries(shared_profile ?? {}).map(([name, text]) => [name, told(text ?? null, by)]),
    ),
  )
  return Object.keys(shared).length === 0 ? null : shared
}
