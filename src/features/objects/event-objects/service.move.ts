import { writableCalendar } from '../../../access/calendars/rules'
import { calendarsFor } from '../../../access/calendars/service'
import type { Reader } from '../../../access/reader/service'
import type { Tx } from '../../../db/client'
import type { WriteDeps } from '../../../deps'
import { notFound } from '../../../lib/errors'
import { findEventAccess, lockEvent } from '../../events/events/service'
import { moveWhole, removeWhole } from '../../events/series/service.moving'
import { findBeside } from '../neighbours/service'
import {
  named,
  type ObjectEntry,
  type ObjectMove,
  type ObjectRefusal,
  type PutObject,
} from '../sources/rules'
import { changeObject } from '../sources/service'
import * as q from './queries'
import { privateRefusal } from './service.put'

/**
 * Moves an object to another name or calendar; it stays the same event, with its invitations (contract: dav.collections).
 * @throws {AppError} 401, 403, 404, 412.
 */
export const moveObject = (
  deps: WriteDeps,
  reader: Reader,
  move: ObjectMove,
): Promise<PutObject | ObjectRefusal> =>
  changeObject(deps.db, (tx) => store(tx, deps, reader, move), reader.userId)

async function store(
  tx: Tx,
  { clock }: WriteDeps,
  reader: Reader,
  move: ObjectMove,
): Promise<PutObject | ObjectRefusal> {
  const { from, entry, expected, to, name } = move
  const now = clock.now()
  const held = await lockEvent(tx, { session: reader, now }, { id: entry.id, expected }, [to.ownerId])
  const [still] = await q.named(tx, from, [entry.name])
  if (still?.id !== entry.id) throw notFound('Event')
  writableCalendar(await calendarsFor(tx, reader.userId), to.id)
  const { replaced, other } = await lookAround(tx, move, held.event.uid)
  if (other) return { kind: 'uid', name: other.name }
  const edit = { reader, now, alsoHeld: [to.ownerId] }
  if (replaced)
    await removeWhole(tx, { ...edit, seen: await findEventAccess(tx, reader.userId, replaced.id) })
  const { id, version } = await moveWhole(tx, { ...edit, seen: held }, { calendarId: to.id, name })
  return { object: { kind: 'event', id, version, name, updatedAt: now }, isNew: !replaced }
}

interface AtDestination {
  /** The object of the same UID that has the name. */
  readonly replaced?: q.ObjectRow | undefined
  /** Another object in the way. */
  readonly other?: ObjectEntry | undefined
}

/** What is at the destination. @throws {AppError} 403 for what the client does not see. */
async function lookAround(
  tx: Tx,
  { entry, to, name, check }: ObjectMove,
  uid: string,
): Promise<AtDestination> {
  const { id, isOthers } = to
  const [present] = await q.named(tx, to, [name])
  const beside = await findBeside(tx, to, { name, uid })
  check(present ?? named(beside, name))
  if (beside) return { other: beside }
  if (!present && (await q.isNameHidden(tx, id, name))) throw privateRefusal()
  const holder = await q.withUid(tx, to, uid)
  const others = [present, holder].filter((one) => one !== undefined && one.id !== entry.id)
  if (isOthers && others.some((one) => one?.isPrivate)) throw privateRefusal()
  return present?.id === holder?.id ? { replaced: others[0] } : { other: others[0] }
}
