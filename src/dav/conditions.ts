import { DavError } from './errors'

/** What a request requires of what it changes (RFC 9110, section 13.1; RFC 4918, section 10.4). */
interface Conditions {
  /** Any of these tags, or `*` for anything that is there. */
  readonly match: readonly string[] | undefined
  /** None of these tags, or `*` for nothing at all. */
  readonly noneMatch: readonly string[] | undefined
  /** One of these lists of `If`: each tag with whether it has to be the object's. Lock tokens count for nothing. */
  readonly lists: ReadonlyArray<ReadonlyArray<readonly [tag: string, isWanted: boolean]>>
}

const tagsIn = (header: string | null): readonly string[] | undefined => {
  if (header === null) return undefined
  return header === '*' ? ['*'] : (header.match(/"[^"]*"/g) ?? [])
}

/** Lists of tags and tokens, each perhaps after the address that it is about. */
const LISTS = /^\s*(?:(?:<[^<>]*>\s*)?\((?:\s*(?:Not\s+)?(?:<[^<>]*>|\[(?:W\/)?"[^"]*"\]))+\s*\)\s*)+$/i

/** An address, or a list and what is in it; parentheses in an address, a token or a tag are part of that. */
const LIST = /<[^<>]*>|\(((?:<[^<>]*>|"[^"]*"|[^<>"()])*)\)/g
const TAG = /<[^<>]*>|(Not\s+)?\[(?:W\/)?("[^"]*")\]/gi

/** @throws {DavError} 400 for an `If` that cannot be read, which would otherwise hold. */
function listsIn(header: string | null): Conditions['lists'] {
  if (header === null) return []
  if (!LISTS.test(header)) throw new DavError(400)
  const lists = [...header.matchAll(LIST)].flatMap(([, list]) => list ?? [])
  return lists.map((list) =>
    [...list.matchAll(TAG)].flatMap(([, not, tag]) => (tag === undefined ? [] : [[tag, not === undefined]])),
  )
}

const readConditions = ({ headers }: Request): Conditions => ({
  match: tagsIn(headers.get('if-match')),
  noneMatch: tagsIn(headers.get('if-none-match')),
  lists: listsIn(headers.get('if')),
})

/**
 * Holds the conditions of a request against the tag of what is there; undefined for nothing. Returns whether they hold for this tag
 * alone.
 * @throws {DavError} 400, 412.
 */
export function checkConditions(request: Request, etag: string | undefined): boolean {
  const { match, noneMatch, lists } = readConditions(request)
  const isIn = (tags: readonly string[]) => etag !== undefined && (tags[0] === '*' || tags.includes(etag))
  const isMet =
    (match === undefined || isIn(match)) &&
    (noneMatch === undefined || !isIn(noneMatch)) &&
    (lists.length === 0 || lists.some((list) => list.every(([tag, isWanted]) => (tag === etag) === isWanted)))
  if (!isMet) throw new DavError(412)
  return (match !== undefined && match[0] !== '*') || lists.length > 0
}
