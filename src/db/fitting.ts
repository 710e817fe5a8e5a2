import { type SQL, sql, type SQLWrapper, type Subquery } from 'drizzle-orm'

/** The most bytes of records on a page, unless its only record is longer (contract: http.pages). */
const MAX_BYTES = 1_048_576
/** Bytes that a record takes in a response besides its texts. */
const FRAME = 500

/**
 * The bytes that a record with these texts takes in a response. PostgreSQL looks up the length of a long text without reading the
 * text; characters that JSON escapes count once.
 */
export const bytesOf = (...texts: readonly SQLWrapper[]): SQL<number> =>
  sql`${FRAME}::integer + ${sql.join(texts.map(lengthOf), sql` + `)}`

const lengthOf = (text: SQLWrapper) => sql`coalesce(octet_length(${text}), 0)`

/**
 * The first of these rows that fit on a page together, at least one. Their long texts are read, those of the other rows are not.
 *
 *     const rows = db.select({ …columns, bytes: bytesOf(…).as('bytes') }).….orderBy(…order).limit(limit).as('rows')
 *     const page = db.$with('page', { …columns, ...FOLLOWED }).as(fitting(rows, …order))
 */
export function fitting(
  rows: Subquery & { readonly bytes: SQLWrapper },
  ...order: readonly SQLWrapper[]
): SQL {
  const sorted = sql`order by ${sql.join([...order], sql`, `)}`
  return sql`
    select * from (
      select *, sum(${rows.bytes}) over (${sorted} rows unbounded preceding) as total, lead(true, 1, false) over (${sorted}) as is_followed from ${rows}
    ) as measured
    where total <= ${MAX_BYTES} or total = bytes`
}

/** The same column of rows that are read however long they are together. */
export const UNCUT = { isFollowed: sql<boolean>`false`.as('is_followed') }

/** The column of `fitting` that `toFittingPage` needs: whether the row is followed by another one, on the page or after it. */
export const FOLLOWED = { isFollowed: sql<boolean>`is_followed`.as('is_followed') }
