import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { conflict, forbidden, notFound } from '../../../lib/errors'
import { isKnownTag } from '../../../lib/etags'
import { sha256Hex } from '../../../lib/text'
import { record, recordAll } from '../../../access/audit/service'
import { type VisibleCalendar, visibleCalendar } from '../../../access/calendars/rules'
import { calendarsFor, type Changer, lockOwners } from '../../../access/calendars/service'
import { type ExportDeps, stateOf, streamCalendar } from '../export/service'
import { feedMade } from '../../../access/notices/rules.security'
import { notify } from '../../../access/notices/service'
import type { Caller, SessionKey } from '../../../access/sessions/service'
import type { FeedView } from './model'
import * as q from './queries'
import { readBefore } from './rules'

const TOKEN_BYTES = 32

/**
 * Creates a secret address for the calendar, which replaces an earlier one, and notifies the owner.
 * @throws {AppError} 401, 403, 404, 409.
 */
export async function createFeed(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'random'>,
  session: SessionKey,
  id: number,
  caller: Caller,
): Promise<FeedView> {
  const { userId } = session
  const token = deps.random.bytes(TOKEN_BYTES).toBase64({ alphabet: 'base64url', omitPadding: true })
  const tokenHash = await sha256Hex(token)
  const now = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const calendar = await lockOwn(tx, { session, now }, id)
    const act = { actorId: userId, ip: caller.ip, at: now }
    if (await q.remove(tx, id)) await recordEnded(tx, [id], act)
    await q.insert(tx, { calendarId: id, tokenHash, createdAt: now })
    await record(tx, { action: 'calendar.feed_created', detail: { calendar_id: id }, ...act })
    await notify(tx, { userId, at: now, ...feedMade(calendar, caller) })
  })
  return { url: `${deps.config.http.publicUrl}/api/feeds/${token}.ics` }
}

/** Removes the calendar's feed, if there is one. @throws {AppError} 401, 403, 404, 409. */
export function deleteFeed(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  id: number,
  ip: string,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const now = clock.now()
    await lockOwn(tx, { session, now }, id)
    if (await q.remove(tx, id)) await recordEnded(tx, [id], { actorId: session.userId, ip, at: now })
  })
}

/** The actor for the audit log; `actorId` is null for the operator of the service. */
interface Act {
  readonly actorId: number | null
  readonly ip: string
  readonly at: Date
}

/** Removes the feeds of all calendars that the user owns, whose row is locked. Returns how many there were. */
export async function endFeedsOf(tx: Tx, userId: number, act: Act): Promise<number> {
  const ended = await q.removeAll(tx, userId)
  if (ended.length > 0) await recordEnded(tx, ended, act)
  return ended.length
}

const recordEnded = (tx: Tx, calendarIds: readonly number[], act: Act): Promise<void> =>
  recordAll(
    tx,
    calendarIds.map((id) => ({ action: 'calendar.feed_deleted', detail: { calendar_id: id }, ...act })),
  )

/** Locks the owner, and returns a calendar of their own. @throws {AppError} 401, 403 for somebody else's calendar, 404, 409. */
async function lockOwn(tx: Tx, changer: Changer, id: number): Promise<VisibleCalendar> {
  const { userId } = changer.session
  await lockOwners(tx, changer, [])
  const calendar = visibleCalendar(await calendarsFor(tx, userId), id)
  if (calendar.access !== 'owner') throw forbidden('Insufficient permissions')
  if (calendar.isSystem) throw conflict('The Birthdays calendar has no feed')
  return calendar
}

/** Increase it with every change to how events are written. */
const FORMAT = 3

export interface Feed {
  readonly etag: string
  /** Null when the client already has this version. */
  readonly body: ReadableStream<Uint8Array> | null
}

/** The hash of the token in a file name. */
async function hashOf(file: string): Promise<string | undefined> {
  const token = /^([\w-]{43})\.ics$/.exec(file)?.[1]
  return token === undefined ? undefined : sha256Hex(token)
}

/** The line for all readers of a feed; undefined for an unknown address. */
export async function findLine({ db }: Pick<Deps, 'db'>, file: string): Promise<string | undefined> {
  const tokenHash = await hashOf(file)
  const calendar = tokenHash === undefined ? undefined : await q.find(db, tokenHash)
  return calendar && `feed ${calendar.id}`
}

/**
 * Returns the calendar behind a secret address, without a session; the file breaks off when the feed is removed.
 * @throws {AppError} 404 for an unknown or removed address, and when the owner is deactivated.
 */
export async function readFeed(
  deps: ExportDeps,
  file: string,
  ifNoneMatch: string | undefined,
): Promise<Feed> {
  const tokenHash = await hashOf(file)
  if (tokenHash === undefined) throw notFound('Feed')
  const calendar = await findFeed(deps, tokenHash)
  const now = deps.clock.now()
  const isDue = calendar.lastReadAt === null || calendar.lastReadAt <= readBefore(now)
  if (isDue) await q.markRead(deps.db, tokenHash, now, readBefore(now))
  // Read before the events, so that changes made meanwhile show up in the client's next request.
  const state = await sha256Hex(`${FORMAT} ${await stateOf(deps, calendar.id)}`)
  const etag = `W/"${state.slice(0, 32)}"`
  if (isKnownTag(etag, ifNoneMatch)) return { etag, body: null }
  const refuseEnded = async () => void (await findFeed(deps, tokenHash))
  // Whoever has the address is no more than a member.
  const shown = { ...calendar, access: 'read', readerId: null } as const
  return { etag, body: await streamCalendar(deps, shown, refuseEnded) }
}

/** @throws {AppError} 404. */
async function findFeed({ db }: Pick<Deps, 'db'>, tokenHash: string) {
  const calendar = await q.find(db, tokenHash)
  if (!calendar) throw notFound('Feed')
  return calendar
}
