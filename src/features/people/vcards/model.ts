import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { MAX_ID } from '../../../lib/wire/id'
import { file, queryFlag, queryInteger } from '../../../lib/wire/schema'
import { PersonView } from '../people/model'

export const VCardFile = t.String({
  contentMediaType: 'text/vcard',
  description:
    'Everybody in the address books, and groups, in UTF-8: the cards that came from elsewhere as they came, with what was changed here since; the others as vCard 4.0 (RFC 6350).',
})

export const VCardUpload = file('text/vcard', 'A file of vCards 2.1, 3.0 or 4.0, up to 10 MiB.')

export const ExportQuery = t.Object({
  book_id: t.Optional(queryInteger(1, MAX_ID, 'Only the people and groups in this address book.')),
})

export const ImportQuery = t.Object({
  book_id: t.Optional(
    queryInteger(
      1,
      MAX_ID,
      'The address book for people and groups that are new, by default the default one. Others stay where they are.',
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

export const ExportedPersonView = t.Object(
  {
    ...PersonView.properties,
    vcard: t.Nullable(
      t.String({
        description: 'The card that came from elsewhere, with what was changed here since; null without one.',
      }),
    ),
  },
  { title: 'ExportedPerson' },
)
export type ExportedPersonView = typeof ExportedPersonView.static

export const ContactGroupView = t.Object(
  {
    id: Type.Integer(),
    book_id: Type.Integer({ description: 'The address book in which it is.' }),
    uid: t.String(),
    vcard: t.String(),
    version: Type.Integer(),
    created_at: t.String({ format: 'date-time' }),
    updated_at: t.String({ format: 'date-time' }),
  },
  { title: 'ContactGroup' },
)
export type ContactGroupView = typeof ContactGroupView.static
