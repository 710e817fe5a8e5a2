/**
 * Small parts that several pages share. They come with the first file: the bundler makes a file of its own for each set of pages that
 * share something, and a request costs more than they weigh.
 */
/* oxlint-disable import/no-unassigned-import */
import '../api/use-answer'
import '../connections/names'
import '../events/draft'
import '../events/template-intents'
import '../events/texts'
import '../events/use-templates'
import '../events/ZoneField'
import '../parts/Avatar'
import '../parts/Checkbox'
import '../parts/ConfirmDialog'
import '../parts/CopyButton'
import '../parts/Dialog'
import '../parts/Field'
import '../parts/Select'
import '../parts/Status'
import '../parts/SuggestField'
import '../parts/TextArea'
import '../parts/use-handing-on'
import '../reminders/DoneButton'
import '../reminders/SnoozeButton'
import '../reminders/use-reminder-actions'
import '../time/use-moments'
import '../time/zone-renames'
import './Gone'
