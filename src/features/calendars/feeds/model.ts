import { t } from 'elysia'
import { pathId, pathName, verbatim } from '../../../lib/wire/schema'
import { CalendarFile } from '../export/model'

export { CalendarFile }

export const CalendarPath = t.Object({ id: pathId('Of the calendar.') })

export const FeedPath = t.Object({ file: pathName('The secret name, ending with `.ics`.') })

export const FeedView = t.Object(
  {
    url: t.String({
      description: 'Absolute; shown only once. Everybody who knows it can read the calendar.',
    }),
  },
  { title: 'CalendarFeed' },
)
export type FeedView = typeof FeedView.static

export const IfNoneMatch = t.Object({
  'if-none-match': t.Optional(
    verbatim({
      min: 0,
      max: 1000,
      description: 'The `ETag` of an earlier response: 304 if nothing has changed since.',
    }),
  ),
})
