import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { dayOrDateTime, keyword, optionalNullable } from '../../../lib/wire/schema'

export { EventPath } from '../events/model'

const RESPONSES = ['Going', 'Tentative', 'Declined'] as const
const response = (description: string) => keyword(RESPONSES, description)

const occurrenceStart = (description: string) =>
  dayOrDateTime(`${description} A date-time (without an offset in the zone of the event), or a day.`)

export const InvitationView = t.Object(
  {
    id: Type.Integer(),
    event_id: Type.Integer(),
    event_title: t.String(),
    user_id: Type.Integer({ description: 'The invitee.' }),
    network_name: t.String({ description: "The invitee's." }),
    response: t.Nullable(
      t.Union([t.Literal('Going'), t.Literal('Tentative'), t.Literal('Declined')], {
        description: 'Null while unanswered.',
      }),
    ),
    display_calendar_id: t.Nullable(
      Type.Integer({
        description: 'The calendar in which the invitee sees the event; only the invitee sees this field.',
      }),
    ),
    created_at: t.String({ format: 'date-time' }),
  },
  { title: 'EventInvitation' },
)
export type InvitationView = typeof InvitationView.static

export const ExportedInvitationView = t.Object(
  {
    ...InvitationView.properties,
    occurrence_responses: t.Array(
      t.Object({
        occurrence_start: t.String({ description: 'A date-time, or a day in an all-day series.' }),
        response: response('What holds for that occurrence.'),
      }),
      { description: 'The answers for single occurrences.' },
    ),
  },
  { title: 'ExportedEventInvitation' },
)
export type ExportedInvitationView = typeof ExportedInvitationView.static

export const NewInvitations = t.Object({
  user_ids: t.Array(Type.Integer(), {
    minItems: 1,
    maxItems: 200,
    description: 'Users who are connected with the caller.',
  }),
})

export const InvitationsView = t.Object({ invitations: t.Array(InvitationView) })

export const InvitationsPage = t.Object({
  invitations: t.Array(InvitationView),
  next_cursor: t.Nullable(t.String()),
})
export type InvitationsPage = typeof InvitationsPage.static

export const EventInvitationsQuery = t.Object({
  occurrence_start: t.Optional(
    occurrenceStart('Shows the answers that hold for the occurrence with this original start.'),
  ),
  ...pageQuery,
})
export type EventInvitationsQuery = typeof EventInvitationsQuery.static

export const OwnInvitationsQuery = t.Object({
  response: t.Optional(response('Only those that were answered so.')),
  ...pageQuery,
})
export type OwnInvitationsQuery = typeof OwnInvitationsQuery.static

export const ResponseBody = t.Object({
  response: response('In upper or lower case.'),
  occurrence_start: optionalNullable(
    occurrenceStart('Answers only the occurrence with this original start, independently of the others.'),
  ),
})
export type ResponseBody = typeof ResponseBody.static

export const DisplayCalendarBody = t.Object({
  calendar_id: t.Nullable(
    Type.Integer({
      description: "A calendar of the caller's, except the Birthdays calendar; null for none.",
    }),
  ),
})
