import { cardObjects } from '../features/objects/card-objects/service'
import { birthdayObjects } from '../features/objects/birthday-objects/service'
import type { Collection, CollectionKind } from '../features/objects/collections/rules'
import { calendarObjects } from '../features/objects/calendar-objects/service'
import { mixedObjects } from '../features/objects/mixed-objects/service'
import { todoObjects } from '../features/objects/todo-objects/service'
import type { ObjectSource } from '../features/objects/sources/service'

const SOURCES: Record<CollectionKind, ObjectSource> = {
  calendar: calendarObjects,
  book: cardObjects,
  birthdays: birthdayObjects,
  list: todoObjects,
  reminders: todoObjects,
  mixed: mixedObjects,
}

/** Where the objects of a collection come from. */
export const sourceOf = ({ kind }: Pick<Collection, 'kind'>): ObjectSource => SOURCES[kind]
