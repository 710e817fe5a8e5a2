// One file for both pages: whoever opens one is likely to open the other.
import { learnRefusals } from '../messages/refusals'
import { refusalTexts } from '../settings/refusal-texts'

export { RecentChangesPage } from './RecentChangesPage'
export { TrashPage } from './TrashPage'

learnRefusals(refusalTexts)
