import type { ReadDeps, WriteDeps } from '../../../deps'
import type { CurrentSession } from '../../../access/sessions/service'
import { formatInstant } from '../../../lib/time/time'
import { readPage, toPage } from '../../../lib/wire/page'
import type { OperationsPage, OperationsQuery, OperationView } from './model'
import * as q from './queries'
import { isOperationKey, isUndoable, itemsOf, NAMED_ITEMS, undoableSince } from './rules'
import { readableTables } from '../../../lib/history-tables'

/** Returns a page of what the caller has done, newest first. @throws {AppError} 422 for a cursor of another list. */
export async function listOperations(
  deps: WriteDeps,
  session: CurrentSession,
  query: OperationsQuery,
): Promise<OperationsPage> {
  const { limit, after } = readPage(query, isOperationKey)
  const rows = await q.list(deps.db, {
    userId: session.userId,
    tables: readableTables(session),
    after: after?.[0],
    limit: limit + 1,
  })
  const { page, next_cursor } = toPage(rows, limit, ({ id }) => [id])
  const since = undoableSince(deps.clock.now(), deps.config.historyDays)
  // An access token is told of what it may read.
  const told = session.token ? page.filter(({ rows: touched }) => touched !== null) : page
  return { operations: told.map((row) => toView(deps, session, row, since)), next_cursor }
}

function toView(
  { config }: ReadDeps,
  { token }: CurrentSession,
  row: q.ListedOperation,
  since: Date,
): OperationView {
  const createdAt = new Date(row.createdAt)
  const items = itemsOf(row.rows ?? [])
  const isRecent = config.historyDays > 0 && createdAt >= since
  return {
    id: row.id,
    operation: row.name,
    title: row.title,
    items: items.slice(0, NAMED_ITEMS),
    created_at: formatInstant(config.timeZone, createdAt),
    undoable: isUndoable(row.name) && row.hasHistory && isRecent && isOpen(row),
    credential: token && token.id !== row.tokenId ? { ...credentialOf(row), ...UNNAMED } : credentialOf(row),
  }
}

/** Undoing it has something to change, all of which may be changed. */
const isOpen = ({ isUndone, isRenaming, isFinal }: q.ListedOperation) => !isUndone && !isRenaming && !isFinal

/** An access token is told of no other credential than itself. */
const UNNAMED = { id: null, name: null }

const credentialOf = (row: q.ListedOperation): OperationView['credential'] =>
  row.tokenId === null
    ? { type: 'session', id: row.sessionId, name: row.userAgent }
    : { type: 'token', id: row.tokenId, name: row.tokenName }
