/** A record, and how long its card may be. */
export interface SizedRow {
  readonly id: number
  readonly length: number
}

/** Cards may contain pictures, so only so many bytes are read at once. */
const PIECE_BYTES = 4_194_304

/** Ids of the first of the rows that may be read at once: at least one. */
export function fittingIds(rows: readonly SizedRow[], most: number): number[] {
  let bytes = 0
  const tooLong = rows.findIndex(({ length }, at) => (bytes += length) > PIECE_BYTES && at > 0)
  return rows.slice(0, tooLong === -1 ? most : Math.min(tooLong, most)).map(({ id }) => id)
}
