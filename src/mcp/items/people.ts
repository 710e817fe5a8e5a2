import type { BirthdayView } from '../../features/people/birthdays/model'
import type { PersonView } from '../../features/people/people/model'
import { formerLinksOf, pagePeopleById } from '../../features/people/people/service'
import { listConnectedUsers } from '../../features/people/connections/service'
import { displayName } from '../../lib/person-name'
import type { Assistant } from '../assistant'
import { type AssistantItem, present, told, weekdayOf } from './item'

/**
 * People as an assistant is told of them. What connected users share is theirs, and so are the fields that the record of a user was
 * filled with when they were connected, also once they are not (contract: assistants.untrusted).
 */
export async function personItems(
  { deps, session }: Assistant,
  people: readonly PersonView[],
): Promise<AssistantItem[]> {
  const isLinked = people.some(({ linked_user_id }) => linked_user_id !== null)
  const [connected, links] = await Promise.all([
    isLinked ? listConnectedUsers(deps, session.userId) : [],
    formerLinksOf(
      deps,
      session,
      people.map(({ id }) => id),
    ),
  ])
  const names = new Map(connected.map(({ userId, networkName }) => [userId, networkName]))
  const former = Map.groupBy(links, ({ id }) => id)
  return people.map((person) => {
    const { linked_user_id: linked } = person
    const writers = new Set(former.get(person.id)?.map(({ networkName }) => networkName ?? SOMEBODY))
    if (linked !== null) writers.add(names.get(linked) ?? SOMEBODY)
    return personItem(person, writers.size === 0 ? null : [...writers].join(', '))
  })
}

const SOMEBODY = 'somebody else'

const personItem = (person: PersonView, by: string | null): AssistantItem => ({
  type: 'person',
  id: person.id,
  version: person.version,
  ...present({
    title: told(nameOf(person), by),
    nickname: told(person.nickname, by),
    email: told(person.email, by),
    phone: told(person.phone, by),
    mobile: told(person.mobile, by),
    address: told(person.address, by),
    company: told(person.company, by),
    job_title: told(person.job_title, by),
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

/** Birthdays, named as the people are. */
export async function birthdayItems(
  assistant: Assistant,
  birthdays: readonly BirthdayView[],
): Promise<AssistantItem[]> {
  const { deps, session } = assistant
  const ids = [...new Set(birthdays.map(({ person_id }) => person_id))]
  const people = await personItems(assistant, await pagePeopleById(deps, session, { ids }))
  const titles = new Map(people.map(({ id, title }) => [id, title]))
  return birthdays.map(({ person_id, date, turns }) => ({
    type: 'birthday',
    id: person_id,
    ...present({ title: titles.get(person_id), date, weekday: weekdayOf(date), turns }),
  }))
}

/** What the connected user shares: null where that is nothing. */
function sharedOf({ shared_profile }: PersonView, by: string | null) {
  const shared = present(
    Object.fromEntries(
      Object.entries(shared_profile ?? {}).map(([name, text]) => [name, told(text ?? null, by)]),
    ),
  )
  return Object.keys(shared).length === 0 ? null : shared
}
