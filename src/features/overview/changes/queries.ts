import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { among, idText } from '../../../db/among'
import type { Db } from '../../../db/client'
import { bytesOfEvent } from '../../../db/event-bytes'
import { bytesOf } from '../../../db/fitting'
import { visibleTo } from '../../../db/journal-standing'
import { prepared } from '../../../db/prepared'
import {
  events,
  eventTemplates,
  people,
  projects,
  projectTasks,
  reminders,
  taskComments,
  todos,
} from '../../../db/schema'
import { type LogEntry, keyOf, type Log, type LoggedPlace } from './rules'
import type { KnownPlace } from './rules.cursor'
import type { ChangeType } from './rules.types'

const given = (name: string) => sql`${sql.placeholder(name)}`

/**
 * Scopes that the reader may see now beside the places that they know, and after each place the first changes, in one snapshot.
 * While a run of pages goes on, scopes that came meanwhile wait for the next run. The type is compared as an expression, so that
 * PostgreSQL reads the changes by their numbers.
 */
const LOG = sql`(
  with mine as (
    select *, true as is_mine from (${visibleTo(sql.placeholder('userId'))}) as scopes
  ), known as (
    select *, true as is_known from unnest(
      ${given('kinds')}::"char"[], ${given('ids')}::integer[], ${given('positions')}::bigint[],
      ${given('targets')}::bigint[], ${given('firsts')}::boolean[]
    ) as known (kind, id, position, target, is_first)
  ), places as materialized (
    select row_number() over (order by kind desc, id) as place, kind, id, coalesce(is_mine, false) as is_mine,
      coalesce(position, 0) as position, coalesce(target, seq, 0) as target, coalesce(is_first, true) as is_first,
      coalesce(seq, 0) as last, coalesce(timeline, 1) as timeline, coalesce(floor, 0) as floor, exists (
        select from sync_switches as switch
        where (switch.kind, switch.id) = (mine.kind, mine.id) and switch.timeline > ${given('timeline')}::integer
          and switch.seq < greatest(position, target)
      ) as is_lost
    from mine full join known using (kind, id) left join sync_scopes using (kind, id)
    where is_known or not ${given('isRunning')}::boolean
  ), entries as materialized (
    select place, type, item, seq from places cross join lateral (
      select type, item, seq from sync_changes
      where scope_kind = kind and scope_id = places.id and seq > position and seq <= target
        and not (gone and is_first) and type || '' = any(${given('types')}::text[])
      order by seq limit ${given('limit')}::integer
    ) as entry
    where is_mine order by place, seq limit ${given('limit')}::integer
  )
  select places.*, type, item, seq from places left join entries using (place)
) as log`

const log = prepared((db) =>
  db
    .select({
      place: sql<number>`place::integer`.as('place'),
      kind: sql<KnownPlace['kind']>`kind::text`,
      id: sql<number>`id`,
      isMine: sql<boolean>`is_mine`,
      position: sql<number>`position::float8`,
      target: sql<number>`target::float8`,
      isFirst: sql<boolean>`is_first`,
      last: sql<number>`last::float8`,
      timeline: sql<number>`timeline`,
      floor: sql<number>`floor::float8`,
      isLost: sql<boolean>`is_lost`,
      type: sql<ChangeType | null>`type`,
      item: sql<number | null>`item`,
      seq: sql<number>`seq::float8`.as('seq'),
    })
    .from(LOG)
    .orderBy(sql`place`, sql`seq`)
    .prepare('changes_log'),
)

export interface Reading {
  readonly userId: number
  readonly places: readonly KnownPlace[]
  /** The timeline of the places. */
  readonly timeline: number
  readonly types: readonly ChangeType[]
  /** The most changes. */
  readonly limit: number
}

const arrayOf = (values: ReadonlyArray<string | number | boolean | null>) =>
  `{${values.map((value) => value ?? 'null').join()}}`

/** What the journal says after these places. */
export async function readLog(db: Db, { userId, places, timeline, types, limit }: Reading): Promise<Log> {
  const rows = await log(db).execute({
    userId,
    kinds: arrayOf(places.map(({ kind }) => kind)),
    ids: idText(places.map(({ id }) => id)),
    positions: arrayOf(places.map(({ position }) => position)),
    targets: arrayOf(places.map(({ target }) => target)),
    firsts: arrayOf(places.map(({ isFirst }) => isFirst)),
    timeline,
    isRunning: places.some(({ target }) => target !== null),
    types: arrayOf(types),
    limit,
  })
  const found: LoggedPlace[] = []
  const entries: LogEntry[] = []
  for (const { place, type, item, seq, timeline: _, ...row } of rows) {
    if (found.length < place) found.push(row)
    if (type !== null && item !== null) entries.push({ place: place - 1, type, item, seq })
  }
  return { timeline: Math.max(1, ...rows.map((row) => row.timeline)), places: found, entries }
}

/** The bytes of an item of the types without long texts. */
export const SHORT_ITEM = 2000

type WithId = PgTable & { readonly id: AnyPgColumn }

/** The rows of a type with long texts, and how many bytes each takes. */
const SIZED: ReadonlyArray<readonly [type: ChangeType, table: WithId, bytes: SQL<number>]> = [
  ['event', events, bytesOfEvent()],
  [
    'event_template',
    eventTemplates,
    bytesOf(eventTemplates.name, eventTemplates.title, eventTemplates.description, eventTemplates.location),
  ],
  ['todo', todos, bytesOf(todos.title, todos.description, todos.category)],
  ['reminder', reminders, bytesOf(reminders.title, reminders.description)],
  ['project', projects, bytesOf(projects.name, projects.description)],
  ['task', projectTasks, bytesOf(projectTasks.title, projectTasks.description)],
  ['comment', taskComments, bytesOf(taskComments.body)],
  ['person', people, bytesOf(people.address, people.notes)],
]

/** The bytes of the items that have long texts and are there. */
export async function sizesOf(db: Db, entries: readonly LogEntry[]): Promise<ReadonlyMap<string, number>> {
  const wanted = Map.groupBy(entries, ({ type }) => type)
  const selections = SIZED.flatMap(([type, table, bytes]) => {
    const ids = wanted.get(type)?.map(({ item }) => item)
    return ids
      ? sql`select ${type}::text as type, ${table.id} as item, ${bytes} as bytes from ${table} where ${among(table.id, ids)}`
      : []
  })
  if (selections.length === 0) return new Map()
  const rows = await db.execute<{ type: ChangeType; item: number; bytes: number }>(
    sql.join(selections, sql` union all `),
  )
  return new Map(rows.map((row) => [keyOf(row), row.bytes]))
}
