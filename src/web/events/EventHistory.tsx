import type { EventView } from '../../features/events/events/model'
import { pathOf } from '../api/call'
import { History } from '../history/History'
import { isLocal } from '../store/commands'
import { restoring, nameOf } from './intents'

const FIELDS = [
  'title',
  'calendar_id',
  'calendar_name',
  'calendar_color',
  'all_day',
  'start_at',
  'end_at',
  'start_date',
  'end_date',
  'time_zone',
  'recurrence_rule',
  'location',
  'description',
  'reminder_minutes',
  'visibility',
]

interface EventHistoryProps {
  readonly event: EventView
  readonly onRestored: () => void
}

/** The history of an event, or of the series of an occurrence. */
export function EventHistory({ event, onRestored }: EventHistoryProps) {
  const { id, title } = event
  if (id === null || isLocal(id)) return null
  return (
    <History
      record={nameOf(event)}
      path={pathOf`events/${id}`}
      title={title}
      fields={FIELDS}
      restoring={(fields, said) => restoring(event, fields, said)}
      onRestored={onRestored}
    />
  )
}
