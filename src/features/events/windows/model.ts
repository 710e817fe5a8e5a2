import { t } from 'elysia'
import { MAX_ID } from '../../../lib/wire/id'
import { dayOrDateTime, line, queryFlag, queryInteger } from '../../../lib/wire/schema'
import { EventPath, EventView } from '../events/model'

export { EventPath }

const window = {
  from: dayOrDateTime(
    "A date-time (without an offset in the server's zone), or a day: its beginning in the zone of the caller.",
  ),
  to: dayOrDateTime('Exclusive; at most 400 days after `from`.'),
  include_declined: t.Optional(queryFlag('Shows also what the caller has declined.')),
}

export const OccurrencesQuery = t.Object(window)
export type OccurrencesQuery = typeof OccurrencesQuery.static

export const EventsQuery = t.Object({
  ...window,
  calendar_id: t.Optional(queryInteger(1, MAX_ID, 'Only of this calendar, hidden or not.')),
  q: t.Optional(
    line({
      max: 200,
      description: 'Text contained in the title, description or location; literal, regardless of case.',
    }),
  ),
})
export type EventsQuery = typeof EventsQuery.static

export const truncated = () =>
  t.Boolean({
    description:
      'Whether occurrences of invitations were left out: the response contains at most the first 2 000 of those that the caller has answered (3 MiB), and the first 500 of all others (1 MiB).',
  })

export const EventsView = t.Object({ events: t.Array(EventView), invitations_truncated: truncated() })

export const OccurrencesView = t.Object({
  occurrences: t.Array(EventView),
  invitations_truncated: truncated(),
})
