import { forbidden } from '../../../lib/errors'
import { componentIn } from '../../calendars/event-files/service'
import { calendarObjects } from '../calendar-objects/service'
import type { Collection, Halves } from '../collections/rules'
import type { ObjectEntry } from '../sources/rules'
import type { ObjectSource } from '../sources/service'
import { todoObjects } from '../todo-objects/service'

const isTodo = ({ kind }: ObjectEntry) => kind === 'todo'
const keyOf = ({ kind, id }: ObjectEntry) => `${kind} ${id}`

function halvesOf({ halves }: Collection): Halves {
  if (!halves) throw new Error('the collection is not mixed')
  return halves
}

/** The events and the todos of a mixed collection (contract: dav.mixed). */
export const mixedObjects: ObjectSource = {
  list: async (db, collection, span) => {
    const { calendar, list } = halvesOf(collection)
    return [...(await calendarObjects.list(db, calendar, span)), ...(await todoObjects.list(db, list))]
  },
  find: async (db, collection, names) => {
    const { calendar, list } = halvesOf(collection)
    return [
      ...(await calendarObjects.find(db, calendar, names)),
      ...(await todoObjects.find(db, list, names)),
    ]
  },
  read: async (deps, collection, entries) => {
    const { calendar, list } = halvesOf(collection)
    const [todos, events] = [entries.filter(isTodo), entries.filter((entry) => !isTodo(entry))]
    const read = [
      ...(events.length > 0 ? await calendarObjects.read(deps, calendar, events) : []),
      ...(todos.length > 0 ? await todoObjects.read(deps, list, todos) : []),
    ]
    const byKey = new Map(read.map((one) => [keyOf(one), one]))
    return entries.flatMap((entry) => byKey.get(keyOf(entry)) ?? [])
  },
  journals: (collection) => {
    const { calendar, list } = halvesOf(collection)
    return [...calendarObjects.journals(calendar), ...todoObjects.journals(list)]
  },
  put: async (deps, reader, given) => {
    const { calendar, list } = halvesOf(given.collection)
    const holdsTodos = (await componentIn(deps, given.text)) === 'VTODO'
    const collection = holdsTodos ? list : calendar
    if (collection.access === 'read') throw forbidden('Insufficient permissions')
    return (holdsTodos ? todoObjects : calendarObjects).put(deps, reader, { ...given, collection })
  },
  remove: (deps, reader, entry, expected) =>
    (isTodo(entry) ? todoObjects : calendarObjects).remove(deps, reader, entry, expected),
}
