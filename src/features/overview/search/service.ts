import type { Deps } from '../../../deps'
import { DEFAULT_LIMIT } from '../../../lib/wire/page'
import { pauses } from '../../../lib/pauses'
import { calendarsFor } from '../../../access/calendars/service'
import type { SearchQuery, SearchResult } from './model'
import * as q from './queries'
import { kindsOf } from './rules'
import { snippetOf } from './rules.snippet'

/** What the user may read and has all the words, the best first (contract: overview.search). */
export async function search(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: number,
  { q: text, types, limit = DEFAULT_LIMIT }: SearchQuery,
): Promise<SearchResult[]> {
  const calendarIds = (await calendarsFor(db, userId)).map(({ id }) => id)
  const rows = await q.find(db, { text, kinds: kindsOf(types), userId, calendarIds }, limit)
  const pause = pauses(clock)
  const results: SearchResult[] = []
  for (const row of rows) {
    results.push(toView(row, text))
    await pause()
  }
  return results
}

const toView = ({ type, id, title, texts, parentId, rank }: q.FoundRow, text: string): SearchResult => ({
  type,
  id,
  title,
  snippet: snippetOf(texts, text),
  parent_id: parentId,
  rank,
})
