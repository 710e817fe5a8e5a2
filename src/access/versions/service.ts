import type { Deps } from '../../deps'
import { formatInstant } from '../../lib/time/time'
import { type PageQuery, readPage, toCursor } from '../../lib/wire/page'
import { keptSince } from '../history/service'
import * as q from './queries'
import { isPresent, isVersionKey, versionsOn } from './rules'

/** What every record with versions has. */
interface Versioned {
  readonly id: number
  readonly version: number
  readonly updatedAt: Date
}

/** A record as it is, and how to show it. */
interface VersionedRecord<Row extends Versioned, View> extends q.VersionedTable {
  readonly row: Row
  /** The views of rows, in their order; undefined for what the reader may not see. */
  readonly toViews: (rows: readonly Row[]) => ReadonlyArray<View | undefined> | Promise<readonly View[]>
}

/**
 * Returns a page of the versions of a record, newest first (contract: undo.versions). The reader may read the record.
 * @throws {AppError} 422 for a cursor of another list.
 */
export async function listVersions<Row extends Versioned, View>(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  { userId }: { readonly userId: number },
  query: PageQuery,
  { row, toViews, ...source }: VersionedRecord<Row, View>,
) {
  const wanted = readPage(query, isVersionKey)
  const after = wanted.after ?? ([row.version, Number.MAX_SAFE_INTEGER] as const)
  const since = keptSince({ clock, config })
  const place = { table: source.table, id: row.id, after, since, readerId: userId, limit: wanted.limit }
  const bytes = JSON.stringify(row).length
  const steps = await q.steps(db, place)
  const { page, isFollowed } = versionsOn(wanted, steps, { version: row.version, bytes })
  const entries = page.flatMap((kept) => (isPresent(kept) ? [] : [kept.key[1]]))
  const former = await q.rowsOf(db, source, row.id, entries)
  // What the record does not keep itself, such as its position, is that of now.
  const rows = page.map(({ key }) => ({ ...row, ...former.get(key[1]) }))
  const views = await toViews(rows)
  const versions = page.flatMap(({ madeBy }, index) => {
    const [item, { version, updatedAt } = row] = [views[index], rows[index]]
    if (item === undefined) return []
    return [
      {
        version,
        changed_at: formatInstant(config.timeZone, madeBy?.at ?? updatedAt),
        changed_by: author(madeBy),
        item,
      },
    ]
  })
  const last = page.at(-1)
  return { versions, next_cursor: isFollowed && last ? toCursor(last.key) : null }
}

/** Whoever made a version; null for what happened by itself, for somebody who is gone, and when it is not kept any more. */
function author(step: { readonly userId: number | null; readonly networkName: string | null } | undefined) {
  const { userId = null, networkName = null } = step ?? {}
  return userId === null || networkName === null ? null : { user_id: userId, network_name: networkName }
}
