import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client'
import { prepared } from '../../../db/prepared'
import {
  eventInvitations,
  events,
  occurrenceResponses,
  people,
  projects,
  projectTasks,
  reminders,
  todos,
} from '../../../db/schema'
import { type Kind, KINDS, MAX_WORDS, SHOWN_LENGTH } from './rules'

export interface Search {
  readonly text: string
  readonly kinds: readonly Kind[]
  readonly userId: number
  /** The calendars that the user may read, and those of them that they own. */
  readonly calendarIds: readonly number[]
  readonly ownIds: readonly number[]
}

/** The values of a search, as SQL; ids of calendars separated by commas. */
type Wanted = Readonly<Record<'text' | 'userId' | 'calendarIds' | 'ownIds' | 'limit', SQL>>

export interface FoundRow {
  readonly type: 'event' | 'todo' | 'reminder' | 'project' | 'task' | 'person'
  readonly id: number
  readonly title: string
  readonly texts: ReadonlyArray<string | null>
  readonly parentId: number | null
  readonly rank: number
}

/** SQL for finding and showing records of one kind. In these fragments `t` is the record. */
interface Source {
  readonly type: FoundRow['type']
  readonly table: PgTable
  /** The owner prefix of the record's lexemes, built as for the column `search`. */
  readonly owner: SQL
  /** The prefixes of all owners whose records the user may read. */
  readonly owners: SQL
  /** Whether the user may read the record. The index alone does not decide this. */
  readonly isReadable: SQL
  /** Whether a record of one of the owners may be found by its texts. */
  readonly isOpen?: SQL
  readonly title: SQL
  readonly texts: readonly SQL[]
  readonly parentId?: SQL
  /** Records found through invitations instead of their owner, as `id` and `tier`. */
  readonly others?: SQL
}

/**
 * How many records of a kind are ranked: the newest ones with all words in the title, and as many again with all words anywhere.
 * Without this limit, a one-letter word could match everything a user has.
 */
const RANKED = sql.raw('200')

const asQuery = (pattern: SQL, owner: SQL): SQL => sql`replace(${pattern}, '#', ${owner})::tsquery`
const inTitle = (owner: SQL) => asQuery(sql`asked.in_title`, owner)
const anywhere = (owner: SQL) => asQuery(sql`asked.anywhere`, owner)

/** Records that belong to the user, by the column `user_id`. */
const ownedBy = (userId: Wanted['userId']) => ({
  owner: sql`'u' || t.user_id`,
  owners: sql`select 'u' || ${userId}`,
  isReadable: sql`t.user_id = ${userId}`,
})

/**
 * An event is hidden after a declined invitation, even if its calendar is visible, unless the user has accepted a single
 * occurrence.
 */
const isDeclined = (userId: Wanted['userId']) => sql`exists (
  select from ${eventInvitations} i
  where i.event_id = t.id and i.user_id = ${userId} and i.response = 'Declined' and not exists (
    select from ${occurrenceResponses} r where r.invitation_id = i.id and r.response <> 'Declined'))`

const listOf = (ids: SQL): SQL => sql`(select string_to_array(${ids}, ',')::integer[])::integer[]`

function eventSource({ userId, calendarIds, ownIds }: Wanted): Source {
  const calendarList = listOf(calendarIds)
  // Members of a calendar know no texts of its private events (contract: events.visibility).
  const isOpen = sql`(t.visibility = 'public' or t.calendar_id = any(${listOf(ownIds)}))`
  const owner = sql`'c' || t.calendar_id`
  const isInvited = sql`exists (
    select from ${eventInvitations} i where i.event_id = t.id and i.user_id = ${userId})`
  return {
    type: 'event',
    table: events,
    owner,
    owners: sql`select 'c' || id from unnest(${calendarList}) as readable (id)`,
    isOpen,
    isReadable: sql`(t.calendar_id = any(${calendarList}) and ${isOpen} or ${isInvited}) and not ${isDeclined(userId)}`,
    title: sql`t.title`,
    texts: [sql`t.location`, sql`t.description`],
    others: sql`
      select t.id, (t.search @@ ${inTitle(owner)})::integer as tier
      from asked, ${eventInvitations} i join ${events} t on t.id = i.event_id
      where i.user_id = ${userId} and t.search @@ ${anywhere(owner)}
      order by t.id + 0 desc limit ${RANKED}`,
  }
}

const taskSource = ({ userId }: Wanted): Source => ({
  type: 'task',
  table: projectTasks,
  owner: sql`'p' || t.project_id`,
  owners: sql`select 'p' || id from ${projects} where user_id = ${userId}`,
  isReadable: sql`exists (select from ${projects} p where p.id = t.project_id and p.user_id = ${userId})`,
  title: sql`t.title`,
  texts: [sql`t.description`],
  parentId: sql`t.project_id`,
})

const SOURCES: Readonly<Record<Kind, (wanted: Wanted) => Source>> = {
  events: eventSource,
  todos: ({ userId }) => ({
    ...ownedBy(userId),
    type: 'todo',
    table: todos,
    title: sql`t.title`,
    texts: [sql`t.category`, sql`t.description`],
  }),
  reminders: ({ userId }) => ({
    ...ownedBy(userId),
    type: 'reminder',
    table: reminders,
    title: sql`t.title`,
    texts: [sql`t.description`],
  }),
  projects: ({ userId }) => ({
    ...ownedBy(userId),
    type: 'project',
    table: projects,
    title: sql`t.name`,
    texts: [sql`t.description`],
  }),
  tasks: taskSource,
  people: ({ userId }) => ({
    ...ownedBy(userId),
    type: 'person',
    table: people,
    title: sql`coalesce(nullif(concat_ws(' ', t.first_name, t.last_name), ''), t.nickname)`,
    texts: [
      sql`t.nickname`,
      sql`t.email`,
      sql`t.phone`,
      sql`t.mobile`,
      sql`t.company`,
      sql`t.job_title`,
      sql`t.category`,
      sql`t.address`,
      sql`t.notes`,
    ],
  }),
}

/**
 * Runs a subquery for each owner; `offset 0` keeps the planner from merging them, as it would then read the whole table. Sorting
 * by a sum keeps it from using an index, as it would then walk through all records backwards until enough match.
 */
const candidates = (
  { table, owners, isOpen = sql`true` }: Source,
  query: (owner: SQL) => SQL,
  tier: number,
): SQL => sql`
  select hit.id, ${sql.raw(String(tier))} as tier
  from asked cross join (${owners}) as owners (owner) cross join lateral (
    select t.id from ${table} t where t.search @@ ${query(sql`owners.owner`)} and ${isOpen} offset 0
  ) as hit
  order by hit.id + 0 desc limit ${RANKED}`

/**
 * Ranks by how often the words occur, scaled to below 1 (normalisation 32). The query combines the words with OR: for AND,
 * `ts_rank` compares the positions of all words with each other, which takes seconds for a hundred long texts.
 */
const rankOf = ({ owner }: Source): SQL =>
  sql`ts_rank(t.search, ${asQuery(sql`asked.any_of_them`, owner)}, 32)::float8`

const named = ({ type }: Pick<Source, 'type'>): SQL => sql.raw(`'${type}'::text`)

const ranked = (source: Source): SQL => sql`
  select ${named(source)} as type, t.id, hits.tier + ${rankOf(source)} as rank
  from asked, (
    select id, max(tier) as tier
    from (
      (${candidates(source, inTitle, 1)}) union all (${candidates(source, anywhere, 0)})
      ${source.others ? sql`union all (${source.others})` : sql``}
    ) as either group by id
  ) as hits join ${source.table} t on t.id = hits.id
  where ${source.isReadable}`

/**
 * Texts are returned as JSON, because the driver parses an array of texts character by character. Only the beginning of each text
 * is read, so that PostgreSQL unpacks no more; one extra character shows that the text goes on.
 */
const described = ({ type, table, title, texts, parentId = sql`null::integer` }: Source): SQL => sql`
  select ${title} as title, ${parentId} as "parentId", json_build_array(${sql.join(
    texts.map((text) => sql`left(${text}, ${sql.raw(String(SHOWN_LENGTH + 1))})`),
    sql`, `,
  )}) as texts
  from ${table} t where found.type = ${named({ type })} and t.id = found.id`

const union = (parts: readonly SQL[]) => sql.join([...parts], sql` union all `)

/**
 * The `limit` best matches that the user may read. A match contains the first eight words, each as the beginning of a word. `#`
 * in the patterns stands for the owner.
 */
function best(kinds: readonly Kind[], wanted: Wanted): SQL {
  const sources = kinds.map((kind) => SOURCES[kind](wanted))
  return sql`
    with words as materialized (
      select left(word, 64) as word
      from unnest(search_words(${wanted.text})) with ordinality as words (word, place)
      where word <> '' group by 1 order by min(place) limit ${sql.raw(String(MAX_WORDS))}
    ), asked as materialized (
      select
        string_agg(format('''#/%s'':*', word), ' & ') as anywhere,
        string_agg(format('''#/%s'':*', word), ' | ') as any_of_them,
        string_agg(format('''#=%s'':*', word), ' & ') as in_title
      from words
      where not exists (
        select from words longer where starts_with(longer.word, words.word) and longer.word <> words.word)
    ), found as materialized (
      select type, id, rank from (${union(sources.map(ranked))}) as hits
      order by rank desc, type collate "C", id limit ${wanted.limit}
    )
    select found.type, found.id, found.rank, described.*
    from found cross join lateral (${union(sources.map(described))}) as described
    order by found.rank desc, found.type collate "C", found.id`
}

/** The statement of a search with its values, for inspecting its query plan. */
export const statement = ({ kinds, calendarIds, ownIds, text, userId }: Search, limit: number): SQL =>
  best(kinds, hidden({ text, userId, calendarIds: calendarIds.join(), ownIds: ownIds.join(), limit }))

/**
 * The subqueries hide the values: if one of them changed what a plan is expected to cost, PostgreSQL would plan each search anew,
 * which takes longer than most searches.
 */
const hidden = (values: Readonly<Record<keyof Wanted, string | number | Placeholder>>): Wanted => ({
  text: sql`(select ${values.text}::text)`,
  userId: sql`(select ${values.userId}::integer)`,
  calendarIds: sql`(select ${values.calendarIds}::text)`,
  ownIds: sql`(select ${values.ownIds}::text)`,
  limit: sql`(select ${values.limit}::integer)`,
})

const { placeholder } = sql

/** `kinds` is a comma-separated list. */
const found = prepared((db, kinds: string) => {
  const chosen = KINDS.filter((kind) => kinds.split(',').includes(kind))
  const wanted = hidden({
    text: placeholder('text'),
    userId: placeholder('userId'),
    calendarIds: placeholder('calendarIds'),
    ownIds: placeholder('ownIds'),
    limit: placeholder('limit'),
  })
  return db
    .select({
      type: sql<FoundRow['type']>`type`,
      id: sql<number>`id`,
      title: sql<string>`title`,
      texts: sql<FoundRow['texts']>`texts`,
      parentId: sql<number | null>`"parentId"`,
      rank: sql<number>`rank`,
    })
    .from(sql`(${best(chosen, wanted)}) as best`)
    .orderBy(sql`rank desc, type collate "C", id`)
    .prepare('search_found')
})

export const find = (
  db: Db,
  { kinds, calendarIds, ownIds, text, userId }: Search,
  limit: number,
): Promise<readonly FoundRow[]> =>
  found(db, kinds.join()).execute({
    text,
    userId,
    calendarIds: calendarIds.join(),
    ownIds: ownIds.join(),
    limit,
  })
