import { t } from 'elysia'
import { pathId, pathName, verbatim } from '../../../lib/wire/schema'
import { CalendarFile } from '../export/model'

export { CalendarFile }

export const CalendarPath = t.Object({ id: pathId('Of the calendar.') })

export const FeedPath = t.Object({ file: pathName('The secret name, with `.ics` at its end.') })

export const FeedView = t.Object(
  { url: t.String({ description: 'Absolute; shown this once. Who knows it can read the calendar.' }) },
  { title: 'CalendarFeed' },
)
export type FeedView = typeof FeedView.static

export const IfNoneMatch = t.Object({
  'if-none-match': t.Optional(
    verbatim({
      min: 0,
      max: 1000,
      description: 'The `ETag` of what is known: 304 while nothing has changed.',
    }),
  ),
})
