import { t } from 'elysia'
import { pathId } from '../../../lib/wire/schema'

export const CalendarPath = t.Object({ id: pathId('Of the calendar.') })

export const CalendarFile = t.String({
  contentMediaType: 'text/calendar',
  description: 'All events of the calendar (RFC 5545), with their time zones.',
})
