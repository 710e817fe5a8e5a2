import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { file, queryFlag } from '../../../lib/wire/schema'
import { PersonView } from '../people/model'

export const VCardFile = t.String({
  contentMediaType: 'text/vcard',
  description:
    'Everybody in the address book, and groups, in UTF-8: the cards that came from elsewhere as they came, with what was changed here since; the others as vCard 4.0 (RFC 6350).',
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
    uid: t.String(),
    vcard: t.String(),
    version: Type.Integer(),
    created_at: t.String({ format: 'date-time' }),
    updated_at: t.String({ format: 'date-time' }),
  },
  { title: 'ContactGroup' },
)
export type ContactGroupView = typeof ContactGroupView.static
