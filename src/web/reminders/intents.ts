import type { ReminderChanges, ReminderView } from '../../features/tasks/reminders/model'
import { pathOf } from '../api/call'
import { change, deletion, type Intent } from '../store/commands'
import { now } from '../time/now'

const nameOf = ({ id }: ReminderView) => ({ kind: 'reminder' as const, id })
const pathFor = ({ id }: ReminderView) => pathOf`reminders/${id}`

/** Changes fields; another moment begins the reminder anew. */
export function changingReminder(opened: ReminderView, fields: ReminderChanges, said: string): Intent {
  const intent = change(nameOf(opened), pathFor(opened), fields, { said, opened })
  if (fields.remind_at === undefined) return intent
  const shown = { ...fields, is_dismissed: false, snoozed_until: null }
  return { ...intent, apply: [{ ...nameOf(opened), is: 'patch', fields: shown }] }
}

export const deletingReminder = (reminder: ReminderView, said: string): Intent =>
  deletion(nameOf(reminder), pathFor(reminder), { said })

/** From now on for so long, or until a moment. */
export type Pause = { readonly minutes: number } | { readonly until: string }

export const snoozing = (reminder: ReminderView, pause: Pause, said: string): Intent => ({
  said,
  apply: [{ ...nameOf(reminder), is: 'patch', fields: { snoozed_until: endOf(pause) } }],
  request: { method: 'PUT', path: pathOf`reminders/${reminder.id}/snooze`, body: { ...pause } },
  guard: nameOf(reminder),
})

const endOf = (pause: Pause): string =>
  'until' in pause ? pause.until : now().add({ minutes: pause.minutes }).toString()

/** Ends a reminder. One that repeats is away until the answer says when it comes again. */
export const dismissing = (reminder: ReminderView, said: string): Intent => ({
  said,
  apply: [{ ...nameOf(reminder), is: 'patch', fields: { is_dismissed: true, snoozed_until: null } }],
  request: { method: 'PUT', path: pathOf`reminders/${reminder.id}/dismiss` },
  guard: nameOf(reminder),
})
