import type { Db, Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import { pauses } from '../../../lib/pauses'
import { wallFromText } from '../../../lib/time/wall-time'
import { loadEvents, objectOf, OWNER } from '../../calendars/export/service'
import type { ObjectEntry, ObjectText } from '../sources/rules'
import * as q from './queries'
import { asInvited, invitationOf, type InvitedEvent } from './rules'

type ReadingDeps = Pick<Deps, 'calendarFiles' | 'clock'>

/** Loads events as their invitees see them, by invitation. */
export async function loadInvited(
  db: Db | Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, InvitedEvent>> {
  const rows = ids.length === 0 ? [] : await q.read(db, ids)
  if (rows.length === 0) return new Map()
  const events = new Map(rows.map(({ event }) => [event.id, event]))
  const loaded = new Map(
    (await loadEvents(db, [...events.values()], OWNER)).map((one) => [one.id, one] as const),
  )
  const answers = await q.answersOf(db, ids)
  return new Map(
    rows.flatMap((row) => {
      const exported = loaded.get(row.event.id)
      if (!exported) return []
      const own = (answers.get(row.id) ?? []).map(
        ({ occurrenceStart, response }) => [wallFromText(occurrenceStart), response] as const,
      )
      return [[row.id, toInvited(row, exported, new Map(own))]]
    }),
  )
}

const toInvited = (
  { event, response, parts, inviteeEmail, ...row }: q.ReadInvitation,
  exported: InvitedEvent['exported'],
  answers: InvitedEvent['answers'],
): InvitedEvent => ({
  exported,
  isCancelled: event.isCancelled,
  organiser: { id: row.organiserId, name: row.organiserName },
  invitee: { id: row.inviteeId, name: row.inviteeName },
  email: inviteeEmail,
  response,
  answers,
  parts: parts ?? {},
})

/** The event as an iCalendar object for its invitee. */
export const textFor = (
  { calendarFiles, clock }: ReadingDeps,
  id: number,
  invited: InvitedEvent,
): Promise<string> =>
  objectOf({ calendarFiles, pause: pauses(clock) }, { ...asInvited(invited), id, text: undefined })

/** The texts of invitations, in the order of the entries. */
export async function readInvitations(
  deps: ReadingDeps & Pick<Deps, 'db'>,
  entries: readonly ObjectEntry[],
): Promise<ObjectText[]> {
  const invited = await loadInvited(
    deps.db,
    entries.map(({ id }) => id),
  )
  const texts: ObjectText[] = []
  for (const entry of entries) {
    const one = invited.get(entry.id)
    if (one) texts.push({ ...entry, text: await textFor(deps, entry.id, one) })
  }
  return texts
}

export const listInvitations = q.list

/** The invitation to the event of this UID that a calendar shows. */
export const invitationWithUid = q.withUid

/** The invitations that a calendar shows under these names. */
export const findInvitations = (
  db: Db | Tx,
  calendarId: number,
  names: readonly string[],
): Promise<ObjectEntry[]> =>
  q.find(
    db,
    calendarId,
    names.flatMap((name) => invitationOf(name) ?? []),
  )

/** What changed of the invitations that a calendar shows. */
export const invitationsSince = q.changedSince
