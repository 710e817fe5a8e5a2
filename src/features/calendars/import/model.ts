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
    created: Type.Integer({ description: 'Counted by UID: a series with its overrides is one.' }),
    updated: Type.Integer(),
    unchanged: Type.Integer({
      description:
        'Events that are as they were at their last import, also where they were edited here, or as the export writes them now.',
    }),
    skipped: t.Array(
      t.Object({
        uid: t.Nullable(t.String({ description: 'Null where it has none that can be read.' })),
        reason: t.String(),
      }),
      { description: 'What could not be used, and why; also single occurrences of events that were.' },
    ),
  },
  { title: 'CalendarImport' },
)
export type ImportView = typeof ImportView.static
