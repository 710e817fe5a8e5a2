import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { expectedVersions, IfMatch, tagged } from '../../../http/versions'
import { readId } from '../../../lib/wire/id'
import { HistoryQuery } from '../../../lib/wire/page'
import { pathId } from '../../../lib/wire/schema'
import type { Target } from '../../../lib/wire/versions'
import {
  DueQuery,
  NewReminder,
  ReminderChanges,
  RemindersPage,
  RemindersQuery,
  ReminderHistory,
  ReminderView,
  Snooze,
} from './model'
import * as reminders from './service'

const params = t.Object({ id: pathId('Of the reminder.') })
const readTarget = (id: string, headers: typeof IfMatch.static): Target => ({
  id: readId(id, 'Reminder'),
  expected: expectedVersions(headers),
})

export const reminderRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'reminders.routes', prefix: '/api/reminders', tags: ['Reminders'] })
    .use(guard)
    .get('', ({ session, query }) => reminders.listReminders(deps, session, query), {
      session: { scope: 'tasks:read', settings: true },
      query: RemindersQuery,
      response: { 200: RemindersPage },
      detail: {
        operationId: 'listReminders',
        summary: 'List the reminders',
        description:
          'By their moment: `snoozed_until` if set, otherwise `remind_at`. Reminders without either come last.',
      },
    })
    .get('/due', ({ session, query }) => reminders.listReminders(deps, session, { ...query, state: 'due' }), {
      session: { scope: 'tasks:read' },
      query: DueQuery,
      response: { 200: RemindersPage },
      detail: { operationId: 'listDueReminders', summary: 'List the reminders that are due' },
    })
    .post(
      '',
      async ({ session, body, set, status }) =>
        status(201, tagged(set, await reminders.createReminder(deps, session, body))),
      {
        session: { scope: 'tasks:write', settings: true },
        body: NewReminder,
        response: { 201: ReminderView, 409: ErrorBody },
        detail: {
          operationId: 'createReminder',
          summary: 'Create a reminder',
          description: "The default `time_zone` is the user's, or else the server's.",
        },
      },
    )
    .get(
      '/:id',
      async ({ session, params: { id }, set }) =>
        tagged(set, await reminders.readReminder(deps, session.userId, readId(id, 'Reminder'))),
      {
        session: { scope: 'tasks:read' },
        params,
        response: { 200: ReminderView, 404: ErrorBody },
        detail: { operationId: 'getReminder', summary: 'Read a reminder' },
      },
    )
    .get(
      '/:id/history',
      ({ session, params: { id }, query }) =>
        reminders.listReminderVersions(deps, session, readId(id, 'Reminder'), query),
      {
        session: { scope: 'tasks:read' },
        params,
        query: HistoryQuery,
        response: { 200: ReminderHistory, 404: ErrorBody },
        detail: {
          operationId: 'listReminderVersions',
          summary: 'List the versions of a reminder',
          description:
            'Newest first, with the record as it was. Former versions are kept for 30 days or as `HISTORY_DAYS` says.',
        },
      },
    )
    .put(
      '/:id',
      async ({ session, params: { id }, headers, body, set }) =>
        tagged(set, await reminders.changeReminder(deps, session, readTarget(id, headers), body)),
      {
        session: { scope: 'tasks:write' },
        params,
        headers: IfMatch,
        body: ReminderChanges,
        response: { 200: ReminderView, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'changeReminder',
          summary: 'Change a reminder',
          description:
            'Changes the given fields. A new `remind_at` restarts a series and resets snoozing and dismissal. A new `time_zone` alone keeps the instant.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ session, params: { id }, headers, status }) => {
        await reminders.deleteReminder(deps, session, readTarget(id, headers))
        return status(204, undefined)
      },
      {
        session: { scope: 'tasks:write' },
        params,
        headers: IfMatch,
        response: { 204: t.Void(), 404: ErrorBody, 412: ErrorBody },
        detail: { operationId: 'deleteReminder', summary: 'Delete a reminder' },
      },
    )
    .put(
      '/:id/snooze',
      async ({ session, params: { id }, headers, body, set }) =>
        tagged(set, await reminders.snoozeReminder(deps, session, readTarget(id, headers), body)),
      {
        session: { scope: 'tasks:write' },
        params,
        headers: IfMatch,
        body: Snooze,
        response: { 200: ReminderView, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        detail: { operationId: 'snoozeReminder', summary: 'Snooze a reminder' },
      },
    )
    .put(
      '/:id/dismiss',
      async ({ session, params: { id }, headers, set }) =>
        tagged(set, await reminders.dismissReminder(deps, session, readTarget(id, headers))),
      {
        session: { scope: 'tasks:write' },
        params,
        headers: IfMatch,
        response: { 200: ReminderView, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'dismissReminder',
          summary: 'Dismiss a reminder',
          description:
            'A series moves to its next occurrence; its last occurrence is dismissed like a single reminder.',
        },
      },
    )
