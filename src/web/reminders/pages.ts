export { RemindersPage } from './RemindersPage'
