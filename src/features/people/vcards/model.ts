import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { file, queryFlag } from '../../../lib/wire/schema'

export const VCardFile = t.String({
  contentMediaType: 'text/vcard',
  description: 'Everybody in the address book, as vCard 4.0 (RFC 6350) in UTF-8.',
})

export const VCardUpload = file('text/vcard', 'A file of vCards 2.1, 3.0 or 4.0, up to 10 MiB.')

export const ImportQuery = t.Object({
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
