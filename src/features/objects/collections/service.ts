import { DELETIONS_KEPT_DAYS } from '../../../access/journal/rules'
import { inBatches, type IsStopping } from '../../../db/batches'
import type { Deps } from '../../../deps'
import { addDays } from '../../../lib/time/time'
import { journalOf } from '../../../access/journal/service'
import type { Db } from '../../../db/client'
import { AppError } from '../../../lib/errors'
import { allows, type Scope } from '../../../lib/scopes'
import * as q from './queries'
import {
  type Collection,
  type Collections,
  defaultSlug,
  mixedOf,
  type CollectionPart,
  type PartKind,
  readingScope,
  writingScope,
} from './rules'

/** A user as an app password lets them in. */
export interface Grantee {
  readonly userId: number
  readonly token: { readonly scopes: readonly Scope[] }
}

/** All collections that the user sees, but for those of areas for which their app password has no scope. */
export async function listCollections(db: Db, grantee: Grantee): Promise<Collections> {
  const mayRead = (kind: PartKind) => allows(grantee.token.scopes, readingScope(kind))
  const [rows, lists, books] = await Promise.all([
    q.listCalendars(db, grantee.userId),
    mayRead('list') ? listsOf(db, grantee) : [],
    mayRead('book') ? q.listBooks(db, grantee.userId) : [],
  ])
  const [first] = rows
  if (!first) throw new AppError('unavailable', 'The user has no calendars')
  const calendars = toCalendars(grantee, rows)
  const collections = [...mixed(calendars, lists, rows), ...books.map((row) => toBook(grantee, row))]
  const timeline = Math.max(1, ...collections.map((collection) => collection.timeline))
  return { collections, journal: await journalOf(db, { ...first, timeline }) }
}

/** Calendars and lists, those of one address as one collection. */
function mixed(
  calendars: readonly CollectionPart[],
  lists: readonly CollectionPart[],
  rows: readonly q.SeenCalendarRow[],
): Collection[] {
  const listIds = new Map(rows.map(({ id, todoListId }) => [id, todoListId]))
  const listOf = ({ id }: CollectionPart) =>
    lists.find((list) => list.kind === 'list' && list.id === (listIds.get(id) ?? 0))
  const taken = new Set(calendars.flatMap((calendar) => listOf(calendar) ?? []))
  const all = calendars.map((calendar) => {
    const list = listOf(calendar)
    return list ? mixedOf(calendar, list) : calendar
  })
  return [...all, ...lists.filter((list) => !taken.has(list))]
}

/** Calendars, the default one first. */
function toCalendars({ userId, token }: Grantee, rows: readonly q.SeenCalendarRow[]): CollectionPart[] {
  if (!allows(token.scopes, readingScope('calendar'))) return []
  const mayWrite = allows(token.scopes, writingScope('calendar'))
  return rows.map(({ permission, slug, isSystem, ...row }): CollectionPart => {
    const access = permission ?? 'owner'
    const { id, ownerId, name, color, isDefault, createdAt, place, timeline } = row
    return {
      kind: isSystem ? 'birthdays' : 'calendar',
      id,
      ownerId,
      name,
      color,
      readerId: userId,
      isOthers: ownerId !== userId,
      isDefault: isDefault && ownerId === userId,
      createdAt,
      place,
      timeline,
      slug: slug ?? defaultSlug({ kind: 'calendar', id, isDefault }),
      access: mayWrite && !isSystem ? access : 'read',
    }
  })
}

const toBook = ({ userId, token }: Grantee, { slug, ...row }: q.BookRow): CollectionPart => ({
  ...row,
  kind: 'book',
  slug: slug ?? defaultSlug({ ...row, kind: 'book' }),
  ownerId: userId,
  readerId: userId,
  isOthers: false,
  access: allows(token.scopes, writingScope('book')) ? 'owner' : 'read',
})

/** Lists of todos, the default one first, and the reminders. */
async function listsOf(db: Db, { userId, token }: Grantee): Promise<CollectionPart[]> {
  const own = {
    readerId: userId,
    isOthers: false,
    access: allows(token.scopes, writingScope('list')) ? 'owner' : 'read',
  } as const
  const rows = await q.listTodoLists(db, userId)
  const toList = (row: q.ListRow): CollectionPart => {
    const { slug, remindersPlace: _, remindersTimeline: __, ...rest } = row
    const list = { ...own, ...rest, kind: 'list' } as const
    return { ...list, slug: slug ?? defaultSlug(list) }
  }
  const [first] = rows
  return first ? [...rows.map(toList), toReminders(toList(first), first)] : []
}

/** The reminders of a user are as old as their first list, and cannot be deleted. */
const toReminders = (
  list: CollectionPart,
  { remindersPlace: place, remindersTimeline: timeline }: q.ListRow,
): CollectionPart => {
  const reminders = { kind: 'reminders', id: list.ownerId, isDefault: true, place, timeline } as const
  return { ...list, ...reminders, slug: defaultSlug(reminders), name: 'Reminders', color: '#f59e0b' }
}

/** The properties that clients of the user have kept with these places, by place. */
export async function keptProperties(
  db: Db,
  userId: number,
  places: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  if (places.length === 0) return new Map()
  const rows = Map.groupBy(await q.properties(db, userId, places), ({ place }) => place)
  return new Map([...rows].map(([place, kept]) => [place, new Map(kept.map(({ name, xml }) => [name, xml]))]))
}

/** Forgets the names of objects that went as long ago as the journal remembers. Returns how many. */
export const purgeNames = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> => {
  const before = addDays(clock.now(), -DELETIONS_KEPT_DAYS)
  return inBatches(db, (tx, limit) => q.forgetNames(tx, before, limit), isStopping)
}

/** Forgets what clients keep with collections and events that are gone for good. Returns how much. */
export const purgeLost = async ({ db }: Pick<Deps, 'db'>, isStopping?: IsStopping): Promise<number> =>
  (await inBatches(db, q.forgetLostProperties, isStopping)) +
  (await inBatches(db, q.forgetLostAlarms, isStopping))
