import { calendarsFor, lockOwners } from '../../../access/calendars/service'
import { type Reader, zoneOf } from '../../../access/reader/service'
import type { Tx } from '../../../db/client'
import type { Deps, WriteDeps } from '../../../deps'
import { type ObjectRead, readObject, writeObject } from '../../calendars/event-files/service'
import { forbidden } from '../../../lib/errors'
import { writableCalendar } from '../../../access/calendars/rules'
import type { GivenObject, ObjectRefusal, PutObject } from '../sources/rules'
import { changeObject } from '../sources/service'
import * as q from './queries'

type PutDeps = WriteDeps & Pick<Deps, 'calendarFiles'>

/** Text that is no calendar at all; everything else is a calendar that cannot be an object. */
const NO_CALENDAR: ReadonlySet<string> = new Set(['not_storable', 'not_a_calendar', 'unreadable'])

/** Why a text that was read is no event. */
export const refusalOf = (read: Exclude<ObjectRead, { kind: 'VEVENT' }>): ObjectRefusal => {
  if (read.kind === 'other') return { kind: 'component' }
  return { kind: NO_CALENDAR.has(read.problem) ? 'data' : 'object' }
}

/**
 * Creates or replaces an object (contract: dav.objects). The text is kept as it is; the same text changes nothing.
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
  const { id: calendarId, ownerId, isOthers } = collection
  const seen = { id: calendarId, isOthers }
  await lockOwners(tx, { session: reader, now }, [ownerId])
  const { access } = writableCalendar(await calendarsFor(tx, reader.userId), calendarId)
  const [present] = await q.named(tx, seen, [name])
  check(present)
  const holder = await q.withUid(tx, seen, read.event.key)
  if (isOthers && [present, holder].some((one) => one?.isPrivate)) throw privateRefusal()
  const other = otherOf(present, holder)
  if (other) return { kind: 'uid', name: other.name }
  if (!present && (await q.isNameHidden(tx, calendarId, name))) throw privateRefusal()
  const place = { calendarId, access, reader, now, ...(!present && { name }) }
  const { id, version } = await writeObject(tx, place, read.event)
  return { object: { kind: 'event', id, version, name, updatedAt: now }, isNew: !present }
}

/** The object that stands in the way: whoever has the name has to have the UID too, and nobody else may have it. */
function otherOf(present: q.ObjectRow | undefined, holder: q.ObjectRow | undefined): q.ObjectRow | undefined {
  if (!present) return holder
  return present.id === holder?.id ? undefined : present
}

export const privateRefusal = () => forbidden('Only the owner of the calendar can change a private event')
