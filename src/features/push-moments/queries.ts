import { and, eq, exists, gt, gte, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { among } from '../../db/among'
import type { Db, Tx } from '../../db/client'
import {
  connectionRequests,
  connections,
  eventExtraStarts,
  eventInvitations,
  eventOccurrences,
  events,
  momentOf,
  notifications,
  occurrenceResponses,
  people,
  projects,
  projectTasks,
  reminders,
  settings,
  todos,
  users,
} from '../../db/schema'
import type { Window } from './rules'

type Ids = readonly number[]

const instant = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`

/** What of a source is looked at. */
export interface Extent {
  readonly users: Ids
  /** Only these items. */
  readonly ids: Ids | undefined
  readonly window: Window
  /** The days that may matter, for what has days. */
  readonly firstDay: string
  readonly lastDay: string
}

const named = (column: AnyPgColumn, { ids }: Extent) => ids && among(column, ids)

const within = (moment: SQL | AnyPgColumn, { window }: Extent): SQL =>
  sql`(${moment} > ${instant(window.from)} and ${moment} <= ${instant(window.to)})`

/** Those of the users who want messages, and how. */
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
      configuredAt: settings.updatedAt,
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

const reminderMoment = momentOf(reminders)

/** Reminders whose moment is in the window, and series that may go on into it. */
export const armedReminders = (db: Db | Tx, extent: Extent) =>
  db
    .select()
    .from(reminders)
    .where(
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

const dueIn = (day: AnyPgColumn, { firstDay, lastDay }: Extent) => and(gte(day, firstDay), lte(day, lastDay))

/** Todos that are open, or open again by themselves, and due in the days. */
export const dueTodos = (db: Db | Tx, extent: Extent) =>
  db
    .select()
    .from(todos)
    .where(
      and(
        among(todos.userId, extent.users),
        named(todos.id, extent),
        or(
          and(isNull(todos.completedAt), dueIn(todos.dueDate, extent)),
          and(
            isNotNull(todos.resetAt),
            lte(todos.resetAt, extent.window.to),
            dueIn(todos.nextDueDate, extent),
          ),
        ),
      ),
    )

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

/** People whose birthday is on one of the days, which are `MM-DD`. */
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

/** News of connections that nobody has read, of requests that still wait and of connections that still are. */
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

/** The longest that an event may be told of before it starts, in minutes. */
const MAX_LEAD = 40_320

/** An occurrence of the series that is moved to where it may be told of in the window. */
const hasMovedInto = (db: Db | Tx, { window, firstDay, lastDay }: Extent) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(eventOccurrences)
      .where(
        and(
          eq(eventOccurrences.eventId, events.id),
          or(
            and(gt(eventOccurrences.startAt, window.from), lte(eventOccurrences.startAt, latest(window))),
            and(gte(eventOccurrences.startDate, firstDay), lte(eventOccurrences.startDate, lastDay)),
          ),
        ),
      ),
  )

const latest = ({ to }: Window): Date => new Date(+to + MAX_LEAD * 60_000)

/** Events that may be told of in the window; `leadMinutes` before those that say nothing themselves. */
const mayBeTold = (db: Db | Tx, extent: Extent, leadMinutes: number) => {
  const { window, firstDay, lastDay } = extent
  const lead = sql`coalesce(${events.reminderMinutes}, ${leadMinutes}::integer) * interval '1 minute'`
  return and(
    named(events.id, extent),
    or(
      and(
        isNull(events.recurrenceRule),
        gt(events.startAt, window.from),
        lte(events.startAt, latest(window)),
        sql`${events.startAt} - ${lead} <= ${instant(window.to)}`,
      ),
      and(isNull(events.recurrenceRule), gte(events.startDate, firstDay), lte(events.startDate, lastDay)),
      and(
        isNotNull(events.recurrenceRule),
        or(
          and(
            lte(events.startAt, latest(window)),
            or(isNull(events.lastEndAt), gte(events.lastEndAt, window.from)),
          ),
          and(
            lte(events.startDate, lastDay),
            or(isNull(events.lastEndDate), gte(events.lastEndDate, firstDay)),
          ),
          hasMovedInto(db, extent),
        ),
      ),
    ),
  )
}

export const toldInCalendars = (db: Db | Tx, calendarIds: Ids, extent: Extent, leadMinutes: number) =>
  db
    .select()
    .from(events)
    .where(and(among(events.calendarId, calendarIds), mayBeTold(db, extent, leadMinutes)))

/** The same by invitation. */
export const toldToInvited = (db: Db | Tx, extent: Extent, leadMinutes: number) =>
  db
    .select({ event: events, invitation: eventInvitations })
    .from(eventInvitations)
    .innerJoin(events, eq(events.id, eventInvitations.eventId))
    .where(and(among(eventInvitations.userId, extent.users), mayBeTold(db, extent, leadMinutes)))

/** What single occurrences of these series have for themselves, near the window. Wall times are ISO 8601. */
export const overrides = (
  db: Db | Tx,
  eventIds: Ids,
  { window, firstDay, lastDay }: Extent,
  walls: { readonly from: string; readonly to: string },
) =>
  db
    .select()
    .from(eventOccurrences)
    .where(
      and(
        among(eventOccurrences.eventId, eventIds),
        or(
          and(
            gte(eventOccurrences.occurrenceStart, walls.from),
            lte(eventOccurrences.occurrenceStart, walls.to),
          ),
          and(gt(eventOccurrences.startAt, window.from), lte(eventOccurrences.startAt, latest(window))),
          and(gte(eventOccurrences.startDate, firstDay), lte(eventOccurrences.startDate, lastDay)),
        ),
      ),
    )

/** The starts of these series beside those that their rules name, near the window. */
export const extraStarts = (
  db: Db | Tx,
  eventIds: Ids,
  walls: { readonly from: string; readonly to: string },
) =>
  db
    .select()
    .from(eventExtraStarts)
    .where(
      and(
        among(eventExtraStarts.eventId, eventIds),
        gte(eventExtraStarts.start, walls.from),
        lte(eventExtraStarts.start, walls.to),
      ),
    )
    .orderBy(eventExtraStarts.eventId, eventExtraStarts.start)

export const responses = (db: Db | Tx, invitationIds: Ids) =>
  db.select().from(occurrenceResponses).where(among(occurrenceResponses.invitationId, invitationIds))
