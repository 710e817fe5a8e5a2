import type { Db, Tx } from '../../../db/client'
import { wallFromText, type WallTime, wallToText } from '../../../lib/time/wall-time'
import * as q from './queries'

/** Rows of one statement. */
const BATCH = 5000
const BEFORE_ALL: q.ExtraStart = { eventId: 0, start: '-infinity' }

/** All starts of these events beside those that their rules name, ascending; events without any are not in the answer. */
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

/** The same of one event. */
export const extraStartsOfOne = async (db: Db | Tx, eventId: number): Promise<readonly WallTime[]> =>
  (await extraStartsOf(db, [eventId])).get(eventId) ?? []

/** Puts these in the place of all that each of the events has. The events are held. */
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
