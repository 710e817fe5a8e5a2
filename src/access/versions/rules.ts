import type { Page } from '../../lib/wire/page'

/** A version, and the entry of the history that has the record as it was then. */
export type VersionKey = readonly [version: number, entry: number]

/** As the entry of the present version, which is the record itself. */
const PRESENT = Number.MAX_SAFE_INTEGER

export const isVersionKey = (key: unknown): key is VersionKey =>
  Array.isArray(key) && key.length === 2 && key.every((part) => Number.isSafeInteger(part) && part > 0)

/** An entry of the history that is the first of its version: what it replaced has another one. */
export interface Step {
  readonly id: number
  readonly at: Date
  /** Of what it replaced; null for the beginning of a record. */
  readonly version: number | null
  /** Of what it replaced, as text. */
  readonly bytes: number
  readonly userId: number | null
  readonly networkName: string | null
}

/** A version of a record, and what made it; undefined when that is not kept any more. */
interface Kept {
  readonly key: VersionKey
  readonly bytes: number
  readonly madeBy: Step | undefined
}

/** The most bytes of records on a page, unless its only record is longer (contract: http.pages). */
const MAX_BYTES = 1_048_576

/** The most steps that a page of `limit` versions needs: each may be a deletion that was undone, with a beginning after it. */
export const stepsFor = (limit: number): number => 2 * limit + 2

/** Whether the version is the record as it is. */
export const isPresent = ({ key }: Kept): boolean => key[1] === PRESENT

/**
 * The versions on the page, newest first, from the steps that come after the page before it.
 * @param present the version of the record as it is, and its bytes.
 */
export function versionsOn(
  { limit, after }: Page<VersionKey>,
  steps: readonly Step[],
  present: Pick<Kept, 'bytes'> & { readonly version: number },
) {
  const first: Kept[] =
    after === undefined ? [{ key: [present.version, PRESENT], bytes: present.bytes, madeBy: steps[0] }] : []
  const former = steps.flatMap(({ id, version, bytes }, index): Kept[] =>
    version === null ? [] : [{ key: [version, id], bytes, madeBy: steps[index + 1] }],
  )
  const all = [...first, ...former]
  let total = 0
  const tooLong = all.findIndex(({ bytes }, index) => (total += bytes) > MAX_BYTES && index > 0)
  const page = all.slice(0, tooLong === -1 ? limit : Math.min(tooLong, limit))
  return { page, isFollowed: all.length > page.length }
}
