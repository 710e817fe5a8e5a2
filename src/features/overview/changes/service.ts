import type { Db } from '../../../db/client'
import { readStanding } from '../../../db/journal-standing'
import type { Deps } from '../../../deps'
import { AppError, invalid } from '../../../lib/errors'
import { nameOn, timelineOf } from '../../../access/journal/rules'
import { journalOf } from '../../../access/journal/service'
import type { CurrentSession } from '../../../access/sessions/service'
import { reopenTodos } from '../../tasks/todos/service'
import { type ChangesPage, type ChangesQuery, DEFAULT_CHANGES } from './model'
import * as q from './queries'
import {
  emptyLog,
  firstOfEach,
  fitting,
  isCurrent,
  isOutdated,
  keyOf,
  type LogEntry,
  lostScopes,
  PAGE_BYTES,
  placesAfter,
} from './rules'
import { type Cursor, readCursor, writeCursor } from './rules.cursor'
import { type ChangeType, readableTypes, typesOf } from './rules.types'
import { gone, readItems } from './service.items'

/** The caller, whose access token may read some types only. */
export type ChangesReader = Pick<CurrentSession, 'id' | 'userId' | 'token' | 'standing'>

type ChangesDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'tokens'>

/** Begins with what comes from now on. */
const NOW = 'now'

/** What cursors are signed for. */
const PURPOSE = 'changes'

/** 410: a cursor that does not count here, or does no longer. */
const outdated = () => new AppError('gone', 'Start again without since', { code: 'sync_reset' })

/**
 * Returns a page of what has changed for the reader, among the types that they may read (contract: changes.pages).
 * @throws {AppError} 410 for a cursor that does not count, 422 for one of other types.
 */
export async function listChanges(
  deps: ChangesDeps,
  session: ChangesReader,
  { since, types: named, limit = DEFAULT_CHANGES }: ChangesQuery,
  maxBytes = PAGE_BYTES,
): Promise<ChangesPage> {
  const { userId } = session
  const types = typesOf(named, readableTypes(session))
  const cursor = openCursor(deps, userId, since, types)
  // One more shows whether there is another page.
  const most = since === NOW ? 0 : limit + 1
  const { scopes, journal, timeline, journalUpTo } = await readScopes(deps, session)
  const known = cursor ? timelineOf(journal, cursor.journal) : timeline
  if (known === undefined) throw outdated()
  const places = cursor?.places ?? []
  const log = await readLog(deps.db, scopes, { userId, places, timeline: known, types, limit: most })
  if (isOutdated(log.places)) throw outdated()
  const { told, waiting } = lostScopes(log.places, types, limit)
  const wanted = log.entries.slice(0, limit - told.length)
  const entries = await pageOf(deps.db, wanted, { told, maxBytes })
  const after = placesAfter(log, entries.length, waiting)
  const mayBeKnown = ({ place }: LogEntry) => log.places[place]?.isFirst === false
  const changes = await readItems(deps, session, firstOfEach(entries, told), mayBeKnown)
  // A timeline may have begun since the scopes were read.
  const latest = Math.max(timeline, log.timeline)
  const name = nameOn(await journalUpTo(latest), latest)
  return {
    changes: [...told.map((id) => gone('calendar', id)), ...changes],
    next: deps.tokens.signText(PURPOSE, writeCursor({ journal: name, userId, types, places: after.places })),
    has_more: after.hasMore,
  }
}

/** Returns undefined where the pages begin without a cursor. @throws {AppError} 410, 422. */
function openCursor(
  { tokens }: Pick<Deps, 'tokens'>,
  userId: number,
  since: string | undefined,
  types: readonly ChangeType[],
): Cursor | undefined {
  if (since === undefined || since === NOW) return undefined
  const text = tokens.readText(PURPOSE, since)
  const cursor = text === undefined ? undefined : readCursor(text)
  if (cursor?.userId !== userId) throw outdated()
  if (cursor.types.join() !== types.join()) {
    throw invalid([{ field: 'query.types', message: 'must stay the same along one cursor' }])
  }
  return cursor
}

/** Reads how far the journal goes, after reopening todos whose time has come. */
async function readScopes({ db, clock }: ChangesDeps, { userId, standing }: ChangesReader) {
  const now = clock.now()
  let read = standing ?? (await readStanding(db, userId, now))
  if (read.anyPassed) {
    await reopenTodos(db, userId, now)
    read = await readStanding(db, userId, now)
  }
  const timeline = Math.max(...read.scopes.map((scope) => scope.timeline))
  const journalUpTo = (latest: number) => journalOf(db, { ...read, timeline: latest })
  return { scopes: read.scopes, timeline, journal: await journalUpTo(timeline), journalUpTo }
}

/** Most polls find nothing new, and so need no second statement. */
const readLog = async (db: Db, scopes: Parameters<typeof isCurrent>[1], reading: q.Reading) =>
  isCurrent(reading, scopes) ? emptyLog(reading) : q.readLog(db, reading)

/** The first of the entries whose items fit on a page. */
async function pageOf(
  db: Db,
  entries: readonly LogEntry[],
  { told, maxBytes }: { readonly told: readonly number[]; readonly maxBytes: number },
): Promise<readonly LogEntry[]> {
  if (entries.length < 2) return entries
  const first = new Set(firstOfEach(entries, told))
  const sizes = await q.sizesOf(db, [...first])
  return fitting(entries, maxBytes, (entry) =>
    first.has(entry) ? (sizes.get(keyOf(entry)) ?? q.SHORT_ITEM) : 0,
  )
}

/** The scopes in which a cursor has a place, as `u 5`. */
export function scopesOf({ tokens }: Pick<Deps, 'tokens'>, next: string): readonly string[] {
  const text = tokens.readText(PURPOSE, next)
  const places = text === undefined ? [] : (readCursor(text)?.places ?? [])
  return places.map(({ kind, id }) => `${kind} ${id}`)
}
