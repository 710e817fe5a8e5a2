import type { Db, Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import { NO_ALARMS, withAlarms } from '../../calendars/event-files/rules.alarms'
import { textsOf } from '../../calendars/event-files/service'
import type { Collection } from '../collections/rules'
import type { ObjectEntry, ObjectText } from '../sources/rules'
import * as q from './queries'

type ReadingDeps = Pick<Deps, 'calendarFiles' | 'clock'> & { readonly db: Db | Tx }

/** The texts of events as the reader may see them: members with their own alarms alone (contract: dav.alarms). */
export async function readTexts(
  deps: ReadingDeps,
  { access, isOthers, readerId }: Collection,
  entries: readonly ObjectEntry[],
): Promise<ObjectText[]> {
  const ids = entries.map(({ id }) => id)
  const texts = await textsOf(deps, deps.db, ids, { access: isOthers ? access : 'owner', readerId })
  const alarms = isOthers ? await q.alarmsOf(deps.db, readerId, ids) : undefined
  return entries.flatMap((entry) => {
    const text = texts.get(entry.id)
    if (text === undefined) return []
    return { ...entry, text: alarms ? withAlarms(text, alarms.get(entry.id) ?? NO_ALARMS) : text }
  })
}
