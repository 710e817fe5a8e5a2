import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The collation that tells which letters differ by their case alone; empty where nothing is looked for. */
export type Folding = '' | 'C' | 'und-x-icu'

/** Of a part in ASCII the ASCII letters of a text are enough: they take a third of the time. */
export const foldingFor = (part: string | undefined): Folding => {
  if (part === undefined) return ''
  return /^[\x20-\x7e]*$/.test(part) ? 'C' : 'und-x-icu'
}

const folded = (text: SQLWrapper, folding: Folding): SQL =>
  sql`lower(${text} collate ${sql.identifier(folding)})`

/** Whether a text has another in it, literally and without regard to case; false where there is no text. */
export const mentions = (text: SQLWrapper, part: SQLWrapper, folding: Folding): SQL<boolean> =>
  sql`coalesce(strpos(${folded(text, folding)}, ${folded(sql`${part}::text`, folding)}) > 0, false)`
