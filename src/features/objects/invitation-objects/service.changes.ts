import type { Reader } from '../../../access/reader/service'
import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps, WriteDeps } from '../../../deps'
import { forbidden, notFound } from '../../../lib/errors'
import { dayOf, wallToText, type WallTime } from '../../../lib/time/wall-time'
import { stale } from '../../../lib/wire/versions'
import { readParts } from '../../calendars/event-files/service'
import { lockInvitation } from '../../events/invitations/service'
import { answerLocked, chooseDisplayCalendar, declineLocked } from '../../events/invitations/service.answers'
import { refusalOf } from '../event-objects/service.put'
import type { GivenObject, ObjectEntry, ObjectMove, ObjectRefusal, PutObject } from '../sources/rules'
import { changeObject } from '../sources/service'
import * as q from './queries'
import type { InvitedEvent } from './rules'
import { saidIn } from './rules.meaning'
import { loadInvited, textFor } from './service'

type PutDeps = WriteDeps & Pick<Deps, 'calendarFiles'>

/** An answer is between two users: it cannot be undone, here as in JSON. */
const answering = (
  reader: Reader,
  name: 'answerInvitation' | 'chooseDisplayCalendar' = 'answerInvitation',
): Reader => ({
  ...reader,
  ...(reader.operation && { operation: { ...reader.operation, name } }),
})

/**
 * Takes what an invitee's program says of their own answer, alarms and transparency (contract: dav.invitations).
 * @throws {AppError} 401, 403 for any other change, 404.
 */
export function putInvitation(
  deps: PutDeps,
  reader: Reader,
  given: GivenObject,
  { id }: Pick<ObjectEntry, 'id'>,
): Promise<PutObject | ObjectRefusal> {
  const own = answering(reader)
  return changeObject(deps.db, (tx) => store(tx, deps, own, { ...given, id }), reader.userId)
}

interface GivenInvitation extends GivenObject {
  readonly id: number
}

async function store(
  tx: Tx,
  deps: PutDeps,
  reader: Reader,
  { id, name, text, check }: GivenInvitation,
): Promise<PutObject | ObjectRefusal> {
  const now = deps.clock.now()
  const { found, entry } = await lockShown(tx, reader, now, id)
  check(entry)
  const invited = (await loadInvited(tx, [id])).get(id)
  if (!invited) throw notFound('Invitation')
  const read = (one: string) => readParts(deps, one, zoneOf(invited))
  const [given, present] = [await read(text), await read(await textFor(deps, id, invited))]
  if (given.kind !== 'VEVENT') return refusalOf(given)
  if (present.kind !== 'VEVENT') throw new Error('an invitation cannot be read')
  if (given.uid !== present.uid) return { kind: 'uid', name }
  const said = saidIn(given, present, invited)
  if (!said) throw forbidden('Only the organiser can change the event')
  for (const { response, wall } of said.answers) {
    const occurrence_start = wall === undefined ? null : startOf(invited, wall)
    await answerLocked(tx, found, { response, occurrence_start }, now)
  }
  if (JSON.stringify(said.parts) !== JSON.stringify(invited.parts)) await q.putParts(tx, id, said.parts)
  return { object: entry, isNew: false, isRewritten: true }
}

const zoneOf = ({ exported: { times } }: InvitedEvent) => (times.allDay ? 'UTC' : times.timeZone)

/** The name of an occurrence for `answerLocked`. */
const startOf = ({ exported: { times } }: InvitedEvent, wall: WallTime): string =>
  times.allDay ? dayOf(wall) : wallToText(wall)

/** Locks an invitation that a calendar shows. @throws {AppError} 401, 404. */
async function lockShown(tx: Tx, reader: Reader, now: Date, id: number) {
  const found = await lockInvitation(tx, { session: reader, now }, { id })
  const { userId, displayCalendarId } = found.invitation
  const [entry] = displayCalendarId === null ? [] : await q.find(tx, displayCalendarId, [id])
  if (!entry || userId !== reader.userId) throw notFound('Invitation')
  return { found, entry }
}

/** Declines an invitation, which the calendar shows no more. @throws {AppError} 401, 404, 412. */
export function declineInvitation(
  { db, clock }: WriteDeps,
  reader: Reader,
  { id }: Pick<ObjectEntry, 'id'>,
  expected: readonly number[] | undefined,
): Promise<void> {
  const own = answering(reader)
  return inTransaction(db, async (tx) => {
    const now = clock.now()
    const { found, entry } = await lockShown(tx, own, now, id)
    if (expected && !expected.includes(entry.version)) throw stale()
    await declineLocked(tx, found, now)
  })
}

/** Shows an invitation in another calendar of the invitee's, under its own name. @throws {AppError} 401, 403, 404. */
export async function moveInvitation(
  deps: WriteDeps,
  reader: Reader,
  { entry, to, name, check }: ObjectMove,
): Promise<PutObject> {
  if (name !== entry.name || to.isOthers) throw forbidden('An invitation keeps its name')
  check(undefined)
  await chooseDisplayCalendar(deps, answering(reader, 'chooseDisplayCalendar'), entry.id, to.id)
  return { object: entry, isNew: true }
}
