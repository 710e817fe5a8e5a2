import { birthdayObjects } from '../features/objects/birthday-objects/service'
import type { Collection, CollectionKind } from '../features/objects/collections/rules'
import { calendarObjects } from '../features/objects/calendar-objects/service'
import type { ObjectSource } from '../features/objects/sources/service'

const SOURCES: Record<CollectionKind, ObjectSource> = {
  calendar: calendarObjects,
  birthdays: birthdayObjects,
}

/** Where the objects of a collection come from. */
export const sourceOf = ({ kind }: Pick<Collection, 'kind'>): ObjectSource => SOURCES[kind]
