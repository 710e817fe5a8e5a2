import { t } from 'elysia'
import { pathId } from '../../../lib/wire/schema'

export { WholeEventsPage, WholeEventsQuery } from '../../events/exports/model'

export const CalendarPath = t.Object({ id: pathId('The calendar.') })
