import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { file, pathId, queryFlag } from '../../../lib/wire/schema'

export const CalendarPath = t.Object({ id: pathId('Of the calendar.') })

export const CalendarUpload = file('text/calendar', 'A calendar file (RFC 5545), up to 10 MiB.')

export const ImportQuery = t.Object({
  dry_run: t.Optional(queryFlag('Tell what would happen and change nothing.')),
})

export const ImportView = t.Object(
  {
    created: Type.Integer({ description: 'Counted by UID: a series with its overrides counts once.' }),
    updated: Type.Integer(),
    unchanged: Type.Integer({
      description:
        'Events whose text equals that of their last import, even if they were edited here since, or equals the current export.',
    }),
    skipped: t.Array(
      t.Object({
        uid: t.Nullable(t.String({ description: 'Null when the UID is missing or unreadable.' })),
        reason: t.String(),
      }),
      { description: 'What was left out, and why; also single occurrences of imported events.' },
    ),
  },
  { title: 'CalendarImport' },
)
export type ImportView = typeof ImportView.static
