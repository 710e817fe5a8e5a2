import type { Deps } from '../../../deps'
import { formatInstant } from '../../../lib/time/time'
import type { PageById } from '../../../lib/wire/page'
import type { Reader } from '../../../access/reader/service'
import { pagePeopleById } from '../people/service'
import type { ContactGroupView, ExportedPersonView } from './model'
import * as q from './queries'
import { findGroups, findPeople } from './queries.cards'
import { fittingIds } from './rules.pieces'
import { keptText } from './service.cards'

type AccountDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** A page of the user's people by id, with their cards; fewer than asked for where these are long. */
export async function pageExportedPeople(
  deps: AccountDeps,
  reader: Reader,
  { afterId, limit }: PageById,
): Promise<ExportedPersonView[]> {
  const ids = fittingIds(
    await q.page(deps.db, { userId: reader.userId, bookId: undefined }, afterId, limit),
    limit,
  )
  if (ids.length === 0) return []
  const sources = await findPeople(deps.db, reader.userId, ids)
  const cards = new Map(sources.map((source) => [source.id, keptText(source)]))
  const views = await pagePeopleById(deps, reader, { ids })
  return views.map((view) => ({ ...view, vcard: cards.get(view.id) ?? null }))
}

/** The same of groups. */
export async function pageContactGroups(
  { db, config }: AccountDeps,
  userId: number,
  { afterId, limit }: PageById,
): Promise<ContactGroupView[]> {
  const ids = fittingIds(await q.pageOfGroups(db, { userId, bookId: undefined }, afterId, limit), limit)
  const rows = ids.length === 0 ? [] : await findGroups(db, userId, ids)
  return rows.map(({ id, bookId, uid, text, version, createdAt, updatedAt }) => ({
    id,
    book_id: bookId,
    uid,
    vcard: text,
    version,
    created_at: formatInstant(config.timeZone, createdAt),
    updated_at: formatInstant(config.timeZone, updatedAt),
  }))
}
