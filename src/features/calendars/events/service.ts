export { listCalendarEvents } from '../../events/exports/service'
