import type { Db, Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import { type Alarms, NO_ALARMS, withAlarms } from '../../calendars/event-files/rules.alarms'
import { missingIn, mostAdded, withOccurrences } from '../../calendars/event-files/rules.occurrences'
import { readParts, textsOf } from '../../calendars/event-files/service'
import type { Collection } from '../collections/rules'
import type { ObjectEntry, ObjectText } from '../sources/rules'
import * as q from './queries'
import { meaningOf } from './rules.meaning'

export type ReadingDeps = Pick<Deps, 'calendarFiles' | 'clock'> & { readonly db: Db | Tx }

/** The texts of events as everybody sees them who has the reader's access to the calendar. */
export const sharedTexts = (
  deps: ReadingDeps,
  { access, isOthers, readerId }: Collection,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> =>
  textsOf(deps, deps.db, ids, { access: isOthers ? access : 'owner', readerId })

/** The texts of events as the reader may see them: members with their own alarms alone (contract: dav.alarms). */
export async function readTexts(
  deps: ReadingDeps,
  collection: Collection,
  entries: readonly ObjectEntry[],
): Promise<ObjectText[]> {
  const ids = entries.map(({ id }) => id)
  const texts = await sharedTexts(deps, collection, ids)
  const alarms = collection.isOthers ? await q.alarmsOf(deps.db, collection.readerId, ids) : undefined
  const found: ObjectText[] = []
  for (const entry of entries) {
    const text = texts.get(entry.id)
    if (text === undefined) continue
    const own = alarms && (alarms.get(entry.id) ?? NO_ALARMS)
    found.push({ ...entry, text: own ? await withOwnAlarms(deps, text, own) : text })
  }
  return found
}

/** The text with these alarms in place of its own, and with the occurrences that have them and no component of their own. */
export async function withOwnAlarms(deps: ReadingDeps, text: string, alarms: Alarms): Promise<string> {
  const missing = missingIn(text, Object.keys(alarms)).slice(0, mostAdded(text))
  const held = (await isHeld(deps, text, missing)) ? missing : await heldOf(deps, text, missing)
  return withAlarms(held.length === 0 ? text : withOccurrences(text, held), alarms)
}

async function heldOf(deps: ReadingDeps, text: string, keys: readonly string[]): Promise<readonly string[]> {
  const held: string[] = []
  for (const key of keys) if (await isHeld(deps, text, [key])) held.push(key)
  return held
}

/** Whether the series has these occurrences, so that components for them alone change nothing. */
export async function isHeld(deps: ReadingDeps, text: string, keys: readonly string[]): Promise<boolean> {
  if (keys.length === 0) return true
  const more = withOccurrences(text, keys)
  if (more === text) return false
  const [one, other] = [await readParts(deps, text, ANY_ZONE), await readParts(deps, more, ANY_ZONE)]
  return one.kind === 'VEVENT' && other.kind === 'VEVENT' && meaningOf(one.event) === meaningOf(other.event)
}

/** Both texts are read by the same clocks, so that it does not matter by which. */
const ANY_ZONE = 'UTC'
