import type { Db } from '../../../db/client'
import type { Deps } from '../../../deps'
import { pauses } from '../../../lib/pauses'
import { streamOf } from '../../../lib/text-stream'
import { refuseEnded, type SessionKey } from '../../../access/sessions/service'
import { requireAddressBook } from '../address-books/service'
import * as q from './queries'
import { findGroups, findPeople } from './queries.cards'
import { fittingIds, type SizedRow } from './rules.pieces'
import { exportedText } from './service.cards'

const PAGE = 500
/** Only so many cards, which may contain pictures, are read at once. */
const PIECE = 20

/**
 * Streams everybody in the address books, or in one of them, as vCards, and then the groups. No transaction is open while the client pauses. The stream
 * breaks off once the session has ended.
 */
export async function exportPeople(
  deps: Deps,
  session: SessionKey,
  bookId: number | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const { userId } = session
  if (bookId !== undefined) await requireAddressBook(deps.db, userId, bookId)
  const exporting = { userId, bookId, lastId: await q.lastPerson(deps.db, userId) }
  const firstRows = await q.page(deps.db, exporting, 0, PAGE)
  return streamOf(textsOf(deps, session, { ...exporting, firstRows }), deps.log, { user_id: userId })
}

type ReadPage = (
  db: Db,
  exporting: q.Exporting,
  afterId: number,
  limit: number,
) => PromiseLike<readonly SizedRow[]>

async function* textsOf(
  deps: Deps,
  session: SessionKey,
  { firstRows, ...exporting }: q.Exporting & { readonly firstRows: readonly SizedRow[] },
): AsyncGenerator<string, void, void> {
  const { db, clock } = deps
  const { userId } = exporting
  const pause = pauses(clock)
  const next = async (read: ReadPage, afterId: number) => {
    await refuseEnded(db, session, clock.now())
    return read(db, exporting, afterId, PAGE)
  }
  for await (const ids of piecesOf(firstRows, (afterId) => next(q.page, afterId))) {
    for (const source of await findPeople(db, userId, ids)) {
      yield ended(exportedText(source))
      await pause()
    }
  }
  const groups = await next(q.pageOfGroups, 0)
  for await (const ids of piecesOf(groups, (afterId) => next(q.pageOfGroups, afterId))) {
    for (const { text } of await findGroups(db, userId, ids)) {
      yield ended(text)
      await pause()
    }
  }
}

/** A text that another one may follow. */
const ended = (text: string): string => (/[\r\n]$/.test(text) ? text : `${text}\r\n`)

/** Ids of as many rows as may be read at once. */
async function* piecesOf(
  firstRows: readonly SizedRow[],
  next: (afterId: number) => Promise<readonly SizedRow[]>,
) {
  for (let rows = firstRows; rows.length > 0; rows = await next(rows.at(-1)?.id ?? 0)) {
    for (let at = 0; at < rows.length;) {
      const ids = fittingIds(rows.slice(at, at + PIECE), PIECE)
      yield ids
      at += ids.length
    }
  }
}
