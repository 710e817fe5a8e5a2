import { visibleCalendar } from '../../../access/calendars/rules'
import { calendarsFor, lockOwners } from '../../../access/calendars/service'
import { type Reader, zoneOf } from '../../../access/reader/service'
import type { Tx } from '../../../db/client'
import { forbidden } from '../../../lib/errors'
import {
  type Alarms,
  alarmsIn,
  areSame,
  NO_ALARMS,
  withAlarms,
} from '../../calendars/event-files/rules.alarms'
import { keysIn, missingIn, withOccurrences } from '../../calendars/event-files/rules.occurrences'
import { readObject, readParts, textOf, writeObject } from '../../calendars/event-files/service'
import { findBeside } from '../neighbours/service'
import type { GivenObject, ObjectRefusal, PutObject } from '../sources/rules'
import { changeObject } from '../sources/service'
import * as q from './queries'
import { differInAlarms } from './rules.meaning'
import { isHeld, type ReadingDeps, sharedTexts, withOwnAlarms } from './service.reading'
import { holderOf, type PutDeps, refusalOf } from './service.put'

/**
 * Creates or replaces an object for a member: their alarms are kept for them alone, everything else is everybody's (contract:
 * dav.alarms).
 * @throws {AppError} 401, 403 for more than the member may change, 404, 409 for too many events.
 */
export async function putAsMember(
  deps: PutDeps,
  reader: Reader,
  given: GivenObject,
): Promise<PutObject | ObjectRefusal> {
  const read = await readObject(deps, given.text, zoneOf(deps.config, reader.owner))
  if (read.kind !== 'VEVENT') return refusalOf(read)
  return changeObject(deps.db, (tx) => store(tx, deps, reader, given), reader.userId)
}

async function store(
  tx: Tx,
  deps: PutDeps,
  reader: Reader,
  given: GivenObject,
): Promise<PutObject | ObjectRefusal> {
  const { collection, name, check } = given
  const now = deps.clock.now()
  await lockOwners(tx, { session: reader, now }, [collection.ownerId])
  const { access } = visibleCalendar(await calendarsFor(tx, reader.userId), collection.id)
  const [present] = await q.named(tx, collection, [name])
  check(present)
  const writing = { deps, reader, now, given, access, present }
  const kept = present && (await keepAlarms(tx, writing, present))
  if (kept) return kept
  if (access === 'read') throw forbidden('Insufficient permissions')
  return writeAll(tx, { ...writing, access })
}

interface MemberWriting {
  readonly deps: PutDeps
  readonly reader: Reader
  readonly now: Date
  readonly given: GivenObject
  readonly access: 'owner' | 'write' | 'read'
  /** What has the name. */
  readonly present: q.ObjectRow | undefined
}

/** Keeps the alarms of a text that says nothing else than what the member sees; undefined for any other text. */
async function keepAlarms(
  tx: Tx,
  { deps, reader, now, given: { collection, text }, access }: MemberWriting,
  present: q.ObjectRow,
): Promise<PutObject | undefined> {
  const reading = { ...deps, db: tx }
  const shared = (await sharedTexts(reading, collection, [present.id])).get(present.id)
  if (shared === undefined) return undefined
  const kept = (await q.alarmsOf(tx, reader.userId, [present.id])).get(present.id) ?? NO_ALARMS
  const shown = await withOwnAlarms(reading, shared, kept)
  if (shown === text) return { object: present, isNew: false }
  const alarms = alarmsIn(text)
  const isSame = areSame(alarms, alarmsIn(shown))
  // A text without other alarms is kept as it is by those who may write.
  if (isSame && access !== 'read') return undefined
  const home = zoneOf(deps.config, reader.owner)
  if (!(await saysTheSame(reading, { shared, text, home, isRough: access === 'read' }))) return undefined
  const isRewritten = (await withOwnAlarms(reading, shared, alarms)) !== text
  if (isSame) return { object: present, isNew: false, isRewritten }
  const own = await q.putAlarms(tx, { eventId: present.id, userId: reader.userId, alarms, now })
  return { object: { ...present, own }, isNew: false, isRewritten }
}

interface Compared {
  /** What everybody sees. */
  readonly shared: string
  readonly text: string
  readonly home: string
  readonly isRough: boolean
}

/** Whether a text differs from the shared one in alarms alone, and in occurrences that it adds for them. */
async function saysTheSame(deps: ReadingDeps, { shared, text, home, isRough }: Compared): Promise<boolean> {
  const added = missingIn(shared, keysIn(text))
  if (!(await isHeld(deps, shared, added))) return false
  const one = await readParts(deps, text, home)
  const other = await readParts(deps, withOccurrences(shared, added), home)
  const areEvents = one.kind === 'VEVENT' && other.kind === 'VEVENT'
  return areEvents && one.uid === other.uid && differInAlarms(one, other, isRough)
}

/** Writes the text with the alarms of the owner, and keeps its own ones for the member. */
async function writeAll(
  tx: Tx,
  { deps, reader, now, given: { collection, name, text }, access, present }: MemberWriting,
): Promise<PutObject | ObjectRefusal> {
  const shared = withAlarms(text, present ? await alarmsOfOwner(tx, deps, present.id) : NO_ALARMS)
  const read = await readObject(deps, shared, zoneOf(deps.config, reader.owner))
  if (read.kind !== 'VEVENT') return refusalOf(read)
  await findBeside(tx, collection, { name, uid: read.event.key })
  const other = await holderOf(tx, collection, { name, present, uid: read.event.key })
  if (other) return { kind: 'uid', name: other.name }
  const place = { calendarId: collection.id, access, reader, now, ...(!present && { name }) }
  const { id, version } = await writeObject(tx, place, read.event)
  const alarms = alarmsIn(text)
  const before = (await q.alarmsOf(tx, reader.userId, [id])).get(id) ?? NO_ALARMS
  const own = areSame(alarms, before)
    ? present?.own
    : await q.putAlarms(tx, { eventId: id, userId: reader.userId, alarms, now })
  const object = {
    kind: 'event',
    id,
    version,
    name,
    updatedAt: now,
    ...(own !== undefined && { own }),
  } as const
  return { object, isNew: !present, isRewritten: withAlarms(shared, alarms) !== text }
}

async function alarmsOfOwner(tx: Tx, deps: PutDeps, id: number): Promise<Alarms> {
  const text = await textOf(deps, tx, id)
  return text === undefined ? NO_ALARMS : alarmsIn(text)
}
