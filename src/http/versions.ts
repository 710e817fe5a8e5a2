import { t } from 'elysia'
import { MAX_ID } from '../lib/wire/id'
import { verbatim } from '../lib/wire/schema'
import type { ExpectedVersions } from '../lib/wire/versions'

const TAG = '(?:W/)?"[\\x21\\x23-\\x7e]*"'

/** The `headers` of a route that changes or deletes a versioned record (contract: http.versions). */
export const IfMatch = t.Object({
  'if-match': t.Optional(
    verbatim({
      max: 1000,
      pattern: `^\\s*(?:\\*|${TAG}(?:\\s*,\\s*${TAG})*)\\s*$`,
      problem: 'must be the quoted version, a list of them, or *',
      description:
        'The `ETag` of the record as it was read. When the record has another version by now, nothing changes and the status is 412. A list allows several versions, `*` any.',
      examples: ['"1"'],
    }),
  ),
})

/**
 * Parses `If-Match` (RFC 9110, section 13.1.1). Weak tags count, because a proxy that compresses weakens ours, and the
 * version identifies the record's state, not its bytes. A tag that is not a version matches nothing.
 */
export function expectedVersions({ 'if-match': header }: typeof IfMatch.static): ExpectedVersions {
  if (header === undefined || header.trim() === '*') return undefined
  return [...header.matchAll(/"(.*?)"/g)]
    .map(([, tag = '']) => (/^[1-9]\d{0,9}$/.test(tag) ? Number(tag) : Number.NaN))
    .filter((version) => version <= MAX_ID)
}

interface Responding {
  readonly headers: Record<string, string | number>
}

/** Returns `record` and sets its `ETag`. */
export function tagged<R extends { readonly version: number }>(set: Responding, record: R): R {
  set.headers.etag = `"${record.version}"`
  return record
}
