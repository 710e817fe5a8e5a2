// One file for the pages of the administration, which others than administrators never fetch.
import { learnRefusals } from '../messages/refusals'
import { refusalTexts } from './refusal-texts'

export { AdminSettingsPage } from './AdminSettingsPage'
export { AuditPage } from './AuditPage'
export { DashboardPage } from './DashboardPage'
export { UserPage } from './UserPage'
export { UsersPage } from './UsersPage'

learnRefusals(refusalTexts)
