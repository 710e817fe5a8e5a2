import type { Tx } from '../../db/client'
import { inTransaction } from '../../db/transaction'
import type { Deps } from '../../deps'
import { conflict, forbidden, notFound } from '../../lib/errors'
import { sha256Hex } from '../../lib/text'
import { visibleCalendar } from '../calendar-access/rules'
import { calendarsFor, type Changer, holdOwners } from '../calendar-access/service'
import { type ExportDeps, stateOf, streamCalendar } from '../calendar-export/service'
import type { SessionKey } from '../sessions/service'
import type { FeedView } from './model'
import * as q from './queries'

const TOKEN_BYTES = 32

/** A new secret address of the calendar, which takes the place of the one before. @throws {AppError} 401, 403, 404, 409. */
export async function createFeed(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'random'>,
  session: SessionKey,
  id: number,
): Promise<FeedView> {
  const token = deps.random.bytes(TOKEN_BYTES).toBase64({ alphabet: 'base64url', omitPadding: true })
  const tokenHash = await sha256Hex(token)
  const now = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    await holdOwn(tx, { session, now }, id)
    await q.put(tx, { calendarId: id, tokenHash, createdAt: now })
  })
  return { url: `${deps.config.http.publicUrl}/api/feeds/${token}.ics` }
}

/** Ends the feed of the calendar, if there is one. @throws {AppError} 401, 403, 404, 409. */
export function deleteFeed(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  id: number,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await holdOwn(tx, { session, now: clock.now() }, id)
    await q.remove(tx, id)
  })
}

/** A calendar of the user's own, with its owner held. @throws {AppError} 401, 403 for that of another, 404, 409. */
async function holdOwn(tx: Tx, changer: Changer, id: number): Promise<void> {
  const { userId } = changer.session
  await holdOwners(tx, changer, [])
  const calendar = visibleCalendar(await calendarsFor(tx, userId), id)
  if (calendar.access !== 'owner') throw forbidden('Insufficient permissions')
  if (calendar.isSystem) throw conflict('The Birthdays calendar has no feed')
}

/** Grows with every change of how the same events are written. */
const FORMAT = 2

export interface Feed {
  readonly etag: string
  /** Nothing where the reader has it already. */
  readonly body: ReadableStream<Uint8Array> | null
}

/**
 * The calendar behind a secret address, for whoever knows it.
 * @throws {AppError} 404 for every address that is none, not any more, or that of somebody who was deactivated.
 */
export async function readFeed(
  deps: ExportDeps,
  file: string,
  ifNoneMatch: string | undefined,
): Promise<Feed> {
  const token = /^([\w-]{43})\.ics$/.exec(file)?.[1]
  const calendar = token === undefined ? undefined : await q.find(deps.db, await sha256Hex(token))
  if (!calendar) throw notFound('Feed')
  // Before the events: what changes meanwhile is new at the next look.
  const state = await sha256Hex(`${FORMAT} ${await stateOf(deps, calendar)}`)
  const etag = `W/"${state.slice(0, 32)}"`
  return { etag, body: isKnown(etag, ifNoneMatch) ? null : await streamCalendar(deps, calendar) }
}

/** Weak comparison (RFC 9110, section 13.1.2): proxies make other tags of ours weak, or strong. */
function isKnown(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || [...header.matchAll(/"[^"]*"/g)].some(([tag]) => etag === `W/${tag}`)
}
