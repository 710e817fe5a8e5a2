import { Link } from 'wouter'
import { reminderAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { DoneButton } from '../reminders/DoneButton'
import { useDueReminders } from '../reminders/data'
import { SnoozeButton } from '../reminders/SnoozeButton'
import { useReminderActions } from '../reminders/use-reminder-actions'
import { useKeys } from '../store/use-store'
import { useMoments } from '../time/use-moments'
import { besideMessages } from './beside.messages'
import { TodaySection } from './TodaySection'

/** What is due now, with its buttons. */
export function DueReminders() {
  const m = useMessages(besideMessages)
  const moments = useMoments()
  const { due } = useDueReminders()
  const { snooze, finish } = useReminderActions()
  const keyOf = useKeys('reminder')
  const items = due.map((reminder) => ({ key: keyOf(reminder.id), reminder }))
  return (
    <TodaySection title={m.reminders} items={items}>
      {({ reminder }) => (
        <div className="reminder-line" data-group="due">
          <div className="reminder-text">
            <Link href={reminderAddress(reminder.id)}>{reminder.title}</Link>
            <span className="reminder-facts">
              <span>{moments(reminder.snoozed_until ?? reminder.remind_at ?? '')}</span>
            </span>
          </div>
          <div className="reminder-actions">
            <SnoozeButton reminder={reminder} snooze={snooze} />
            <DoneButton reminder={reminder} finish={finish} />
          </div>
        </div>
      )}
    </TodaySection>
  )
}
