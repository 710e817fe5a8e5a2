import { type TObject, Type } from '@sinclair/typebox'
import { invalid } from '../errors'
import { isId } from './id'
import { queryInteger, verbatim } from './schema'
import { isStorable } from '../text'
import { parseDateTime } from '../time/time'

export const DEFAULT_LIMIT = 50
/** The rows to read for a page of the default length: one more shows whether there is another page. */
export const USUAL_LIMIT = DEFAULT_LIMIT + 1
const MAX_LIMIT = 200
/** Enough for two names of 100 characters, even if JSON escapes each character in six bytes. */
const MAX_CURSOR_LENGTH = 2000

/** The query field for the length of a list. */
export const limitQuery = (description: string) => Type.Optional(queryInteger(1, MAX_LIMIT, description))

/** The query fields of every paged list. */
export const pageQuery = {
  limit: limitQuery(
    `The most entries on the page; ${DEFAULT_LIMIT} by default. A page of long texts has fewer: it ends at about 1 MiB, and \`next_cursor\` leads on.`,
  ),
  cursor: Type.Optional(
    verbatim({ max: MAX_CURSOR_LENGTH, description: 'The `next_cursor` of the previous page.' }),
  ),
}

/** The query of the versions of a record. */
export const HistoryQuery = Type.Object(pageQuery)

/** The versions of a record with this view, newest first. */
export const historyPage = <View extends TObject>(item: View) =>
  Type.Object({
    versions: Type.Array(
      Type.Object({
        version: Type.Integer(),
        changed_at: Type.String({ format: 'date-time', description: 'When the record got this version.' }),
        changed_by: Type.Union(
          [Type.Object({ user_id: Type.Integer(), network_name: Type.String() }), Type.Null()],
          { description: 'Null for what happened by itself, and where it is not known any more.' },
        ),
        item,
      }),
    ),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  })

/** A page of a list by id, after `afterId`. Concurrent changes do not disturb this order. */
export interface PageById {
  readonly afterId: number
  readonly limit: number
}

/** Records by id: a page of them, or those with these ids. */
export type ById = PageById | { readonly ids: readonly number[] }

export interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
}

/** The sort key of a row, at which the next page continues. */
type Key = ReadonlyArray<string | number>

export interface Page<K extends Key> {
  readonly limit: number
  /** The key of the last row before this page; undefined on the first page. */
  readonly after: K | undefined
}

/** @throws {AppError} 422 for a cursor whose key `isKey` rejects, such as one of another list. */
export function readPage<K extends Key>(
  { limit = DEFAULT_LIMIT, cursor }: PageQuery,
  isKey: (key: unknown) => key is K,
): Page<K> {
  if (cursor === undefined) return { limit, after: undefined }
  const after = decode(cursor)
  if (!isKey(after)) throw invalid([{ field: 'query.cursor', message: 'is not valid' }])
  return { limit, after }
}

/** Cuts off the extra row that the query read; if there was one, the cursor holds the key of the page's last row. */
export function toPage<R>(rows: readonly R[], limit: number, keyOf: (row: R) => Key) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next_cursor: rows.length > limit && last !== undefined ? toCursor(keyOf(last)) : null }
}

/** The same for rows of `src/db/fitting.ts`, which are fewer than the limit if their texts are long. */
export function toFittingPage<R extends { readonly isFollowed: boolean }>(
  rows: readonly R[],
  limit: number,
  keyOf: (row: R) => Key,
) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next_cursor: last?.isFollowed ? toCursor(keyOf(last)) : null }
}

/** The cursor of the page after the row with this key. */
export const toCursor = (key: Key) =>
  new TextEncoder().encode(JSON.stringify(key)).toBase64({ alphabet: 'base64url', omitPadding: true })

function decode(cursor: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet: 'base64url' })))
  } catch {
    return undefined
  }
}

/** Keys of lists by id. */
export type IdKey = readonly [id: number]

export const isIdKey = (key: unknown): key is IdKey => Array.isArray(key) && key.length === 1 && isId(key[0])

/** Keys of lists by an instant (ISO 8601, to the millisecond), then by id. */
export type InstantKey = readonly [at: string, id: number]

interface DatedRow {
  readonly createdAt: Date
  readonly id: number
}

export const instantKey = ({ createdAt, id }: DatedRow): InstantKey => [createdAt.toISOString(), id]

export const isInstantKey = (key: unknown): key is InstantKey =>
  Array.isArray(key) && key.length === 2 && isInstant(key[0]) && isId(key[1])

/** Whether the value is an instant as `toISOString` writes it. */
export const isInstant = (part: unknown): boolean =>
  typeof part === 'string' && parseDateTime('UTC', part)?.toISOString() === part

/** Keys of lists by a text, then by id. */
export type TextKey = readonly [text: string, id: number]

export const isTextKey = (key: unknown): key is TextKey =>
  Array.isArray(key) && key.length === 2 && typeof key[0] === 'string' && isStorable(key[0]) && isId(key[1])

/** Keys of lists by network name, which is unique. */
export type NetworkNameKey = readonly [networkName: string]

export const isNetworkNameKey = (key: unknown): key is NetworkNameKey =>
  Array.isArray(key) && key.length === 1 && typeof key[0] === 'string' && isStorable(key[0])
