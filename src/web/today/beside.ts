export { BesideDay } from './BesideDay'
export { DueReminders } from './DueReminders'
