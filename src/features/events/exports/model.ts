import { t } from 'elysia'
import { ExportedInvitationView } from '../invitations/model'
import { EventView } from '../events/model'

export const ExportedEventView = t.Object(
  {
    ...EventView.properties,
    overrides: t.Array(EventView, { description: 'The occurrences that differ from the series.' }),
    exceptions: t.Array(t.String(), {
      description: 'The original starts of occurrences that do not take place.',
    }),
    invitations: t.Array(ExportedInvitationView),
  },
  { title: 'ExportedEvent' },
)
export type ExportedEventView = typeof ExportedEventView.static
