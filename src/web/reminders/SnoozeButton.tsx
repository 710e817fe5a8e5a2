import { useMemo } from 'react'
import type { ReminderView } from '../../features/tasks/reminders/model'
import { useMessages } from '../messages/language'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { reminderTexts } from './texts'
import type { ReminderActions } from './use-reminder-actions'

const CHOICES = ['tenMinutes', 'oneHour', 'tomorrow'] as const

interface SnoozeButtonProps {
  readonly reminder: ReminderView
  readonly snooze: ReminderActions['snooze']
  readonly kind?: 'secondary' | 'quiet'
}

/** Puts a reminder off. */
export function SnoozeButton({ reminder, snooze, kind = 'secondary' }: SnoozeButtonProps) {
  const m = useMessages(reminderTexts)
  const actions = useMemo<readonly MenuAction[]>(
    () => CHOICES.map((id) => ({ id, label: m[id], run: () => snooze(reminder, id) })),
    [m, reminder, snooze],
  )
  return (
    <MenuButton kind={kind} actions={actions}>
      {m.snooze}
    </MenuButton>
  )
}
