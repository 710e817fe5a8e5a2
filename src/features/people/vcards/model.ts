import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { MAX_ID } from '../../../lib/wire/id'
import { file, queryFlag, queryInteger } from '../../../lib/wire/schema'

export const VCardFile = t.String({
  contentMediaType: 'text/vcard',
  description: 'Everybody in the address books, as vCard 4.0 (RFC 6350) in UTF-8.',
})

export const VCardUpload = file('text/vcard', 'A file of vCards 2.1, 3.0 or 4.0, up to 10 MiB.')

export const ExportQuery = t.Object({
  book_id: t.Optional(queryInteger(1, MAX_ID, 'Only the people in this address book.')),
})

export const ImportQuery = t.Object({
  book_id: t.Optional(
    queryInteger(
      1,
      MAX_ID,
      'The address book for people who are new, by default the default one. Others stay where they are.',
    ),
  ),
  dry_run: t.Optional(queryFlag('Only report what an import would do, without changing anything.')),
})

export const ImportView = t.Object(
  {
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer({
      description:
        'Cards that have not changed since their last import, even if the person was edited here, or that are as the export would write them now.',
    }),
    skipped: t.Array(
      t.Object({
        uid: t.Nullable(t.String({ description: 'Null if the UID is missing or unreadable.' })),
        reason: t.String(),
      }),
    ),
  },
  { title: 'Import' },
)
export type ImportView = typeof ImportView.static
