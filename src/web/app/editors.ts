export { EventOverlay } from '../events/EventOverlay'
export { EventPage, NewEventPage } from '../events/EventPage'
export { CommandsDialog } from '../commands/CommandsDialog'
export { QuickAddDialog } from '../quick-add/QuickAddDialog'
