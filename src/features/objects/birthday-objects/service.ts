import type { Db, Tx } from '../../../db/client'
import { forbidden } from '../../../lib/errors'
import { CALENDAR_END, OBJECT_HEAD } from '../../calendars/export/rules'
import { followJournal, type ObjectSource } from '../sources/service'
import * as q from './queries'
import { birthdayLines, personOf } from './rules'

const find = (db: Db | Tx, ownerId: number, names: readonly string[]) =>
  q.find(
    db,
    ownerId,
    names.flatMap((name) => personOf(name) ?? []),
  )

const refuse = () => Promise.reject(forbidden('Birthdays are managed through people'))

/** The birthdays of a user's people, as JSON shows them (contract: events.birthdays): whoever sees calendars sees them. */
export const birthdayObjects: ObjectSource = {
  list: (db, { ownerId }) => q.list(db, ownerId),
  find: (db, { ownerId }, names) => find(db, ownerId, names),
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
  follow: (db, { ownerId, place }, since, limit) => {
    const journal = {
      last: place,
      floorOf: (tx: Tx) => q.floorOf(tx, ownerId),
      changedSince: (tx: Tx, after: number, most: number) => q.changedSince(tx, ownerId, after, most),
      present: async (tx: Tx, names: readonly string[]) =>
        new Set((await find(tx, ownerId, names)).map(({ name }) => name)),
    }
    return followJournal(db, journal, since, limit)
  },
  put: refuse,
  remove: refuse,
}
