import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { file, pathId, queryFlag } from '../../../lib/wire/schema'

export const CalendarPath = t.Object({ id: pathId('Of the calendar.') })

export const CalendarUpload = file('text/calendar', 'A calendar file (RFC 5545), up to 10 MiB.')

export const ImportQuery = t.Object({
  dry_run: t.Optional(queryFlag('Only report what an import would do, without changing anything.')),
})

export const ImportView = t.Object(
  {
    created: Type.Integer({ description: 'Counted by UID: a series with its overrides counts once.' }),
    updated: Type.Integer(),
    unchanged: Type.Integer({
      description:
        'Events that have not changed since their last import, even if they were edited here, or that are as the export would write them now.',
    }),
    skipped: t.Array(
      t.Object({
        uid: t.Nullable(t.String({ description: 'Null if the UID is missing or unreadable.' })),
        reason: t.String(),
      }),
      { description: 'What was left out, and why; also single occurrences of imported events.' },
    ),
  },
  { title: 'CalendarImport' },
)
export type ImportView = typeof ImportView.static
