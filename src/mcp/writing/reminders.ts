import { type Static, Type } from '@sinclair/typebox'
import { NewReminder, ReminderChanges } from '../../features/tasks/reminders/model'
import type { ReminderView } from '../../features/tasks/reminders/model'
import {
  changeReminder,
  createReminder,
  deleteReminder,
  dismissReminder,
  readReminder,
  snoozeReminder,
} from '../../features/tasks/reminders/service'
import { invalid } from '../../lib/errors'
import { dateTime } from '../../lib/wire/schema'
import { type Assistant, zoneFor } from '../assistant'
import { reminderItem } from '../items/views'
import { type Aim, kindOfRecord, NO_FIELDS } from './kinds'

const Changes = Type.Object({
  ...ReminderChanges.properties,
  snoozed_until: Type.Optional(dateTime('Snoozes it; with an offset, and alone.')),
  is_dismissed: Type.Optional(Type.Literal(true, { description: 'Marks it as done; alone.' })),
})

/** Snoozing and dismissing are changes, too. @throws {AppError} 422 for either beside other fields. */
function changed(
  { deps, session }: Assistant,
  aim: Aim,
  fields: Static<typeof Changes>,
): Promise<ReminderView> {
  const { snoozed_until: until, is_dismissed: isDismissed, ...changes } = fields
  if ((until ?? isDismissed) === undefined) return changeReminder(deps, session, aim, changes)
  if (Object.keys(fields).length > 1) {
    const field = until === undefined ? 'is_dismissed' : 'snoozed_until'
    throw invalid([{ field, message: 'must be the only change' }])
  }
  return until === undefined
    ? dismissReminder(deps, session, aim)
    : snoozeReminder(deps, session, aim, { until })
}

/** Reminders. */
export const reminderRecords = kindOfRecord({
  area: 'tasks',
  newFields: NewReminder,
  changedFields: Changes,
  deletedFields: NO_FIELDS,
  create: async (assistant, fields) =>
    reminderItem(zoneFor(assistant), await createReminder(assistant.deps, assistant.session, fields)),
  change: async (assistant, aim, fields) =>
    reminderItem(zoneFor(assistant), await changed(assistant, aim, fields)),
  remove: ({ deps, session }, aim) => deleteReminder(deps, session, aim),
  read: async (assistant, id) =>
    reminderItem(zoneFor(assistant), await readReminder(assistant.deps, assistant.session.userId, id)),
})
