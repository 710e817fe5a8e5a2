import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { ExportedInvitationView } from '../invitations/model'
import { EventView } from '../events/model'

const exceptions = t.Array(t.String(), {
  description: 'The original starts of occurrences that do not take place.',
})

export const ExportedEventView = t.Object(
  {
    ...EventView.properties,
    overrides: t.Array(EventView, { description: 'The occurrences that differ from the series.' }),
    exceptions,
    invitations: t.Array(ExportedInvitationView),
  },
  { title: 'ExportedEvent' },
)
export type ExportedEventView = typeof ExportedEventView.static

/** What follows from the calendar, whose change sends no event again (contract: changes.items). */
const OF_CALENDAR = ['calendar_name', 'calendar_color', 'access'] as const

const BareEventView = Type.Omit(EventView, OF_CALENDAR, { title: 'BareEvent' })
export type BareEventView = typeof BareEventView.static

export const WholeEventView = t.Object(
  {
    ...BareEventView.properties,
    overrides: t.Array(BareEventView, { description: 'The occurrences that differ from the series.' }),
    exceptions,
    invitations: t.Array(ExportedInvitationView, {
      description: 'All of them for the owner; for others only their own.',
    }),
  },
  {
    title: 'WholeEvent',
    description:
      'An event or an unexpanded series with all that belongs to it. Name, colour and access are those of its calendar.',
  },
)
export type WholeEventView = typeof WholeEventView.static

export const WholeEventsQuery = t.Object(pageQuery)
export type WholeEventsQuery = typeof WholeEventsQuery.static

export const WholeEventsPage = t.Object({
  events: t.Array(WholeEventView),
  next_cursor: t.Nullable(t.String()),
})
export type WholeEventsPage = typeof WholeEventsPage.static
