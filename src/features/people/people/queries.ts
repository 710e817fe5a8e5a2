import { and, eq, getTableName, not, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { alphabetical } from '../../../db/alphabetical'
import { idText } from '../../../db/among'
import { isBlockedBetween } from '../../../db/blocked'
import { idOf, isSelected, mostOf } from '../../../db/by-id'
import type { Db, Tx } from '../../../db/client'
import { bytesOf, fitting, FOLLOWED } from '../../../db/fitting'
import { contactColumns, history, people, users } from '../../../db/schema'
import { versionIs } from '../../../db/version'
import type { ById } from '../../../lib/wire/page'
import type { ExpectedVersions } from '../../../lib/wire/versions'
import { NO_BIRTHDAY, type PersonKey, type Sort } from './rules.sorting'

/** Every column except the vCard data, which is large. */
export const columns = {
  id: people.id,
  userId: people.userId,
  bookId: people.bookId,
  linkedUserId: people.linkedUserId,
  ...contactColumns,
  version: people.version,
  createdAt: people.createdAt,
  updatedAt: people.updatedAt,
}

const bytes = bytesOf(
  people.firstName,
  people.lastName,
  people.nickname,
  people.email,
  people.phone,
  people.mobile,
  people.address,
  people.company,
  people.jobTitle,
  people.category,
  people.notes,
)

const own = (userId: number, id: number) => and(eq(people.id, id), eq(people.userId, userId))

const linkedBefore = sql`${history.before} ->> 'linked_user_id'`

/** The network names of those to whom these people of the user were linked, as far as the history knows. */
export const formerLinks = (db: Db, userId: number, ids: readonly number[]) =>
  db
    .selectDistinct({ id: sql<number>`${history.rowKey}::integer`, networkName: users.networkName })
    .from(history)
    .leftJoin(
      users,
      and(eq(users.id, sql`(${linkedBefore})::integer`), not(isBlockedBetween(userId, users.id))),
    )
    .where(
      and(
        eq(history.tab, getTableName(people)),
        sql`${history.rowKey} = any(${idText(ids)}::text[])`,
        sql`${linkedBefore} is not null`,
      ),
    )

/** The SQL equivalent of `displayName`. */
const nameSql = sql`coalesce(nullif(concat_ws(' ', ${people.firstName}, ${people.lastName}), ''), ${people.nickname})`

const ORDER: Readonly<Record<Sort, SQL<string>>> = {
  name: alphabetical(nameSql),
  birthday: sql`coalesce(right(${people.birthday}, 5), ${sql.raw(`'${NO_BIRTHDAY}'`)}) collate "C"`,
  created_at: sql`to_char(${people.createdAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') collate "C"`,
}

/** Whether one of the searched fields contains the text, ignoring case. */
const holds = (text: string) => sql`exists (
  select from unnest(array[${nameSql}, ${people.nickname}, ${people.email}, ${people.phone}, ${people.mobile}, ${people.company}, ${people.jobTitle}]) as field
  where strpos(lower(field collate "und-x-icu"), lower(${text} collate "und-x-icu")) > 0)`

export interface PeopleFilter {
  readonly userId: number
  readonly text: string | undefined
  readonly bookId: number | undefined
  readonly category: string | undefined
  readonly isFavourite: boolean | undefined
  readonly sort: Sort
  readonly after: PersonKey | undefined
}

/** Up to `limit` rows after the key, each with its sort value; fewer if their texts are long. */
export function list(db: Db, filter: PeopleFilter, limit: number) {
  const { userId, text, bookId, category, isFavourite, sort, after } = filter
  const order = ORDER[sort]
  const rows = db
    .select({ ...columns, sortValue: order.as('sort_value'), bytes: bytes.as('bytes') })
    .from(people)
    .where(
      and(
        eq(people.userId, userId),
        text === undefined ? undefined : holds(text),
        bookId === undefined ? undefined : eq(people.bookId, bookId),
        category === undefined ? undefined : eq(people.category, category),
        isFavourite === undefined ? undefined : eq(people.isFavourite, isFavourite),
        after && sql`(${order}, ${people.id}) > (${after[1]}, ${after[2]}::integer)`,
      ),
    )
    .orderBy(order, people.id)
    .limit(limit)
    .as('rows')
  const page = db
    .$with('page', { ...columns, sortValue: order.as('sort_value'), ...FOLLOWED })
    .as(fitting(rows, rows.sortValue, rows.id))
  return db.with(page).select().from(page).orderBy(page.sortValue, page.id)
}

export const pageById = (db: Db, userId: number, by: ById) =>
  db
    .select(columns)
    .from(people)
    .where(and(eq(people.userId, userId), isSelected(people.id, by)))
    .orderBy(idOf(people.id))
    .limit(mostOf(by))

export const find = async (db: Db | Tx, userId: number, id: number) =>
  (await db.select(columns).from(people).where(own(userId, id)))[0]
export type PersonRow = NonNullable<Awaited<ReturnType<typeof find>>>

/** Locks the row, because the name check needs the stored names beside the given ones. */
export const lock = async (tx: Tx, userId: number, id: number): Promise<PersonRow | undefined> =>
  (await tx.select(columns).from(people).where(own(userId, id)).for('no key update'))[0]

export async function insert(tx: Tx, row: typeof people.$inferInsert): Promise<PersonRow> {
  const [person] = await tx.insert(people).values(row).returning(columns)
  if (!person) throw new Error('insert returned no row')
  return person
}

/** Changes the person if it still has the version of `stored`; otherwise returns undefined. */
export const update = async (
  tx: Tx,
  { userId, id, version }: PersonRow,
  set: PgUpdateSetSource<typeof people>,
): Promise<PersonRow | undefined> =>
  (
    await tx
      .update(people)
      .set({ ...set, version: version + 1 })
      .where(and(own(userId, id), versionIs(people.version, [version])))
      .returning(columns)
  )[0]

/** Returns false when the person does not exist or has none of the expected versions. */
export async function remove(
  tx: Tx,
  userId: number,
  id: number,
  expected: ExpectedVersions,
): Promise<boolean> {
  const removed = await tx
    .delete(people)
    .where(and(own(userId, id), versionIs(people.version, expected)))
    .returning({ id: people.id })
  return removed.length > 0
}
