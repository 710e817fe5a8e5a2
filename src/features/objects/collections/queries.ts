import { and, eq, getTableName, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../db/client'
import { prepared } from '../../../db/prepared'
import {
  addressBooks,
  calendarMembers,
  calendars,
  davCollections,
  davProperties,
  events,
  syncScopes,
  todoLists,
} from '../../../db/schema'
import { isAcceptedBy, isVisibleTo } from '../../../db/visible-calendars'
import type { Home, CollectionPart } from './rules'

const userId = sql.placeholder('userId')

/** How far the journal of a calendar goes for the user: alarms that others keep stand in it, too (contract: dav.alarms). */
const placeOfCalendar = sql`greatest(${syncScopes.floor}, (
  select noted.seq from sync_changes as noted
  where scope_kind = 'c' and scope_id = ${calendars.id} and (
    type <> 'alarm' or exists (select from event_alarms where event_alarms.id = item and event_alarms.user_id = ${userId})
  ) order by noted.seq desc limit 1
), 0)`

/** The calendars that a user sees, each with the address that they chose for it and how far its journal goes. */
const calendarRows = prepared((db) =>
  db
    .select({
      id: calendars.id,
      ownerId: calendars.userId,
      name: calendars.name,
      color: sql<string>`coalesce(${calendarMembers.color}, ${calendars.color})`,
      isDefault: calendars.isDefault,
      isSystem: calendars.isSystem,
      permission: calendarMembers.permission,
      createdAt: calendars.createdAt,
      slug: davCollections.slug,
      todoListId: davCollections.todoListId,
      place: sql<number>`${placeOfCalendar}::float8`,
      timeline: sql<number>`coalesce(${syncScopes.timeline}, 1)`,
      epoch: sql<string>`(select replace(epoch::text, '-', '') from sync_state)`,
      serverStart: sql<string>`pg_postmaster_start_time()::text`,
    })
    .from(calendars)
    .leftJoin(calendarMembers, and(eq(calendarMembers.calendarId, calendars.id), isAcceptedBy(userId)))
    .leftJoin(
      davCollections,
      and(
        eq(davCollections.userId, userId),
        eq(davCollections.kind, 'calendar'),
        eq(davCollections.item, calendars.id),
      ),
    )
    .leftJoin(syncScopes, and(eq(syncScopes.kind, 'c'), eq(syncScopes.id, calendars.id)))
    .where(isVisibleTo(db, userId))
    // The default one first, as some clients show only that.
    .orderBy(sql`${calendars.isDefault} and ${calendarMembers.id} is null desc`, calendars.id)
    .prepare('dav_calendars'),
)

export const listCalendars = (db: Db | Tx, user: number) => calendarRows(db).execute({ userId: user })
export type SeenCalendarRow = Awaited<ReturnType<typeof listCalendars>>[number]

/** The address books of a user, alike. */
const bookRows = prepared((db) =>
  db
    .select({
      id: addressBooks.id,
      name: addressBooks.name,
      color: addressBooks.color,
      isDefault: addressBooks.isDefault,
      createdAt: addressBooks.createdAt,
      slug: davCollections.slug,
      place: sql<number>`coalesce(${syncScopes.seq}, 0)::float8`,
      timeline: sql<number>`coalesce(${syncScopes.timeline}, 1)`,
    })
    .from(addressBooks)
    .leftJoin(
      davCollections,
      and(
        eq(davCollections.userId, userId),
        eq(davCollections.kind, 'book'),
        eq(davCollections.item, addressBooks.id),
      ),
    )
    .leftJoin(syncScopes, and(eq(syncScopes.kind, 'b'), eq(syncScopes.id, addressBooks.id)))
    .where(eq(addressBooks.userId, userId))
    // The default one first, as macOS shows only that.
    .orderBy(sql`${addressBooks.isDefault} desc`, addressBooks.id)
    .prepare('dav_books'),
)

export const listBooks = (db: Db | Tx, user: number) => bookRows(db).execute({ userId: user })
export type BookRow = Awaited<ReturnType<typeof listBooks>>[number]

/** The lists of todos of a user, alike, and how far the journal of their reminders goes. */
const listRows = prepared((db) =>
  db
    .select({
      id: todoLists.id,
      ownerId: todoLists.userId,
      name: todoLists.name,
      color: todoLists.color,
      isDefault: todoLists.isDefault,
      createdAt: todoLists.createdAt,
      slug: davCollections.slug,
      place: sql<number>`coalesce(${syncScopes.seq}, 0)::float8`,
      timeline: sql<number>`coalesce(${syncScopes.timeline}, 1)`,
      remindersPlace: sql<number>`coalesce((select seq from sync_scopes where kind = 'r' and id = ${userId}), 0)::float8`,
      remindersTimeline: sql<number>`coalesce((select timeline from sync_scopes where kind = 'r' and id = ${userId}), 1)`,
    })
    .from(todoLists)
    .leftJoin(
      davCollections,
      and(
        eq(davCollections.userId, userId),
        or(
          and(eq(davCollections.kind, 'list'), eq(davCollections.item, todoLists.id)),
          eq(davCollections.todoListId, todoLists.id),
        ),
      ),
    )
    .leftJoin(syncScopes, and(eq(syncScopes.kind, 'l'), eq(syncScopes.id, todoLists.id)))
    .where(eq(todoLists.userId, userId))
    .orderBy(sql`${todoLists.isDefault} desc`, todoLists.rank)
    .prepare('dav_todo_lists'),
)

/** The default list first. */
export const listTodoLists = (db: Db | Tx, user: number) => listRows(db).execute({ userId: user })
export type ListRow = Awaited<ReturnType<typeof listTodoLists>>[number]

export interface KeptProperty {
  readonly place: string
  readonly name: string
  readonly xml: string
}

/** What clients of the user have kept with these places. */
export const properties = (db: Db | Tx, user: number, places: readonly string[]): Promise<KeptProperty[]> =>
  db
    .select({ place: davProperties.place, name: davProperties.name, xml: davProperties.xml })
    .from(davProperties)
    .where(and(eq(davProperties.userId, user), inArray(davProperties.place, [...places])))

export const countProperties = (tx: Tx, user: number, place: string): Promise<number> =>
  tx.$count(davProperties, inPlace(user, place))

export async function keepProperties(
  tx: Tx,
  user: number,
  place: string,
  given: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = [...given].map(([name, xml]) => ({ userId: user, place, name, xml }))
  if (rows.length === 0) return
  await tx
    .insert(davProperties)
    .values(rows)
    .onConflictDoUpdate({
      target: [davProperties.userId, davProperties.place, davProperties.name],
      set: { xml: sql`excluded.xml` },
    })
}

export async function forgetProperties(
  tx: Tx,
  user: number,
  place: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  await tx.delete(davProperties).where(and(inPlace(user, place), inArray(davProperties.name, [...names])))
}

const inPlace = (user: number, place: string): SQL | undefined =>
  and(eq(davProperties.userId, user), eq(davProperties.place, place))

/** The address of a collection in a home of its user. */
interface ChosenAddress {
  readonly userId: number
  readonly home: Home
  readonly slug: string
}

/** Whether a client of the user chose this address for a collection that is there. */
export const isSlugTaken = async (tx: Tx, { userId: user, home, slug }: ChosenAddress): Promise<boolean> =>
  (await tx.$count(
    davCollections,
    and(
      eq(davCollections.userId, user),
      eq(davCollections.home, home),
      eq(davCollections.slug, slug),
      sql`(case ${davCollections.kind}
        when 'calendar' then exists (select from calendars where id = ${davCollections.item})
        when 'book' then exists (select from address_books where id = ${davCollections.item})
        when 'list' then exists (select from todo_lists where id = ${davCollections.item})
      end or exists (select from todo_lists where id = ${davCollections.todoListId}))`,
    ),
  )) > 0

/** Gives a collection its address, and both halves of a mixed one; one that was deleted loses it. */
export async function keepSlug(
  tx: Tx,
  address: ChosenAddress,
  { kind, id }: Pick<CollectionPart, 'kind' | 'id'>,
  list?: Pick<CollectionPart, 'id'>,
): Promise<void> {
  const set = { kind, item: id, todoListId: list?.id ?? null }
  await tx
    .insert(davCollections)
    .values({ ...address, ...set })
    .onConflictDoUpdate({
      target: [davCollections.userId, davCollections.home, davCollections.slug],
      set,
    })
}

/** Forgets up to `limit` names of objects that have been gone since before the time. Returns how many. */
export async function forgetNames(tx: Tx, before: Date, limit: number): Promise<number> {
  const forgotten = await tx.execute(sql`
    delete from dav_gone where ctid in (
      select ctid from dav_gone where at < ${before.toISOString()}::timestamptz order by at limit ${limit}
    ) returning 1`)
  return forgotten.length
}

/** Whether neither the row is there, nor a version of it that could come back. */
const isForgotten = (table: PgTable, id: SQL): SQL => {
  const name = getTableName(table)
  return sql`(not exists (select from ${table} as owner where owner.id = ${id}::integer)
    and not exists (select from history where tab = ${name} and row_key = ${id}::text))`
}

/** Forgets up to `limit` properties of collections that are gone for good. Returns how many. */
export async function forgetLostProperties(tx: Tx, limit: number): Promise<number> {
  const item = sql`substring(place, '[0-9]+$')`
  const forgotten = await tx.execute(sql`
    delete from dav_properties where ctid in (
      select ctid from dav_properties where case
        when place ~ '^(calendar|birthdays)-[0-9]{1,9}$' then ${isForgotten(calendars, item)}
        when place ~ '^list-[0-9]{1,9}$' then ${isForgotten(todoLists, item)}
        when place ~ '^book-[0-9]{1,9}$' then ${isForgotten(addressBooks, item)}
      end limit ${limit}
    ) returning 1`)
  return forgotten.length
}

/** Forgets up to `limit` alarms of members whose events are gone for good. Returns how many. */
export async function forgetLostAlarms(tx: Tx, limit: number): Promise<number> {
  const forgotten = await tx.execute(sql`
    delete from event_alarms where id in (
      select id from event_alarms as kept where ${isForgotten(events, sql`kept.event_id`)} limit ${limit}
    ) returning 1`)
  return forgotten.length
}
