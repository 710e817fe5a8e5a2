import { type Answer, call, queryOf } from '../api/call'
import { randomKey } from '../api/random'
import type { ImportReport, Upload } from '../parts/use-file-import'

/** Takes the people of a file of vCards; those who are new come into the address book. */
export const importPeople = (
  book: number | undefined,
  { file, isRehearsal, signal }: Upload,
): Promise<Answer<ImportReport>> =>
  call('POST', `people/import${queryOf({ book_id: book, dry_run: isRehearsal ? 'true' : undefined })}`, {
    // Systems name the type of such a file differently, or not at all.
    body: new Blob([file], { type: 'text/vcard' }),
    signal,
    ...(!isRehearsal && { idempotencyKey: randomKey() }),
  })

/** Everybody, or the people of an address book, as a file of vCards. */
export const exportAddress = (book?: number): string => `/api/people/export${queryOf({ book_id: book })}`
