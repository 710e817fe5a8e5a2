import { connectionNotFound } from '../../../access/connections/service'
import { type Reader, zoneOf } from '../../../access/reader/service'
import type { Deps } from '../../../deps'
import { invalidField, notFound } from '../../../lib/errors'
import { formatInstant } from '../../../lib/time/time'
import { isId } from '../../../lib/wire/id'
import { findEventAccess } from '../events/service'
import { readWindow } from '../windows/rules'
import { listTimes } from '../windows/service.times'
import type { FreeBusyBody, FreeBusyView } from './model'
import * as q from './queries'
import { type BusySpan, type Proposal, propose, united } from './rules'
import { type Hours, isForward, starts } from './rules.openings'

type FreeTimesDeps = Pick<Deps, 'db' | 'config' | 'clock'>

/** What takes place in the window, as far as it may keep somebody busy. */
type Taking = Awaited<ReturnType<typeof listTimes>>['happenings'][number]

/** The caller, and those with whom a time is sought. */
interface Party {
  readonly callerId: number
  readonly otherIds: readonly number[]
}

/**
 * Proposes times at which the caller is free, and says which of the others are (contract: events.free-times). Writes nothing.
 * @throws {AppError} 404 for somebody with whom the caller is not connected and for an event that they do not see, 422.
 */
export async function findTimes(
  deps: FreeTimesDeps,
  reader: Reader,
  asked: FreeBusyBody,
): Promise<FreeBusyView> {
  const { db, config, clock } = deps
  const zone = zoneOf(config, reader.owner)
  const window = readWindow(asked, { server: config.timeZone, reader: zone }, 'body')
  const hours = readHours(asked.hours)
  const party = partyOf(reader, asked.with)
  const names = await namesOf(db, party)
  await requireSeen(db, reader, asked.except_event_id)
  const times = await listTimes(deps, reader, window, new Set([party.callerId, ...party.otherIds]))
  const counting = times.happenings.filter(({ eventId }) => eventId !== asked.except_event_id)
  const busy = await busyOf(db, party, counting)
  const attendee = (userId: number) => ({
    userId,
    isKnown: times.ownerIds.has(userId),
    busy: united(busy.get(userId) ?? []),
  })
  const { minutes } = asked
  const from = Math.max(+window.from, +clock.now())
  const open = [...starts({ from, to: +window.to, minutes, zone, hours })]
  const { callerId, otherIds } = party
  const proposals = propose(attendee(callerId), otherIds.map(attendee), open, minutes * 60_000)
  return {
    proposals: proposals.map(toView(zone)),
    people: [callerId, ...otherIds].map((id) => ({
      user_id: id,
      network_name: names.get(id) ?? '',
      shares_calendar: times.ownerIds.has(id),
    })),
  }
}

/** @throws {AppError} 422 when the hours end before they begin. */
function readHours(given: Hours | undefined): Hours | undefined {
  if (!given) return undefined
  if (!isForward(given)) throw invalidField('hours.to', 'must be after from, or 00:00')
  return given
}

/** @throws {AppError} 404 for an event that the caller does not see. */
async function requireSeen(db: Deps['db'], { userId }: Reader, eventId: number | undefined): Promise<void> {
  if (eventId === undefined) return
  if (!isId(eventId)) throw notFound('Event')
  await findEventAccess(db, userId, eventId)
}

const partyOf = ({ userId }: Reader, others: readonly number[] = []): Party => ({
  callerId: userId,
  otherIds: [...new Set(others)].filter((id) => id !== userId),
})

/** @throws {AppError} 404 unless the caller is connected with all others. */
async function namesOf(db: Deps['db'], { callerId, otherIds }: Party): Promise<ReadonlyMap<number, string>> {
  const rows = otherIds.every(isId) ? await q.named(db, callerId, otherIds) : []
  const names = new Map(rows.map(({ id, networkName }) => [id, networkName]))
  if (otherIds.some((id) => !names.has(id))) throw connectionNotFound()
  return names
}

/** Returns when each of the party is busy, as far as the caller may know. */
async function busyOf(
  db: Deps['db'],
  { callerId }: Party,
  happenings: readonly Taking[],
): Promise<ReadonlyMap<number, readonly BusySpan[]>> {
  // The caller is busy with what others invite them to, until they decline it.
  const attended = happenings.filter(({ response }) => response !== undefined && response !== 'Declined')
  const told = happenings.filter(({ isMasked }) => !isMasked)
  const [free, freeForCaller] = await Promise.all([
    q.transparentAmong(db, idsOf(told)).then(setOf),
    q.transparentTo(db, callerId, idsOf(attended)).then(setOf),
  ])
  const busy = new Map<number, BusySpan[]>()
  const add = (userId: number, span: BusySpan) => busy.getOrInsertComputed(userId, () => []).push(span)
  for (const one of happenings) if (one.ownerId !== undefined && !free.has(one.eventId)) add(one.ownerId, one)
  for (const one of attended) if (!freeForCaller.has(one.eventId)) add(callerId, one)
  return busy
}

const idsOf = (happenings: readonly Taking[]) => [...new Set(happenings.map(({ eventId }) => eventId))]

const setOf = (rows: ReadonlyArray<{ readonly id: number }>) => new Set(rows.map(({ id }) => id))

const toView =
  (zone: string) =>
  ({ from, to, free, busy, unknown }: Proposal) => ({
    from: formatInstant(zone, new Date(from)),
    to: formatInstant(zone, new Date(to)),
    free: [...free],
    busy: [...busy],
    unknown: [...unknown],
  })
