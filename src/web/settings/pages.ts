// One file for the pages of settings and the trash: whoever opens one is likely to open the next.
import { learnRefusals } from '../messages/refusals'
import { refusalTexts } from './refusal-texts'

export { CalendarPage } from '../calendars/CalendarPage'
export { CalendarsPage } from '../calendars/CalendarsPage'
export { AssistantsPage } from '../security/AssistantsPage'
export { SecurityPage } from '../security/SecurityPage'
export { SessionsPage } from '../security/SessionsPage'
export { TokensPage } from '../security/TokensPage'
export { AccountPage } from './AccountPage'
export { AppearancePage } from './AppearancePage'
export { CalendarSettingsPage } from './CalendarSettingsPage'
export { DataPage } from './DataPage'
export { ProfilePage } from './ProfilePage'
export { PushPage } from './PushPage'
export { SettingsPage } from './SettingsPage'
export { SharingPage } from './SharingPage'
export { ShortcutsPage } from './ShortcutsPage'
export { RecentChangesPage } from '../trash/RecentChangesPage'
export { TrashPage } from '../trash/TrashPage'

learnRefusals(refusalTexts)
