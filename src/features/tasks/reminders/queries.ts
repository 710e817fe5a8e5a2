import {
  and,
  eq,
  getTableColumns,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { idOf, isSelected, mostOf } from '../../../db/by-id'
import type { Db, Tx } from '../../../db/client'
import { bytesOf, fitting, FOLLOWED } from '../../../db/fitting'
import { prepared } from '../../../db/prepared'
import { momentOf, reminders } from '../../../db/schema'
import { type ById, USUAL_LIMIT } from '../../../lib/wire/page'
import type { ReminderKey } from './rules.sorting'

export type ReminderRow = typeof reminders.$inferSelect

const own = (userId: number, id: number) => and(eq(reminders.id, id), eq(reminders.userId, userId))

const moment = momentOf(reminders)
const NEVER = sql`'infinity'`

/** ISO 8601, or a parameter of a prepared statement. */
type Instant = string | Placeholder
const instant = (at: Instant) => sql`${at}::timestamptz`

/** Worded like the condition of the partial index, so that PostgreSQL uses it. */
const isOn = and(sql`${reminders.isActive}`, isNotNull(reminders.remindAt), lt(moment, NEVER))
const isPending = and(isOn, sql`not ${reminders.isDismissed}`)

/** Conditions for each state at an instant (contract: reminders.states). */
const STATES = {
  upcoming: (now: Instant) => and(isPending, isNull(reminders.snoozedUntil), gt(moment, instant(now))),
  snoozed: (now: Instant) => and(isPending, isNotNull(reminders.snoozedUntil), gt(moment, instant(now))),
  due: (now: Instant) => and(isPending, lte(moment, instant(now))),
  dismissed: () => and(isOn, sql`${reminders.isDismissed}`),
  all: () => undefined,
} as const satisfies Record<string, (now: Instant) => SQL | undefined>

type State = keyof typeof STATES

interface ReminderSelection {
  readonly userId: number | Placeholder
  readonly state: State
  readonly now: Instant
  readonly from: Instant | undefined
  readonly to: Instant | undefined
  readonly after?: ReminderKey | undefined
  readonly limit: number
}

function select(db: Db | Tx, { userId, state, now, from, to, after, limit }: ReminderSelection) {
  const columns = getTableColumns(reminders)
  const rows = db
    .select({ ...columns, bytes: bytesOf(reminders.title, reminders.description).as('bytes') })
    .from(reminders)
    .where(
      and(
        eq(reminders.userId, userId),
        STATES[state](now),
        from === undefined ? undefined : and(gte(moment, instant(from)), lt(moment, NEVER)),
        to === undefined ? undefined : lte(moment, instant(to)),
        after && sql`(${moment}, ${reminders.id}) > (${after[0]}::timestamptz, ${after[1]}::integer)`,
      ),
    )
    .orderBy(moment, reminders.id)
    .limit(limit)
    .as('rows')
  const page = db.$with('page', { ...columns, ...FOLLOWED }).as(fitting(rows, momentOf(rows), rows.id))
  return db.with(page).select().from(page).orderBy(momentOf(page), page.id)
}

/** The first page, prepared for each combination of bounds. */
const usual = prepared((db, state: State, isFrom: boolean, isTo: boolean) =>
  select(db, {
    userId: sql.placeholder('userId'),
    state,
    now: sql.placeholder('now'),
    from: isFrom ? sql.placeholder('from') : undefined,
    to: isTo ? sql.placeholder('to') : undefined,
    limit: USUAL_LIMIT,
  }).prepare('reminders_usual'),
)

export interface ReminderFilter {
  readonly state: State
  readonly now: Date
  /** Both bounds are inclusive. */
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly after: ReminderKey | undefined
}

/** Up to `limit` rows after the key, by moment; fewer if their texts are long. */
export async function list(
  db: Db,
  userId: number,
  { state, after, ...times }: ReminderFilter,
  limit: number,
) {
  const now = times.now.toISOString()
  const [from, to] = [times.from?.toISOString(), times.to?.toISOString()]
  if (after !== undefined || limit !== USUAL_LIMIT) {
    return select(db, { userId, state, now, from, to, after, limit })
  }
  const statement = usual(db, state, from !== undefined, to !== undefined)
  return statement.execute({ userId, now, from: from ?? '', to: to ?? '' })
}

export const pageById = (db: Db, userId: number, by: ById): Promise<ReminderRow[]> =>
  db
    .select()
    .from(reminders)
    .where(and(eq(reminders.userId, userId), isSelected(reminders.id, by)))
    .orderBy(idOf(reminders.id))
    .limit(mostOf(by))

export const find = async (db: Db, userId: number, id: number): Promise<ReminderRow | undefined> =>
  (await db.select().from(reminders).where(own(userId, id)))[0]

/** Locks the row, because a change depends on what is stored. */
export const lock = async (tx: Tx, userId: number, id: number): Promise<ReminderRow | undefined> =>
  (await tx.select().from(reminders).where(own(userId, id)).for('no key update'))[0]

export async function insert(tx: Tx, row: typeof reminders.$inferInsert): Promise<ReminderRow> {
  const [created] = await tx.insert(reminders).values(row).returning()
  if (!created) throw new Error('insert returned no row')
  return created
}

/** Writes the next version. The reminder must be locked. */
export async function update(
  tx: Tx,
  { id, version }: ReminderRow,
  set: PgUpdateSetSource<typeof reminders>,
): Promise<ReminderRow> {
  const [row] = await tx
    .update(reminders)
    .set({ ...set, version: version + 1 })
    .where(eq(reminders.id, id))
    .returning()
  if (!row) throw new Error('update returned no row')
  return row
}

/** The reminder must be locked. */
export const remove = async (tx: Tx, { id }: ReminderRow): Promise<void> => {
  await tx.delete(reminders).where(eq(reminders.id, id))
}
