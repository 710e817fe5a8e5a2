import type { ReminderView } from '../../features/tasks/reminders/model'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { reminderTexts } from './texts'
import type { ReminderActions } from './use-reminder-actions'

interface DoneButtonProps {
  readonly reminder: ReminderView
  readonly finish: ReminderActions['finish']
  readonly kind?: 'secondary' | 'quiet'
}

/** Dismisses a reminder. */
export function DoneButton({ reminder, finish, kind = 'secondary' }: DoneButtonProps) {
  const m = useMessages(reminderTexts)
  return (
    <Button kind={kind} onClick={() => finish(reminder)}>
      {m.done}
    </Button>
  )
}
