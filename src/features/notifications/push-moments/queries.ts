import { and, eq, gte, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { among } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import {
  connectionRequests,
  connections,
  momentOf,
  notifications,
  people,
  projects,
  projectTasks,
  reminders,
  settings,
  todos,
  users,
} from '../../../db/schema'
import { idsOf } from '../../../db/in-pages'
import type { Extent } from '../push-events/rules'

export type { Extent }

type Ids = readonly number[]

const instant = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`

const named = (column: AnyPgColumn, { ids }: Extent) => ids && among(column, ids)

const within = (moment: SQL | AnyPgColumn, { window }: Extent): SQL =>
  sql`(${moment} > ${instant(window.from)} and ${moment} <= ${instant(window.to)})`

/** Returns those of the users who have push switched on, with their settings. */
export const recipients = (db: Db | Tx, ids: Ids) =>
  db
    .select({
      userId: settings.userId,
      timeZone: settings.timeZone,
      dayAt: settings.notifyDayAt,
      serverUrl: settings.ntfyServerUrl,
      topic: settings.ntfyTopic,
      sealedToken: settings.ntfyAuthToken,
      wants: {
        events: settings.ntfyEvents,
        reminders: settings.ntfyReminders,
        todos: settings.ntfyTodos,
        projects: settings.ntfyProjects,
        connections: settings.ntfyConnections,
      },
      eventLeadMinutes: settings.ntfyEventLeadMinutes,
      todoLeadDays: settings.ntfyTodoLeadDays,
      projectLeadDays: settings.ntfyProjectLeadDays,
      quietFrom: settings.quietFrom,
      quietTo: settings.quietTo,
    })
    .from(settings)
    .innerJoin(users, eq(users.id, settings.userId))
    .where(
      and(
        among(settings.userId, ids),
        users.isActive,
        settings.ntfyEnabled,
        isNotNull(settings.ntfyServerUrl),
        isNotNull(settings.ntfyTopic),
      ),
    )
export type RecipientRow = Awaited<ReturnType<typeof recipients>>[number]

/** Cuts the text to the longest message. */
const beginningOf = (text: AnyPgColumn) => sql<string | null>`left(${text}, 1000)`

const reminderMoment = momentOf(reminders)

/** Reminders with their moment in the window, and series that may continue into it. */
export const armedReminders = (db: Db | Tx, extent: Extent) =>
  idsOf(
    db,
    reminders,
    and(
      among(reminders.userId, extent.users),
      named(reminders.id, extent),
      reminders.isActive,
      sql`not ${reminders.isDismissed}`,
      or(
        within(reminderMoment, extent),
        and(isNotNull(reminders.recurrenceRule), sql`${reminderMoment} <= ${instant(extent.window.to)}`),
      ),
    ),
  )

export const remindersBy = (db: Db | Tx, ids: Ids) =>
  db
    .select({
      userId: reminders.userId,
      id: reminders.id,
      title: reminders.title,
      description: beginningOf(reminders.description),
      remindAt: reminders.remindAt,
      snoozedUntil: reminders.snoozedUntil,
      recurrenceRule: reminders.recurrenceRule,
      timeZone: reminders.timeZone,
      seriesStart: reminders.seriesStart,
      seriesWall: reminders.seriesWall,
    })
    .from(reminders)
    .where(among(reminders.id, ids))
    .orderBy(reminders.id)

const dueIn = (day: AnyPgColumn, { firstDay, lastDay }: Extent) => and(gte(day, firstDay), lte(day, lastDay))

/** Todos due in the range of days that are open, or will reopen by themselves. */
export const dueTodos = (db: Db | Tx, extent: Extent) =>
  idsOf(
    db,
    todos,
    and(
      among(todos.userId, extent.users),
      named(todos.id, extent),
      or(
        and(isNull(todos.completedAt), dueIn(todos.dueDate, extent)),
        and(isNotNull(todos.resetAt), lte(todos.resetAt, extent.window.to), dueIn(todos.nextDueDate, extent)),
      ),
    ),
  )

export const todosBy = (db: Db | Tx, ids: Ids) =>
  db
    .select({
      userId: todos.userId,
      id: todos.id,
      title: todos.title,
      dueDate: todos.dueDate,
      dueTime: todos.dueTime,
      completedAt: todos.completedAt,
      resetAt: todos.resetAt,
      nextDueDate: todos.nextDueDate,
      openedAt: todos.openedAt,
      priority: todos.priority,
    })
    .from(todos)
    .where(among(todos.id, ids))
    .orderBy(todos.id)

export const dueProjects = (db: Db | Tx, extent: Extent) =>
  db
    .select({
      userId: projects.userId,
      id: projects.id,
      title: projects.name,
      dueDate: projects.dueDate,
    })
    .from(projects)
    .where(
      and(
        among(projects.userId, extent.users),
        named(projects.id, extent),
        sql`${projects.status} <> 'completed'`,
        dueIn(projects.dueDate, extent),
      ),
    )

export const dueTasks = (db: Db | Tx, extent: Extent) =>
  db
    .select({
      userId: projects.userId,
      id: projectTasks.id,
      title: projectTasks.title,
      dueDate: projectTasks.dueDate,
      projectId: projects.id,
      projectName: projects.name,
    })
    .from(projectTasks)
    .innerJoin(projects, eq(projects.id, projectTasks.projectId))
    .where(
      and(
        among(projects.userId, extent.users),
        named(projectTasks.id, extent),
        sql`${projectTasks.status} <> 'completed'`,
        dueIn(projectTasks.dueDate, extent),
      ),
    )

/** People with a birthday on one of the days, given as `MM-DD`. */
export const celebrated = (db: Db | Tx, extent: Extent, days: readonly string[]) =>
  db
    .select({
      userId: people.userId,
      id: people.id,
      firstName: people.firstName,
      lastName: people.lastName,
      nickname: people.nickname,
      birthday: people.birthday,
      enteredAt: people.updatedAt,
    })
    .from(people)
    .where(
      and(
        among(people.userId, extent.users),
        named(people.id, extent),
        isNotNull(people.birthday),
        sql`right(${people.birthday}, 5) = any(${`{${days.join()}}`}::text[])`,
      ),
    )

const dataId = (name: string) => sql`(${notifications.data} ->> ${name})::integer`

/** Unread notifications about connection requests that are still pending and connections that still exist. */
export const news = (db: Db | Tx, extent: Extent) =>
  db
    .select({
      userId: notifications.userId,
      id: notifications.id,
      title: notifications.title,
      message: notifications.message,
      createdAt: notifications.createdAt,
    })
    .from(notifications)
    .leftJoin(
      connectionRequests,
      and(
        eq(notifications.type, 'connection_request'),
        eq(connectionRequests.id, dataId('request_id')),
        eq(connectionRequests.status, 'pending'),
      ),
    )
    .leftJoin(
      connections,
      and(
        eq(notifications.type, 'connection_accepted'),
        eq(connections.id, dataId('connection_id')),
        eq(connections.userId, notifications.userId),
      ),
    )
    .where(
      and(
        among(notifications.userId, extent.users),
        named(notifications.id, extent),
        inArray(notifications.type, ['connection_request', 'connection_accepted']),
        sql`not ${notifications.isRead}`,
        within(notifications.createdAt, extent),
        or(isNotNull(connectionRequests.id), isNotNull(connections.id)),
      ),
    )
