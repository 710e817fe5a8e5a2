import { calendarsFor, lockOwners } from '../../../access/calendars/service'
import { type Reader, zoneOf } from '../../../access/reader/service'
import type { Tx } from '../../../db/client'
import type { Deps, WriteDeps } from '../../../deps'
import { type ObjectRead, readObject, writeObject } from '../../calendars/event-files/service'
import { forbidden } from '../../../lib/errors'
import { writableCalendar } from '../../../access/calendars/rules'
import { findBeside } from '../neighbours/service'
import {
  type GivenObject,
  holderInTheWay,
  named,
  type ObjectRefusal,
  type PutObject,
  refusalOfProblem,
} from '../sources/rules'
import { changeObject } from '../sources/service'
import * as q from './queries'

export type PutDeps = WriteDeps & Pick<Deps, 'calendarFiles'>

/** Why a text that was read is no event. */
export const refusalOf = (read: Exclude<ObjectRead, { kind: 'VEVENT' }>): ObjectRefusal =>
  read.kind === 'other' ? { kind: 'component' } : refusalOfProblem(read.problem)

/**
 * Creates or replaces an object for the owner of its calendar (contract: dav.objects). The text is kept as it is; the same text changes nothing.
 * @throws {AppError} 401, 403, 404, 409 for too many events.
 */
export async function putObject(
  deps: PutDeps,
  reader: Reader,
  given: GivenObject,
): Promise<PutObject | ObjectRefusal> {
  const read = await readObject(deps, given.text, zoneOf(deps.config, reader.owner))
  if (read.kind !== 'VEVENT') return refusalOf(read)
  return changeObject(deps.db, (tx) => store(tx, deps, reader, { ...given, read }), reader.userId)
}

interface ReadObject extends GivenObject {
  readonly read: Extract<ObjectRead, { kind: 'VEVENT' }>
}

async function store(
  tx: Tx,
  { clock }: PutDeps,
  reader: Reader,
  { collection, name, read, check }: ReadObject,
): Promise<PutObject | ObjectRefusal> {
  const now = clock.now()
  const { id: calendarId, ownerId } = collection
  await lockOwners(tx, { session: reader, now }, [ownerId])
  const { access } = writableCalendar(await calendarsFor(tx, reader.userId), calendarId)
  const [present] = await q.named(tx, collection, [name])
  const beside = await findBeside(tx, collection, { name, uid: read.event.key })
  check(present ?? named(beside, name))
  if (beside) return { kind: 'uid', name: beside.name }
  const other = await holderOf(tx, collection, { name, present, uid: read.event.key })
  if (other) return { kind: 'uid', name: other.name }
  const place = { calendarId, access, reader, now, ...(!present && { name }) }
  const { id, version } = await writeObject(tx, place, read.event)
  return { object: { kind: 'event', id, version, name, updatedAt: now }, isNew: !present }
}

interface WantedPlace {
  readonly name: string
  /** What has the name. */
  readonly present: q.ObjectRow | undefined
  readonly uid: string
}

/** Another object that is in the way of one with this name and UID. @throws {AppError} 403 for what the client does not see. */
export async function holderOf(
  tx: Tx,
  seen: q.SeenCalendar,
  { name, present, uid }: WantedPlace,
): Promise<q.ObjectRow | undefined> {
  const holder = await q.withUid(tx, seen, uid)
  if (seen.isOthers && [present, holder].some((one) => one?.isPrivate)) throw privateRefusal()
  const other = holderInTheWay(present, holder)
  if (!other && !present && (await q.isNameHidden(tx, seen.id, name))) throw privateRefusal()
  return other
}

export const privateRefusal = () => forbidden('Only the owner of the calendar can change a private event')
