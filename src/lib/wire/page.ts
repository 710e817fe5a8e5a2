import { Type } from '@sinclair/typebox'
import { invalid } from '../errors'
import { isId } from './id'
import { queryInteger, verbatim } from './schema'
import { isStorable } from '../text'
import { parseDateTime } from '../time/time'

export const DEFAULT_LIMIT = 50
/** Rows that are read for a page of the usual length: one more tells whether there is another. */
export const USUAL_LIMIT = DEFAULT_LIMIT + 1
const MAX_LIMIT = 200
/** A cursor of two names of 100 characters, each of which JSON escapes in six bytes, is shorter. */
const MAX_CURSOR_LENGTH = 2000

/** The query fields of every paged list. */
export const pageQuery = {
  limit: Type.Optional(queryInteger(1, MAX_LIMIT, `How many entries; ${DEFAULT_LIMIT} unless given.`)),
  cursor: Type.Optional(
    verbatim({ max: MAX_CURSOR_LENGTH, description: 'The `next_cursor` of the page before.' }),
  ),
}

/** A piece of a list in the order of its ids, which nothing that happens meanwhile disturbs: what comes after an id. */
export interface PageById {
  readonly afterId: number
  readonly limit: number
}

interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
}

/** The sort key of a row: what tells the next page where to go on. */
type Key = ReadonlyArray<string | number>

export interface Page<K extends Key> {
  readonly limit: number
  /** The key of the last row before this page; undefined on the first page. */
  readonly after: K | undefined
}

/** @throws {AppError} 422 for a cursor that `isKey` does not recognise as one of its list. */
export function readPage<K extends Key>(
  { limit = DEFAULT_LIMIT, cursor }: PageQuery,
  isKey: (key: unknown) => key is K,
): Page<K> {
  if (cursor === undefined) return { limit, after: undefined }
  const after = decode(cursor)
  if (!isKey(after)) throw invalid([{ field: 'query.cursor', message: 'is not valid' }])
  return { limit, after }
}

/** Cuts the one row too many that the query read, and names the last row that is left if there are more. */
export function toPage<R>(rows: readonly R[], limit: number, keyOf: (row: R) => Key) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next_cursor: rows.length > limit && last !== undefined ? encode(keyOf(last)) : null }
}

const encode = (key: Key) =>
  new TextEncoder().encode(JSON.stringify(key)).toBase64({ alphabet: 'base64url', omitPadding: true })

function decode(cursor: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet: 'base64url' })))
  } catch {
    return undefined
  }
}

/** Keys of lists in the order of their ids. */
export type IdKey = readonly [id: number]

export const isIdKey = (key: unknown): key is IdKey => Array.isArray(key) && key.length === 1 && isId(key[0])

/** Keys of lists in the order of an instant (ISO 8601, to the millisecond), ties by id. */
export type InstantKey = readonly [at: string, id: number]

interface Dated {
  readonly createdAt: Date
  readonly id: number
}

export const instantKey = ({ createdAt, id }: Dated): InstantKey => [createdAt.toISOString(), id]

export const isInstantKey = (key: unknown): key is InstantKey =>
  Array.isArray(key) && key.length === 2 && isInstant(key[0]) && isId(key[1])

/** Whether a part of a key is an instant as `toISOString` writes it. */
export const isInstant = (part: unknown): boolean =>
  typeof part === 'string' && parseDateTime('UTC', part)?.toISOString() === part

/** Keys of lists in the order of a text, ties by id. */
export type TextKey = readonly [text: string, id: number]

export const isTextKey = (key: unknown): key is TextKey =>
  Array.isArray(key) && key.length === 2 && typeof key[0] === 'string' && isStorable(key[0]) && isId(key[1])

/** Keys of lists in the order of the network name, which is unique. */
export type NetworkNameKey = readonly [networkName: string]

export const isNetworkNameKey = (key: unknown): key is NetworkNameKey =>
  Array.isArray(key) && key.length === 1 && typeof key[0] === 'string' && isStorable(key[0])
