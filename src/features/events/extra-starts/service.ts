import type { Db, Tx } from '../../../db/client'
import { wallFromText, type WallTime, wallToText } from '../../../lib/time/wall-time'
import * as q from './queries'

/** Rows in one statement. */
const BATCH = 5000
const BEFORE_ALL: q.ExtraStart = { eventId: 0, start: '-infinity' }

/** Returns all extra starts of these events, ascending; events without any are missing. */
export async function extraStartsOf(
  db: Db | Tx,
  eventIds: readonly number[],
): Promise<ReadonlyMap<number, readonly WallTime[]>> {
  const found = new Map<number, WallTime[]>()
  for (let after = BEFORE_ALL; eventIds.length > 0;) {
    const rows = await q.page(db, eventIds, after, BATCH)
    for (const { eventId, start } of rows) {
      found.getOrInsertComputed(eventId, () => []).push(wallFromText(start))
    }
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) break
    after = last
  }
  return found
}

export const extraStartsOfOne = async (db: Db | Tx, eventId: number): Promise<readonly WallTime[]> =>
  (await extraStartsOf(db, [eventId])).get(eventId) ?? []

/** Replaces all extra starts of these events. The events are locked. */
export async function putExtraStarts(
  tx: Tx,
  starts: ReadonlyMap<number, readonly WallTime[]>,
): Promise<void> {
  await q.removeAll(tx, [...starts.keys()])
  const rows = [...starts].flatMap(([eventId, walls]) =>
    walls.map((wall) => ({ eventId, start: wallToText(wall) })),
  )
  for (let start = 0; start < rows.length; start += BATCH) {
    await q.insert(tx, rows.slice(start, start + BATCH))
  }
}
