import { cardObjects } from '../features/objects/card-objects/service'
import { birthdayObjects } from '../features/objects/birthday-objects/service'
import type { Collection, CollectionKind } from '../features/objects/collections/rules'
import { eventObjects } from '../features/objects/event-objects/service'
import { todoObjects } from '../features/objects/todo-objects/service'
import type { ObjectSource } from '../features/objects/sources/service'

const SOURCES: Record<CollectionKind, ObjectSource> = {
  calendar: eventObjects,
  list: todoObjects,
  reminders: todoObjects,
  book: cardObjects,
  birthdays: birthdayObjects,
}

/** Where the objects of a collection come from. */
export const sourceOf = ({ kind }: Pick<Collection, 'kind'>): ObjectSource => SOURCES[kind]
