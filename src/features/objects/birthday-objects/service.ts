import type { Db, Tx } from '../../../db/client'
import { forbidden } from '../../../lib/errors'
import { CALENDAR_END, OBJECT_HEAD } from '../../calendars/export/rules'
import type { Collection } from '../collections/rules'
import type { ObjectSource } from '../sources/service'
import * as q from './queries'
import { birthdayLines, personOf } from './rules'

const find = (db: Db | Tx, seen: Collection, names: readonly string[]) =>
  q.find(
    db,
    seen,
    names.flatMap((name) => personOf(name) ?? []),
  )

const refuse = () => Promise.reject(forbidden('Birthdays are managed through people'))

/** The birthdays of a user's people, as JSON shows them (contract: events.birthdays): whoever sees calendars sees them. */
export const birthdayObjects: ObjectSource = {
  list: q.list,
  find,
  read: async ({ db, calendarFiles }, { ownerId }, entries) => {
    const people = await q.read(
      db,
      ownerId,
      entries.map(({ id }) => id),
    )
    return entries.flatMap((entry) => {
      const person = people.get(entry.id)
      if (!person) return []
      const lines = [...OBJECT_HEAD, ...birthdayLines(person), ...CALENDAR_END]
      return { ...entry, text: calendarFiles.print(lines) }
    })
  },
  journals: (collection) => [
    {
      part: { ...collection, kind: 'birthdays' },
      changedSince: (tx, after, most) => q.changedSince(tx, collection, after, most),
      named: (tx, names) => find(tx, collection, names),
    },
  ],
  put: refuse,
  remove: refuse,
}
