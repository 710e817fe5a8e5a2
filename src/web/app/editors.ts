export { EventOverlay } from '../events/EventOverlay'
export { EventPage, NewEventPage } from '../events/EventPage'
export { QuickAddDialog } from '../quick-add/QuickAddDialog'
export { DueMessages } from '../reminders/DueMessages'
