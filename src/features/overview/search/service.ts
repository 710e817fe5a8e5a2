import type { Deps } from '../../../deps'
import { DEFAULT_LIMIT } from '../../../lib/wire/page'
import { mayRead } from '../../../lib/scopes'
import { pauses, READ_LIMIT_MS } from '../../../lib/pauses'
import type { Reader } from '../../../access/reader/service'
import { calendarsFor } from '../../../access/calendars/service'
import type { SearchQuery, SearchResult } from './model'
import * as q from './queries'
import { areaOf, kindsOf } from './rules'
import { snippetsFor } from './rules.snippet'

/** Returns the best matches among what the caller may read; a match contains all words (contract: overview.search). */
export async function search(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  reader: Reader,
  { q: text, types, limit = DEFAULT_LIMIT }: SearchQuery,
): Promise<SearchResult[]> {
  const { userId } = reader
  const kinds = kindsOf(types).filter((kind) => mayRead(reader, areaOf(kind)))
  if (kinds.length === 0) return []
  const calendars = await calendarsFor(db, userId)
  const calendarIds = calendars.map(({ id }) => id)
  const ownIds = calendars.filter(({ access }) => access === 'owner').map(({ id }) => id)
  const rows = await q.find(db, { text, kinds, userId, calendarIds, ownIds }, limit)
  const snippetOf = snippetsFor(text)
  const pause = pauses(clock, READ_LIMIT_MS)
  const results: SearchResult[] = []
  for (const row of rows) {
    results.push(toView(row, snippetOf(row.texts)))
    await pause()
  }
  return results
}

const toView = ({ type, id, title, parentId, rank }: q.FoundRow, snippet: string | null): SearchResult => ({
  type,
  id,
  title,
  snippet,
  parent_id: parentId,
  rank,
})
