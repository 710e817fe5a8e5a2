import { or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { idText } from '../../../db/among'
import type { Db } from '../../../db/client'
import { type Folding, foldingFor, mentions } from '../../../db/mentions'
import { prepared } from '../../../db/prepared'
import {
  eventExtraStarts,
  eventOccurrences,
  events,
  type InvitationResponse,
  occurrenceResponses,
} from '../../../db/schema'
import { type WallTime, wallToText } from '../../../lib/time/wall-time'
import type { Span } from '../events/rules.recurrence'
import { SHORT_BYTES } from './rules.sizes'
import { MOST, type Tier, TIERS } from './rules.tiers'

const o = eventOccurrences
const FROM = sql`${sql.placeholder('from')}::timestamptz`
const TO = sql`${sql.placeholder('to')}::timestamptz`
const FROM_DAY = sql`${sql.placeholder('fromDay')}::date`
const TO_DAY = sql`${sql.placeholder('toDay')}::date`

/** The series to read. Each tier has limits of its own, so that none takes the room of another. */
const looked = sql`select * from unnest(
  ${sql.placeholder('ids')}::integer[], ${sql.placeholder('tiers')}::text[], ${sql.placeholder('invitationIds')}::integer[],
  ${sql.placeholder('froms')}::timestamp[], ${sql.placeholder('tos')}::timestamp[], ${sql.placeholder('ats')}::timestamp[]
) as looked (id, tier, invitation_id, first, last, at)`

const description = sql`${o.changes} ->> 'description'`
/** The text of the override, or of the series if the override does not set it. */
const said = (field: string, column: AnyPgColumn): SQL =>
  sql`(case when jsonb_exists(${o.changes}, ${sql.raw(`'${field}'`)}) then ${o.changes} ->> ${sql.raw(`'${field}'`)} else ${column} end)`

const Q = sql.placeholder('q')
const isNamed = (folding: Folding) =>
  or(
    mentions(said('title', events.title), Q, folding),
    mentions(said('location', events.location), Q, folding),
    mentions(said('description', events.description), Q, folding),
  )

const isOf = (tier: Tier): SQL => sql.raw(`tier = '${tier}'`)
/** One more than the limit shows whether there are more. */
const upTo = (limit: number): SQL => sql.raw(`limit ${limit + 1}`)

const overridden = (tier: Tier, folding: Folding): SQL => sql`(
  select looked.id, looked.tier, ${o.occurrenceStart} as wall, ${o.isCancelled} as is_cancelled,
    ${o.startAt} as start_at, ${o.endAt} as end_at, ${o.startDate} as start_date, ${o.endDate} as end_date, ${o.timeZone} as time_zone,
    case when octet_length(${description}) > ${sql.raw(String(SHORT_BYTES))} then ${o.changes} - 'description' else ${o.changes} end as changes,
    case when jsonb_exists(${o.changes}, 'description') then coalesce(octet_length(${description}), 0) end as description_bytes,
    ${folding === '' ? sql`true` : sql`(${isNamed(folding)})`} as is_named, null as response
  from looked join ${o} on ${o.eventId} = looked.id ${folding === '' ? sql`` : sql`join ${events} on ${events.id} = looked.id`}
  where ${isOf(tier)} and (
    ${o.occurrenceStart} between looked.first and looked.last
    or ${o.startAt} < ${TO} and ${o.endAt} >= ${FROM} or ${o.startDate} < ${TO_DAY} and ${o.endDate} >= ${FROM_DAY})
  order by looked.id ${upTo(MOST[tier].overrides)})`

const x = eventExtraStarts
const r = occurrenceResponses
const NOTHING = sql`null::timestamptz, null::timestamptz, null::date, null::date, null::text, null::jsonb, null::integer, true`

/** The earliest extra starts, without cancelled ones. */
const extra = (tier: Tier): SQL => sql`(
  select looked.id, looked.tier, ${x.start}, null::boolean, ${NOTHING}, null
  from looked join ${x} on ${x.eventId} = looked.id and ${x.start} between looked.first and looked.last
  where ${isOf(tier)} and not exists (
    select 1 from ${o} where ${o.eventId} = looked.id and ${o.occurrenceStart} = ${x.start} and ${o.isCancelled})
  order by looked.at + (${x.start} - looked.first) ${upTo(MOST[tier].extras)})`

const answer = sql`looked.id, looked.tier, ${r.occurrenceStart} as wall, null::boolean, ${NOTHING}, ${r.response}`

/** The caller's answers to occurrences in the window, and to those that an override has moved into it. */
const answered = (tier: Tier): SQL => sql`(
  select * from (
    select ${answer} from looked
      join ${r} on ${r.invitationId} = looked.invitation_id and ${r.occurrenceStart} between looked.first and looked.last
    union all
    select ${answer} from overrides join looked on looked.id = overrides.id
      join ${r} on ${r.invitationId} = looked.invitation_id and ${r.occurrenceStart} = overrides.wall
      where overrides.wall not between looked.first and looked.last
  ) as answers where ${isOf(tier)} order by id ${upTo(MOST[tier].answers)})`

const all = (parts: readonly SQL[]): SQL => sql.join([...parts], sql` union all `)

const found = prepared((db, folding: Folding) =>
  db
    .select({
      id: sql<number>`found.id`,
      tier: sql<Tier>`found.tier`,
      wall: sql<string>`found.wall`,
      /** Null for extra starts and answers. */
      isCancelled: sql<boolean | null>`found.is_cancelled`,
      startAt: sql<Date | null>`found.start_at`.mapWith(o.startAt),
      endAt: sql<Date | null>`found.end_at`.mapWith(o.endAt),
      startDate: sql<string | null>`found.start_date`,
      endDate: sql<string | null>`found.end_date`,
      timeZone: sql<string | null>`found.time_zone`,
      changes: sql<typeof o.$inferSelect.changes | null>`found.changes`.mapWith(o.changes),
      descriptionBytes: sql<number | null>`found.description_bytes`,
      isNamed: sql<boolean>`found.is_named`,
      /** Null except for answers. */
      response: sql<InvitationResponse | null>`found.response`,
    })
    .from(
      sql`(with looked as (${looked}), overrides as (${all(TIERS.map((tier) => overridden(tier, folding)))})
        select * from overrides union all ${all([...TIERS.map(extra), ...TIERS.map(answered)])}) as found`,
    )
    .prepare('event_occurrences_differences'),
)

/** A series to read, and the range of wall times. */
export interface Looked {
  readonly id: number
  readonly tier: Tier
  readonly invitationId: number | null
  readonly from: WallTime
  readonly to: WallTime
  /** The instant of `from`, in epoch milliseconds. */
  readonly at: number
}

const wallTexts = (walls: readonly WallTime[]) => `{${walls.map(wallToText).join()}}`

export type Difference = Awaited<ReturnType<typeof differences>>[number]

/** Reads the differences of the series' occurrences: overrides and exceptions, extra starts, and the caller's answers. */
export const differences = (db: Db, series: readonly Looked[], { from, to, ...days }: Span, q?: string) =>
  found(db, foldingFor(q)).execute({
    ids: idText(series.map(({ id }) => id)),
    tiers: `{${series.map(({ tier }) => tier).join()}}`,
    invitationIds: `{${series.map(({ invitationId }) => invitationId ?? 'null').join()}}`,
    froms: wallTexts(series.map((one) => one.from)),
    tos: wallTexts(series.map((one) => one.to)),
    ats: wallTexts(series.map(({ at }) => at)),
    from: from.toISOString(),
    to: to.toISOString(),
    fromDay: days.fromDay,
    toDay: days.toDay,
    q: q ?? '',
  })

const read = prepared((db) =>
  db
    .select({
      id: sql<number>`wanted.id`,
      wall: sql<string | null>`wanted.wall`,
      description: sql<string | null>`case when wanted.wall is null then ${events.description} else (
        select ${description} from ${o} where ${o.eventId} = wanted.id and ${o.occurrenceStart} = wanted.wall) end`,
    })
    .from(
      sql`unnest(
        ${sql.placeholder('ids')}::integer[], ${sql.placeholder('calendarIds')}::integer[], ${sql.placeholder('walls')}::timestamp[]
      ) as wanted (id, calendar_id, wall)`,
    )
    .innerJoin(events, sql`${events.id} = wanted.id and ${events.calendarId} = wanted.calendar_id`)
    .prepare('event_occurrences_descriptions'),
)

/** A description to read. */
export interface Unread {
  readonly id: number
  /** The calendar in which the caller sees the event; if the event leaves it meanwhile, the description is not read. */
  readonly calendarId: number
  /** The occurrence whose own description it is; null for that of the event. */
  readonly wall: string | null
  /** Its length in UTF-8 bytes. */
  readonly bytes: number
}

export const descriptions = (db: Db, unread: readonly Unread[]) =>
  read(db).execute({
    ids: idText(unread.map(({ id }) => id)),
    calendarIds: idText(unread.map(({ calendarId }) => calendarId)),
    walls: `{${unread.map(({ wall }) => wall ?? 'null').join()}}`,
  })
