import { useMemo } from 'react'
import type { ReminderView } from '../../features/tasks/reminders/model'
import { useMessages } from '../messages/language'
import { announce } from '../parts/messages-store'
import { useSignedIn } from '../session/use-session'
import type { CommandOutcome } from '../store/notes'
import { useWriting } from '../store/use-writing'
import { now } from '../time/now'
import { useMoments } from '../time/use-moments'
import { useZone } from '../time/use-zone'
import { deletingReminder, dismissing, type Pause, snoozing } from './intents'
import { reminderTexts } from './texts'

export type SnoozeChoice = 'tenMinutes' | 'oneHour' | 'tomorrow'

/** What can be done to a reminder wherever it shows. */
export function useReminderActions() {
  const m = useMessages(reminderTexts)
  const write = useWriting()
  const moments = useMoments()
  const zone = useZone()
  const { settings } = useSignedIn()
  const dayStart = settings.notify_day_at
  return useMemo(
    () => ({
      snooze: (reminder: ReminderView, choice: SnoozeChoice) => {
        const pause = pauseOf(choice, zone, dayStart)
        const end = 'until' in pause ? pause.until : now().add({ minutes: pause.minutes }).toString()
        write(snoozing(reminder, pause, m.saidSnoozed(reminder.title, moments(end))))
      },
      finish: (reminder: ReminderView) => {
        const { done } = write(dismissing(reminder, m.saidDone(reminder.title)))
        if (reminder.recurrence_rule !== null)
          void tellNext(done, (next) => m.saidBack(reminder.title, moments(next)))
      },
      remove: (reminder: ReminderView) => {
        write(deletingReminder(reminder, m.saidDeleted(reminder.title)))
      },
    }),
    [m, write, moments, zone, dayStart],
  )
}
export type ReminderActions = ReturnType<typeof useReminderActions>

/** Tomorrow begins when the user's day does. */
function pauseOf(choice: SnoozeChoice, zone: string, dayStart: string): Pause {
  if (choice !== 'tomorrow') return { minutes: choice === 'oneHour' ? 60 : 10 }
  const tomorrow = now().toZonedDateTimeISO(zone).toPlainDate().add({ days: 1 })
  const until = tomorrow.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(dayStart) })
  return { until: until.toInstant().toString() }
}

/** Says when a reminder comes again, once the answer tells. */
async function tellNext(done: Promise<CommandOutcome>, textOf: (next: string) => string): Promise<void> {
  const outcome = await done
  if (outcome.is !== 'confirmed') return
  const { remind_at: next, is_dismissed: isOver } = outcome.body as ReminderView
  if (!isOver && next !== null) announce({ text: textOf(next) })
}
