import { calendarsFor } from '../../../access/calendars/service'
import type { Reader } from '../../../access/reader/service'
import { pauses, READ_LIMIT_MS } from '../../../lib/pauses'
import type { Window } from '../occurrences/rules'
import type { Candidate, Item } from '../occurrences/service'
import * as q from './queries'
import { MAX_OCCURRENCES } from './rules'
import { basketFor } from './rules.basket'
import { candidatesIn, gather, inBatches, type Look, searchOf, type WindowDeps } from './service'

/** When an event that the caller sees takes place. */
interface Taking extends Pick<Item, 'start' | 'end' | 'response'> {
  readonly eventId: number
  /** The owner of the calendar that contains it; undefined when the caller sees it by invitation alone. */
  readonly ownerId: number | undefined
  /** Whether the caller sees its times alone. */
  readonly isMasked: boolean
}

/** What takes place in a window, by start. */
interface TimesTaken {
  readonly happenings: readonly Taking[]
  /** The users with a calendar that the caller sees. */
  readonly ownerIds: ReadonlySet<number>
}

/**
 * Returns when events take place in a window: in the calendars of these owners, hidden or not, and of the caller's invitations
 * those that a window shows (contract: events.windows). What the caller has declined is among those in calendars.
 * @throws {AppError} 422 for more than 5 000.
 */
export async function listTimes(
  deps: WindowDeps,
  reader: Reader,
  window: Window,
  owners: ReadonlySet<number>,
): Promise<TimesTaken> {
  const { db } = deps
  const calendars = await calendarsFor(db, reader.userId)
  const counted = calendars.filter(({ ownerId, isSystem }) => owners.has(ownerId) && !isSystem)
  const look = lookAt(deps, window)
  const search = { ...searchOf(reader, counted, look), withDeclined: true }
  const toCandidates = candidatesIn(calendars, new Set(search.calendarIds), look.wanted)
  const seenBy = new Map<number, Candidate['seen']>()
  const rows = await q.nearby(db, search, MAX_OCCURRENCES + 1)
  for await (const some of inBatches(db, search, rows, look.basket)) {
    const candidates = toCandidates(some)
    for (const { seen } of candidates) seenBy.set(seen.event.id, seen)
    const byPlace = Object.groupBy(candidates, ({ tier }) => (tier === 'own' ? 'inCalendars' : 'invited'))
    await gather(deps, byPlace.inCalendars ?? [], { ...look, wanted: { include_declined: true } })
    await gather(deps, byPlace.invited ?? [], look)
  }
  const ownerOf = new Map(counted.map(({ id, ownerId }) => [id, ownerId]))
  const happenings = look.basket
    .chosen(() => 0)
    .items.map(({ id, start, end, response }) => {
      const seen = seenBy.get(id)
      const ownerId = seen && ownerOf.get(seen.event.calendarId)
      return { eventId: id, ownerId, isMasked: seen?.isMasked ?? false, start, end, response }
    })
  return { happenings, ownerIds: new Set(ownerOf.values()) }
}

/** Long texts do not count, as nothing shows them. */
function lookAt({ clock }: WindowDeps, window: Window): Look {
  const basket = basketFor<Item>()
  const add = (item: Item) => basket.add({ ...item, bytes: 0 })
  const pause = pauses(clock, READ_LIMIT_MS)
  return { window, wanted: {}, first: undefined, basket: { ...basket, add }, pause }
}
